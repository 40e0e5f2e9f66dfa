//go:build gc && !purego && (arm || arm64)

package poly26

import (
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/internal/polytest"
	"github.com/quarterround/quarterround/registry"
)

func TestNEONKernels(t *testing.T) {
	kerneltest.Each(t, neonKernels(), func(t *testing.T, k *registry.Kernel) {
		polytest.Check(t, k)
		polytest.CheckAllocations(t, k)
	})
}

func TestNEONCrossing(t *testing.T) {
	kernels := neonKernels()
	kerneltest.Need(t, &kernels[1]) // the first is of arm only
	polytest.CheckCrossing(t, slices.Concat(goKernels(), kernels))
}
