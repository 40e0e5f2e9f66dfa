// Package avx512 holds kernels for amd64: 512-bit vectors and word rotations, for amd64 CPUs with AVX-512.
package avx512

import "github.com/quarterround/quarterround/registry"

func init() {
	registry.Register(&backend)
}

var backend = registry.Backend{
	Name:    "avx512",
	Doc:     "512-bit vectors and word rotations, for amd64 CPUs with AVX-512",
	Kernels: streamKernels(),
}
