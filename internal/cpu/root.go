package cpu

import (
	"io/fs"

	"github.com/quarterround/quarterround/internal/rawfile"
)

// root is the file system from "/" on, where there is one, for reading small files.
type root struct{}

func (root) Open(name string) (fs.File, error) { return rawfile.Open("/" + name) }
