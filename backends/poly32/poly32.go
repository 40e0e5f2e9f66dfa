// Package poly32 is Poly1305 with the accumulator in base 2^32, for 32-bit CPUs
// with a 32x32 to 64 bit multiplication.
package poly32

import (
	"slices"

	"github.com/quarterround/quarterround/registry"
)

func init() {
	registry.Register(&registry.Backend{
		Name:    "poly32",
		Doc:     "Poly1305 in base 2^32",
		Kernels: slices.Concat(goKernels(), armKernels()),
	})
}
