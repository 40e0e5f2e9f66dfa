package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// files are where the sets are kept, from the root of the library.
var files = map[string]string{
	"scalar/arm":   "internal/polyasm/blocks_arm.s",
	"scalar/arm64": "internal/polyasm/blocks_arm64.s",
	"neon/arm":     "backends/poly26/neon_arm.s",
	"neon/arm64":   "backends/poly26/neon_arm64.s",
	"fused/arm64":  "backends/neonfused/fused_arm64.s",
}

// TestGenerated fails if a file is not what the generator writes.
func TestGenerated(t *testing.T) {
	testenv.NeedTool(t, gnuas.ARM.Assembler())
	testenv.NeedTool(t, gnuas.ARM64.Assembler())
	if len(files) != len(sets) {
		t.Errorf("%d files for %d sets", len(files), len(sets))
	}
	for set, file := range files {
		t.Run(set, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.s")
			if err := run(set, out); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("../..", file))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s is stale: run go generate", file)
			}
		})
	}
}
