// Package poly64 is Poly1305 with the accumulator in base 2^64, for CPUs with a
// 64x64 to 128 bit multiplication.
package poly64

import (
	"slices"

	"github.com/quarterround/quarterround/registry"
)

func init() {
	registry.Register(&registry.Backend{
		Name:    "poly64",
		Doc:     "Poly1305 in base 2^64",
		Kernels: slices.Concat(goKernels(), asmKernels(), arm64Kernels()),
	})
}
