package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// content fails the test unless a folder has these files and nothing else.
func content(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if expected, ok := want[e.Name()]; err != nil || !ok || string(text) != expected {
			t.Errorf("%s has %q, %v; want %q", e.Name(), text, err, expected)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, text := range []string{"first", "second", ""} {
		if err := Check(name); err != nil {
			t.Fatal(err)
		}
		if err := Write(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		content(t, dir, map[string]string{"file": text})
	}
	if info, err := os.Stat(name); err != nil || runtime.GOOS == "linux" && info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestLink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "file"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(elsewhere, "file"), link); err != nil {
		t.Logf("no symbolic links here: %v", err)
		return
	}
	if err := Write(link, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	content(t, elsewhere, map[string]string{"file": "new"})
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

// TestNewByLink writes by way of two links to a file that is not there yet.
func TestNewByLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"first": filepath.Join("sub", "second"), filepath.Join("sub", "second"): "file"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Logf("no symbolic links here: %v", err)
			return
		}
	}
	if err := Write(filepath.Join(dir, "first"), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	content(t, filepath.Join(dir, "sub"), map[string]string{"second": "new", "file": "new"})
}

func TestLongName(t *testing.T) {
	name := strings.Repeat("n", 250)
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	content(t, dir, map[string]string{name: "text"})
}

// TestFailingWriter leaves the old file and nothing beside it.
func TestFailingWriter(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	if err := Write(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	err := WriteBy(name, 0o600, func(file *os.File) error {
		_, _ = file.Write([]byte("new"))
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
	content(t, dir, map[string]string{"file": "old"})
}

// TestRefused: what cannot be written to is named, and left alone.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]error{
		dir:                              ErrIrregular,
		os.DevNull:                       ErrIrregular,
		filepath.Join(dir, "no", "file"): fs.ErrNotExist,
	} {
		for _, err := range []error{Check(name), Write(name, nil, 0o600)} {
			var path *fs.PathError
			if !errors.Is(err, want) || !errors.As(err, &path) || path.Path != name {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		}
	}
	content(t, dir, nil)
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v, %v", os.DevNull, info.Mode(), err)
	}
}
