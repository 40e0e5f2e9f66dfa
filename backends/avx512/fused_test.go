package avx512

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
)

func TestFused(t *testing.T) {
	for _, k := range fusedKernels() {
		t.Run(k.Name, func(t *testing.T) { kerneltest.Fused(t, &k) })
	}
}
