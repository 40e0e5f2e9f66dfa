package ssse3

import (
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

func TestStream(t *testing.T) {
	registrytest.TestBackend(t, &registry.Backend{Name: "ssse3", Kernels: streamKernels()})
}

func TestLeads(t *testing.T) { kerneltest.Leads(t, streamKernels(), leads) }
