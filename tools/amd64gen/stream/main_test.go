package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGenerated checks that the assembly in the backends is what the generator
// writes.
func TestGenerated(t *testing.T) {
	for name := range backends {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("../../../backends", path(name)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := generate(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is out of date: run go generate", path(name))
			}
		})
	}
}
