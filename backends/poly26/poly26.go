// Package poly26 is Poly1305 with the accumulator in base 2^26, in five limbs
// whose products leave room for carries: for vectors, and for CPUs on which a
// carry costs more than a multiplication.
package poly26

import (
	"slices"

	"github.com/quarterround/quarterround/registry"
)

func init() {
	registry.Register(&registry.Backend{
		Name:    "poly26",
		Doc:     "Poly1305 in base 2^26",
		Kernels: slices.Concat(goKernels(), neonKernels()),
	})
}
