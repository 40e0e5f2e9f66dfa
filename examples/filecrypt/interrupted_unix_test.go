//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestInterrupted ends the command while it writes.
func TestInterrupted(t *testing.T) {
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "key")
	if err := run([]string{"keygen", key}); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Args[0], "encrypt", "-key", key, "-o", filepath.Join(dir, "out"))
	command.Env = append(os.Environ(), asCommand+"=1")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for files := []os.DirEntry{}; len(files) == 0; { // until it writes
		if _, err := input.Write(make([]byte, 1<<16)); err != nil {
			t.Fatal(err)
		}
		if files, err = os.ReadDir(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil {
		t.Error("the command succeeded")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("files left: %v, %v", files, err)
	}
}
