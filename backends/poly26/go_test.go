package poly26

import (
	"testing"

	"github.com/quarterround/quarterround/internal/polytest"
)

func TestGoKernels(t *testing.T) {
	kernels := goKernels()
	for i := range kernels {
		t.Run(kernels[i].Name, func(t *testing.T) {
			polytest.Check(t, &kernels[i])
			polytest.CheckAllocations(t, &kernels[i])
		})
	}
	polytest.CheckCrossing(t, kernels)
}
