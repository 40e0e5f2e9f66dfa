// Package ssse3 holds ChaCha and Salsa20 kernels with 128-bit vectors for
// amd64. ChaCha needs the byte shuffle of SSSE3, Salsa20 only SSE2, which every
// amd64 CPU has.
package ssse3

import "github.com/quarterround/quarterround/registry"

func init() {
	registry.Register(&registry.Backend{
		Name:    "ssse3",
		Doc:     "ChaCha (SSSE3) and Salsa20 (SSE2) with 128-bit vectors on amd64",
		Kernels: streamKernels(),
	})
}
