// Package amd64scalar holds ChaCha and Salsa20 kernels that compute one block at
// a time in the general registers of amd64. One block is one chain of dependent
// operations: where vectors take two cycles an operation and general registers
// one, this is the fastest way to a single block.
package amd64scalar

import "github.com/quarterround/quarterround/registry"

func init() {
	registry.Register(&registry.Backend{
		Name:    "amd64scalar",
		Doc:     "One block at a time in general registers, for any amd64 CPU",
		Kernels: streamKernels(),
	})
}
