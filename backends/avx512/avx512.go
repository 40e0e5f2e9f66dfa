// Package avx512 holds kernels of ChaCha, Salsa20 and Poly1305 on amd64:
// 512-bit vectors and word rotations, for amd64 CPUs with AVX-512.
package avx512

import (
	"slices"

	"github.com/quarterround/quarterround/registry"
)

func init() {
	registry.Register(&backend)
}

var backend = registry.Backend{
	Name:    "avx512",
	Doc:     "512-bit vectors and word rotations, for amd64 CPUs with AVX-512",
	Kernels: slices.Concat(streamKernels(), macKernels(), fusedKernels()),
}
