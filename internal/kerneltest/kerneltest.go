// Package kerneltest checks kernels against math/big and the reference routines:
// what every kernel of a kind has to satisfy, in one place.
package kerneltest

import (
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/quarterround/quarterround/internal/testenv"
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

// Each runs a check (MAC, Fused or Stream) on each kernel that this program has
// compiled in, as a subtest with its name.
func Each(t *testing.T, kernels []registry.Kernel, check func(*testing.T, *registry.Kernel)) {
	for i := range kernels {
		k := &kernels[i]
		if k.XOR == nil && k.Absorb == nil && k.Seal == nil {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			Need(t, k)
			check(t, k)
		})
	}
}

// Need ends the test if the CPU lacks a feature that the kernel needs: as
// testenv.Need does.
func Need(t testing.TB, k *registry.Kernel) {
	t.Helper()
	for _, name := range k.Features {
		have, known := features[name]
		if !known {
			t.Fatalf("%s: unknown CPU feature %q", k.Name, name)
		}
		testenv.Need(t, name, have)
	}
}
