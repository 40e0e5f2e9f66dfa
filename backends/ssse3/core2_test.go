//go:build linux && amd64 && gc && !purego

package ssse3

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/internal/testenv"
)

// TestKernels is what TestCore2 runs.
func TestKernels(t *testing.T) { kerneltest.Each(t, streamKernels(), kerneltest.Stream) }

// TestCore2 runs the kernels on an emulated CPU that has SSSE3 and nothing newer, so
// that an instruction which needs more is an illegal one.
func TestCore2(t *testing.T) {
	emulator := testenv.NeedTool(t, "qemu-x86_64")
	program := filepath.Join(t.TempDir(), "ssse3.test")
	if out, err := exec.Command("go", "test", "-c", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the tests: %v\n%s", err, out)
	}
	out, err := exec.Command(emulator, "-cpu", "Conroe", program, "-test.v", "-test.run", "^(TestKernels|TestFused)$").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, k := range slices.Concat(streamKernels(), fusedKernels()) {
		if !strings.Contains(string(out), "/"+k.Name+" (") || strings.Contains(string(out), "SKIP") {
			t.Fatalf("%s did not run:\n%s", k.Name, out)
		}
	}
}
