package all

import (
	"flag"
	"testing"

	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

var (
	long   = flag.Bool("registrytest.long", false, "check every backend exhaustively")
	stress = flag.Duration("registrytest.stress", 0, "how long each kernel is called while garbage collector and profiler run; 0 is a moment")
)

// TestBackends proves every kernel that can run here.
func TestBackends(t *testing.T) {
	var opts []registrytest.Option
	if *long {
		opts = append(opts, registrytest.Long())
	}
	if *stress > 0 {
		opts = append(opts, registrytest.Stress(*stress))
	}
	for _, b := range registry.Backends() {
		t.Run(b.Name, func(t *testing.T) { registrytest.TestBackend(t, b, opts...) })
	}
}

// The fuzz targets draw from the kernels of all backends at once.

func linked() *registry.Backend {
	every := &registry.Backend{Name: "all"}
	for _, b := range registry.Backends() {
		every.Kernels = append(every.Kernels, b.Kernels...)
	}
	return every
}

func FuzzStream(f *testing.F) { registrytest.FuzzStream(f, linked()) }
func FuzzMAC(f *testing.F)    { registrytest.FuzzMAC(f, linked()) }
func FuzzFused(f *testing.F)  { registrytest.FuzzFused(f, linked()) }
