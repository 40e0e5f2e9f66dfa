//go:build !unix

// Package rawfile opens files for reading; on systems that are not Unix as package
// os does.
package rawfile

import (
	"io/fs"
	"os"
)

// Open opens a file for reading. Errors are *fs.PathError.
func Open(path string) (fs.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return file, nil
}
