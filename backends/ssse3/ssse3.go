// Package ssse3 holds kernels for amd64: ChaCha and Salsa20 with 128-bit vectors, for amd64 CPUs with SSSE3 (Salsa20: any).
package ssse3

import "github.com/quarterround/quarterround/registry"

func init() {
	registry.Register(&backend)
}

var backend = registry.Backend{
	Name:    "ssse3",
	Doc:     "ChaCha and Salsa20 with 128-bit vectors, for amd64 CPUs with SSSE3 (Salsa20: any)",
	Kernels: streamKernels(),
}
