// Package neonfused holds ChaCha20-Poly1305 for arm64 in one pass: ChaCha20 in
// the vector unit and Poly1305 in the integer unit at the same time.
//
// There is nothing of the kind for 32-bit ARM: Poly1305 is several times faster in its
// vector unit than beside it, and on the cores that run both units at a time ChaCha20
// has taken the integer unit already (neonmixed). Stream and MAC by turns, on pieces
// that stay in the cache, cost the sum of the two.
package neonfused

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./polygen -set fused -arch arm64 -o ../backends/neonfused/fused_arm64.s

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
		fused("chacha20poly1305-x4", 4, sealX4, openX4),
		fused("chacha20poly1305-x8", 8, sealX8, openX8),
	}
}

func fused(name string, blocks int, seal, open registry.FusedFunc) registry.Kernel {
	return registry.Kernel{
		Name:       name,
		Kind:       registry.KindFused,
		Cipher:     registry.ChaCha,
		Blocks:     blocks,
		GOARCH:     []string{"arm64"},
		Features:   []string{"asimd"},
		ByteOrder:  "little",
		Revision:   2,
		Simplicity: 3,
		Priors:     priors[name],
		Seal:       seal,
		Open:       open,
	}
}
