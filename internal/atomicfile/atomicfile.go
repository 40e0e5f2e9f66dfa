// Package atomicfile writes files in one step: who reads sees the old or the new
// one, and no part of either.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrIrregular is the error for what is no regular file, such as a folder or a
// device: a file must not take its place.
var ErrIrregular = errors.New("not a regular file")

// created are the permissions that os.CreateTemp gives. Not every system can
// change them.
const created = 0o600

// Write writes text to a file with these permissions, which the umask does not
// change, and replaces one that is there; where name is a symbolic link, the file
// that it leads to. The error is an [*fs.PathError] with that name, but for one of
// renaming, an [*os.LinkError].
func Write(name string, text []byte, permissions fs.FileMode) error {
	return WriteBy(name, permissions, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
}

// WriteBy is Write of what a function writes to a new file beside, whose error it
// returns.
func WriteBy(name string, permissions fs.FileMode, write func(*os.File) error) (err error) {
	file, target, err := createBeside(name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	err = write(file)
	if err == nil && permissions != created {
		err = file.Chmod(permissions)
	}
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), target)
}

// Check returns the error that Write would fail with before it writes. It is for
// those who have long to work before they have something to write.
func Check(name string) error {
	file, _, err := createBeside(name)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// follow returns where symbolic links lead from name, whether something is there or
// not yet.
func follow(name string) string {
	for {
		linked, err := filepath.EvalSymlinks(name)
		if err == nil {
			return linked
		}
		linked, noLink := os.Readlink(name)
		if noLink != nil || !errors.Is(err, fs.ErrNotExist) {
			return name
		}
		if !filepath.IsAbs(linked) {
			linked = filepath.Join(filepath.Dir(name), linked)
		}
		name = linked
	}
}

// createBeside creates a file in the folder of another, or of the one that that
// leads to, which it returns as well.
func createBeside(name string) (file *os.File, target string, err error) {
	target = follow(name)
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return nil, "", &fs.PathError{Op: "write", Path: name, Err: ErrIrregular}
	}
	file, err = os.CreateTemp(filepath.Dir(target), ".new-*")
	var failed *fs.PathError
	if errors.As(err, &failed) {
		failed.Path = name // not the random name beside it
	}
	return file, target, err
}
