// Package amd64scalar holds kernels for amd64: ChaCha and Salsa20 with one block at a time in general registers, for any amd64 CPU.
package amd64scalar

import "github.com/quarterround/quarterround/registry"

func init() {
	registry.Register(&backend)
}

var backend = registry.Backend{
	Name:    "amd64scalar",
	Doc:     "ChaCha and Salsa20 with one block at a time in general registers, for any amd64 CPU",
	Kernels: streamKernels(),
}
