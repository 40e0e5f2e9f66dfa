package all

import (
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/planner"
	"github.com/quarterround/quarterround/internal/published"
	"github.com/quarterround/quarterround/registry"
)

// macKernels returns the Poly1305 kernels of an architecture with their priors for a
// CPU, and their names. Scale changes the cost of each.
func macKernels(t *testing.T, goarch, cpu string, scale func(k *registry.Kernel) float64) (kernels []planner.MACKernel, names []string) {
	t.Helper()
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			if k.Kind != registry.KindMAC || len(k.GOARCH) > 0 && !slices.Contains(k.GOARCH, goarch) {
				continue
			}
			p := slices.IndexFunc(k.Priors, func(p registry.Prior) bool { return p.CPU == cpu })
			if p < 0 {
				t.Fatalf("%s/%s has no prior for %s", b.Name, k.Name, cpu)
			}
			prior, by := k.Priors[p], scale(k)
			kernels = append(kernels, planner.MACKernel{
				Kernel: planner.Kernel{ID: len(names), Blocks: k.Blocks, Fixed: by * prior.Fixed, PerStep: by * prior.PerStep, Simplicity: k.Simplicity, Granular: true},
				Layout: k.Powers, Setup: by * prior.Setup,
			})
			names = append(names, b.Name+"/"+k.Name)
		}
	}
	return kernels, names
}

// vector reports whether a kernel works in the vector unit.
func vector(k *registry.Kernel) bool { return len(k.Features) > 0 }

// usedFor returns the names of the kernels that the plan calls for n bytes.
func usedFor(levels []planner.MACLevel, names []string, n int) []string {
	level := &levels[0]
	for i := range levels {
		if levels[i].From <= n/registry.MACBlockSize {
			level = &levels[i]
		}
	}
	var used []string
	for _, p := range level.Table.For(n / registry.MACBlockSize) {
		used = append(used, names[p.ID])
	}
	return used
}

// scalarOnly reports whether none of the kernels is one of vectors.
func scalarOnly(used []string) bool {
	return !slices.ContainsFunc(used, func(name string) bool {
		return slices.Contains([]string{"poly26/neon-x2", "poly26/neon", "poly26/neon-x8", "poly26/neon-x8-a7", "poly26/hybrid"}, name)
	})
}

// TestMACPlans plans Poly1305 by the modelled costs of the ARM kernels: short
// messages stay scalar, long ones go to NEON. Cortex-A8, which multiplies slowly in
// its integer unit, takes pairs of blocks from 96 bytes on: 128 bytes cost 788 cycles
// then, and 921 without.
func TestMACPlans(t *testing.T) {
	for _, cpu := range []struct {
		goarch, name string
		scalarUpTo   int // bytes
	}{
		{"arm", "cortex-a5", 128}, {"arm", "cortex-a7", 128}, {"arm", "cortex-a8", 80}, {"arm", "cortex-a9", 128},
		{"arm64", "cortex-a53", 128}, {"arm64", "cortex-a57", 128}, {"arm64", "cortex-a72", 128},
		{"arm64", "neoverse-n1", 128}, {"arm64", "neoverse-v1", 128},
	} {
		kernels, names := macKernels(t, cpu.goarch, cpu.name, func(*registry.Kernel) float64 { return 1 })
		levels := planner.BuildMAC(kernels, planner.Overhead{})
		for n := 16; n <= cpu.scalarUpTo; n += 16 {
			if used := usedFor(levels, names, n); !scalarOnly(used) {
				t.Errorf("%s: %d bytes by %v, want scalar", cpu.name, n, used)
			}
		}
		for _, n := range []int{4096, 16384, 1 << 20} {
			if used := usedFor(levels, names, n); scalarOnly(used) {
				t.Errorf("%s: %d bytes by %v, want NEON", cpu.name, n, used)
			}
		}
	}
}

// TestMACPlansOfScalarCPUs plans with the published relation of scalar code to NEON
// on CPUs where scalar code is faster at all lengths: the costs of the kernels here on
// Neoverse N1, scaled so that poly64/asm and poly26/neon cost on long messages what
// OpenSSL's code of their kind does.
func TestMACPlansOfScalarCPUs(t *testing.T) {
	for _, name := range []string{"xgene", "thunderx2"} {
		board, err := published.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		unscaled, names := macKernels(t, "arm64", "neoverse-n1", func(*registry.Kernel) float64 { return 1 })
		ratio := map[string]float64{} // by kernel: there to here
		for _, f := range board.Figures {
			if i := slices.Index(names, f.Technique); i >= 0 {
				ratio[f.Technique] = f.CyclesPerByte * float64(unscaled[i].Blocks*registry.MACBlockSize) / unscaled[i].PerStep
			}
		}
		kernels, _ := macKernels(t, "arm64", "neoverse-n1", func(k *registry.Kernel) float64 {
			if vector(k) {
				return ratio["poly26/neon"]
			}
			return ratio["poly64/asm"]
		})
		levels := planner.BuildMAC(kernels, planner.Overhead{})
		for n := 16; n <= 1<<20; n += 16 + n/16*16/8 {
			if used := usedFor(levels, names, n); !scalarOnly(used) {
				t.Errorf("%s: %d bytes by %v, want scalar", name, n, used)
			}
		}
	}
}
