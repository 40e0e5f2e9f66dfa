// Package ssse3 holds ChaCha, Salsa20 and ChaCha20-Poly1305 kernels with 128-bit
// vectors for amd64. ChaCha needs the byte shuffle of SSSE3, Salsa20 only SSE2,
// which every amd64 CPU has.
package ssse3

import (
	"slices"

	"github.com/quarterround/quarterround/registry"
)

func init() {
	registry.Register(&registry.Backend{
		Name:    "ssse3",
		Doc:     "ChaCha and ChaCha20-Poly1305 (SSSE3) and Salsa20 (SSE2) with 128-bit vectors on amd64",
		Kernels: slices.Concat(streamKernels(), fusedKernels()),
	})
}
