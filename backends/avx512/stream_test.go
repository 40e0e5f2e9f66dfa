package avx512

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

func TestStream(t *testing.T) {
	registrytest.TestBackend(t, &registry.Backend{Name: "avx512", Kernels: streamKernels()})
}

func TestLeads(t *testing.T) { kerneltest.Leads(t, streamKernels(), leads) }
