package all

import (
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/planner"
	"github.com/quarterround/quarterround/registry"
)

// fusedKernels returns the fused kernels of an architecture with their priors for a
// CPU, and their names.
func fusedKernels(t *testing.T, goarch, cpu string) (kernels []planner.FusedKernel, names []string) {
	t.Helper()
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			if k.Kind != registry.KindFused || len(k.GOARCH) > 0 && !slices.Contains(k.GOARCH, goarch) {
				continue
			}
			p := slices.IndexFunc(k.Priors, func(p registry.Prior) bool { return p.CPU == cpu })
			if p < 0 {
				t.Fatalf("%s/%s has no prior for %s", b.Name, k.Name, cpu)
			}
			prior := k.Priors[p]
			kernels = append(kernels, planner.FusedKernel{MACKernel: planner.MACKernel{
				Kernel: planner.Kernel{ID: len(names), Blocks: k.Blocks, Fixed: prior.Fixed, PerStep: prior.PerStep, Simplicity: k.Simplicity},
				Layout: k.Powers, Setup: prior.Setup,
			}})
			names = append(names, b.Name+"/"+k.Name)
		}
	}
	return kernels, names
}

// aeadProblem is that of ChaCha20-Poly1305 on a CPU, without overheads.
func aeadProblem(t *testing.T, goarch, cpu string) (p *planner.AEADProblem, fused []string) {
	t.Helper()
	streams, _ := streamKernels(t, registry.ChaCha, goarch, cpu)
	macs, _ := macKernels(t, goarch, cpu, func(*registry.Kernel) float64 { return 1 })
	stream := planner.Build(streams, planner.Overhead{})
	p = &planner.AEADProblem{
		Stream: stream, Within: stream, MAC: planner.BuildMAC(macs, planner.Overhead{}),
		WithLayout: map[string]*planner.Table{}, MaxHead: registry.MaxHead,
	}
	p.Fused, fused = fusedKernels(t, goarch, cpu)
	for _, f := range p.Fused {
		var around []planner.Kernel
		for _, m := range macs {
			if m.Layout == "" || m.Layout == f.Layout {
				around = append(around, m.Kernel)
			}
		}
		p.WithLayout[f.Layout] = planner.Build(around, planner.Overhead{})
	}
	return p, fused
}

// TestAEADPlans plans ChaCha20-Poly1305 by the modelled costs of the ARM kernels: from
// some KiB on in one pass where the integer unit works beside the vector unit, by
// stream and MAC in turns on the small cores of 32-bit ARM.
func TestAEADPlans(t *testing.T) {
	for _, c := range []struct {
		goarch, cpu string
		long        string // kernel, empty for stream and MAC
	}{
		{"arm", "cortex-a5", ""},
		{"arm", "cortex-a7", ""},
		{"arm", "cortex-a8", ""},
		{"arm", "cortex-a9", "neonfused/chacha20poly1305-x4"},
		{"arm64", "cortex-a57", "neonfused/chacha20poly1305-x8"},
		{"arm64", "neoverse-v1", "neonfused/chacha20poly1305-x8"},
	} {
		p, names := aeadProblem(t, c.goarch, c.cpu)
		plan := planner.BuildAEAD(p)
		for _, bytes := range []int{4096, 16384, 1 << 20} {
			got := ""
			if e := plan.For(bytes / registry.BlockSize); e.Fused >= 0 {
				got = names[e.Fused]
			}
			if got != c.long {
				t.Errorf("%s: %d bytes in one pass by %q, want %q", c.cpu, bytes, got, c.long)
			}
		}
		if e := plan.For(1); e.Fused >= 0 {
			t.Errorf("%s: 64 bytes by %s", c.cpu, names[e.Fused])
		}
	}
}
