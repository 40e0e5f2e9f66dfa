// Package kerneltest checks kernels against math/big and the reference routines:
// what every kernel of a kind has to satisfy, in one place.
package kerneltest

import (
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/quarterround/quarterround/registry"
)

// features says which of the CPU features that kernels name are there.
var features = map[string]bool{
	"sse2":       cpu.X86.HasSSE2,
	"ssse3":      cpu.X86.HasSSSE3,
	"bmi2":       cpu.X86.HasBMI2,
	"adx":        cpu.X86.HasADX,
	"avx2":       cpu.X86.HasAVX2,
	"avx512f":    cpu.X86.HasAVX512F,
	"avx512vl":   cpu.X86.HasAVX512VL,
	"avx512bw":   cpu.X86.HasAVX512BW,
	"avx512dq":   cpu.X86.HasAVX512DQ,
	"avx512ifma": cpu.X86.HasAVX512IFMA,
	"avx512vbmi": cpu.X86.HasAVX512VBMI,
	"neon":       cpu.ARM.HasNEON,
	"asimd":      cpu.ARM64.HasASIMD,
}

// Need ends the test, as skipped, if the kernel cannot run here.
func Need(t testing.TB, k *registry.Kernel) {
	t.Helper()
	if k.XOR == nil && k.Absorb == nil && k.Seal == nil {
		t.Skipf("%s is not compiled in", k.Name)
	}
	for _, name := range k.Features {
		have, known := features[name]
		if !known {
			t.Fatalf("%s: unknown CPU feature %q", k.Name, name)
		}
		if !have {
			t.Skipf("the CPU lacks %s, which %s needs", name, k.Name)
		}
	}
}
