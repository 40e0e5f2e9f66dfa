//go:build !unix

package cpu

import (
	"io/fs"
	"os"
)

// root is the file system from "/" on, where there is one.
type root struct{}

func (root) Open(name string) (fs.File, error) { return os.DirFS("/").Open(name) }
