package amd64scalar

import (
	"testing"

	"github.com/quarterround/quarterround/internal/streamtest"
)

func TestStream(t *testing.T) { streamtest.Run(t, streamKernels()) }
