package poly26

import (
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/internal/polytest"
)

func TestNEONKernels(t *testing.T) {
	kernels := neonKernels()
	for i := range kernels {
		t.Run(kernels[i].Name, func(t *testing.T) {
			kerneltest.Need(t, &kernels[i])
			polytest.Check(t, &kernels[i])
			polytest.CheckAllocations(t, &kernels[i])
		})
	}
}

func TestNEONCrossing(t *testing.T) {
	kernels := neonKernels()
	kerneltest.Need(t, &kernels[1]) // the first is of arm only
	polytest.CheckCrossing(t, slices.Concat(goKernels(), kernels))
}
