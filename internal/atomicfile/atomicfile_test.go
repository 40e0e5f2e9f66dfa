package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
