package avx2

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
)

func TestPoly1305(t *testing.T) { kerneltest.Each(t, macKernels(), kerneltest.MAC) }
