// Package neonfused holds ChaCha20-Poly1305 in one pass: ChaCha20 in the vector unit
// and Poly1305 in the integer unit at the same time.
//
// On 32-bit ARM it is for the cores that run both units at a time, from Cortex-A9
// upwards. Cortex-A5 and A7 issue nothing beside a vector instruction and A8
// multiplies too slowly: there Poly1305 is faster in the vector unit, too, and stream
// and MAC take turns.
package neonfused

import (
	"runtime"

	"github.com/quarterround/quarterround/registry"
)

//go:generate go -C ../../tools run ./polygen -set fused -arch arm64 -o ../backends/neonfused/fused_arm64.s
//go:generate go -C ../../tools run ./neongen

func init() {
	registry.Register(&registry.Backend{
		Name:    "neonfused",
		Doc:     "ChaCha20-Poly1305 in one pass, NEON beside scalar",
		Kernels: kernels(),
	})
}

// kernels lists the kernels of every GOARCH.
func kernels() []registry.Kernel {
	return []registry.Kernel{
		fused("chacha20poly1305-x4", 4, sealX4, openX4, "arm", "arm64"),
		fused("chacha20poly1305-x8", 8, sealX8, openX8, "arm64"),
	}
}

func fused(name string, blocks int, seal, open registry.FusedFunc, goarch ...string) registry.Kernel {
	return registry.Kernel{
		Name:       name,
		Kind:       registry.KindFused,
		Cipher:     registry.ChaCha,
		Blocks:     blocks,
		GOARCH:     goarch,
		Features:   []string{feature()},
		ByteOrder:  "little",
		Revision:   2,
		Simplicity: 3,
		Priors:     priors[name],
		Seal:       seal,
		Open:       open,
	}
}

// feature returns the name that the vector unit has on this architecture.
func feature() string {
	if runtime.GOARCH == "arm" {
		return "neon"
	}
	return "asimd"
}
