package neonfused

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

func TestBackend(t *testing.T) {
	registrytest.TestBackend(t, &registry.Backend{Name: "neonfused", Doc: "under test", Kernels: kernels()})
}

func TestFused(t *testing.T) { kerneltest.Each(t, kernels(), kerneltest.Fused) }
