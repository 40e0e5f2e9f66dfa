// Package avx2 holds kernels for amd64: 256-bit vectors, for amd64 CPUs with AVX2.
package avx2

import "github.com/quarterround/quarterround/registry"

func init() {
	registry.Register(&backend)
}

var backend = registry.Backend{
	Name:    "avx2",
	Doc:     "256-bit vectors, for amd64 CPUs with AVX2",
	Kernels: streamKernels(),
}
