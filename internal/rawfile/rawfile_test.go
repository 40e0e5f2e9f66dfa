package rawfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	want := bytes.Repeat([]byte("0123456789"), 1000)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	var failed *fs.PathError
	if _, err := Open(path + "2"); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &failed) || failed.Path != path+"2" {
		t.Errorf("error %v", err)
	}
	if file, err := Open(filepath.Dir(path)); err == nil { // which not every system opens
		if _, err := io.ReadAll(file); err == nil {
			t.Error("a directory can be read")
		}
		file.Close()
	}
}
