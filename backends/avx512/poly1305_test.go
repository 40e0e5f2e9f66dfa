package avx512

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
)

func TestPoly1305(t *testing.T) {
	for _, k := range macKernels() {
		t.Run(k.Name, func(t *testing.T) { kerneltest.MAC(t, &k) })
	}
}
