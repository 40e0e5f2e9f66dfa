package ssse3

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

func TestFused(t *testing.T) {
	kernels := fusedKernels()
	for _, k := range kernels {
		t.Run(k.Name, func(t *testing.T) { kerneltest.Fused(t, &k) })
	}
	registrytest.TestBackend(t, &registry.Backend{Name: "ssse3", Kernels: kernels})
}
