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
			want, err := os.ReadFile(filepath.Join("../../../backends", name, "stream_amd64.s"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := generate(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Error("stream_amd64.s is out of date: run go generate")
			}
		})
	}
}
