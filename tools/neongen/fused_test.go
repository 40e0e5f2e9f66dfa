package main

import (
	"strings"
	"testing"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// TestReadsBeforeWriting checks that a step has read all that it absorbs before it
// writes, because it may write to where it reads.
func TestReadsBeforeWriting(t *testing.T) {
	for _, k := range fusedFile().kernels {
		if k.stream() {
			continue
		}
		reads, written := 0, false
		for line := range strings.SplitSeq(k.function().Text, "\n") {
			switch {
			case line == "step:":
				written = false
			case strings.HasPrefix(line, "vst1.8 "):
				written = true
			case strings.HasSuffix(gnuas.Little(line), readsMessage):
				reads++
				if written {
					t.Errorf("%s: %q comes after a store to dst", k.name, line)
				}
			}
		}
		if reads != 4*4 {
			t.Errorf("%s: %d loads of the message in its text, want four blocks of four", k.name, reads)
		}
	}
}
