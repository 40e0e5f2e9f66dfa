//go:build unix

// Package rawfile opens files for reading without the network poller. Package os
// makes each file ready for it, which in a program that has no use for one takes
// longer than reading a small file.
package rawfile

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// Open opens a small file for reading; its Stat need not work. Errors are
// *fs.PathError.
func Open(path string) (fs.File, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err == nil {
			return descriptor(fd), nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// A descriptor is an open file.
type descriptor int

func (fd descriptor) Read(b []byte) (int, error) {
	for {
		n, err := syscall.Read(int(fd), b)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 0, err
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (fd descriptor) Close() error { return syscall.Close(int(fd)) }

func (fd descriptor) Stat() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }
