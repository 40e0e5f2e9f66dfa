package poly26

import (
	"testing"

	//lint:ignore SA1019 an independent oracle and the other side of benchmarks
	"golang.org/x/crypto/poly1305"

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

// BenchmarkGoKernels compares with golang.org/x/crypto; the build tag purego
// takes its assembly away.
func BenchmarkGoKernels(b *testing.B) {
	var tag [16]byte
	key := [32]byte{1, 2, 3}
	polytest.Benchmark(b, "poly26", goKernels(), "xcrypto", func(msg []byte) { poly1305.Sum(&tag, msg, &key) })
}
