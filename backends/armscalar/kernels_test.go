package armscalar

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
)

func TestKernels(t *testing.T) { kerneltest.Streams(t, kernels()) }
