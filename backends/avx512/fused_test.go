package avx512

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
)

func TestFused(t *testing.T) { kerneltest.Each(t, fusedKernels(), kerneltest.Fused) }
