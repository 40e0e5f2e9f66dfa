package poly26

import (
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/polytest"
)

func TestNEONKernels(t *testing.T) {
	kernels := neonKernels()
	if kernels[0].Absorb == nil {
		t.Skip("not compiled in")
	}
	for i := range kernels {
		t.Run(kernels[i].Name, func(t *testing.T) {
			polytest.Check(t, &kernels[i])
			polytest.CheckAllocations(t, &kernels[i])
		})
	}
	polytest.CheckCrossing(t, slices.Concat(goKernels(), kernels))
}
