package all

import (
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/planner"
	"github.com/quarterround/quarterround/registry"
)

// streamKernels returns the kernels of a cipher on an architecture with their
// priors for a CPU, and their names.
func streamKernels(t *testing.T, cipher registry.Cipher, goarch, cpu string) (kernels []planner.Kernel, names []string) {
	t.Helper()
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			if k.Kind != registry.KindStream || k.Cipher != cipher || len(k.GOARCH) > 0 && !slices.Contains(k.GOARCH, goarch) {
				continue
			}
			p := slices.IndexFunc(k.Priors, func(p registry.Prior) bool { return p.CPU == cpu })
			if p < 0 {
				t.Fatalf("%s/%s has no prior for %s", b.Name, k.Name, cpu)
			}
			prior := k.Priors[p]
			kernels = append(kernels, planner.Kernel{ID: len(names), Blocks: k.Blocks, Fixed: prior.Fixed, PerStep: prior.PerStep, Simplicity: k.Simplicity})
			names = append(names, b.Name+"/"+k.Name)
		}
	}
	return kernels, names
}

// one are the backends of one block at a time.
var one = []string{"generic", "armscalar", "neon1way"}

// TestStreamPlans plans messages of few blocks and long ones by the modelled costs
// of the ARM kernels: one block goes to a kernel of one, two go to two in NEON and
// three to three, but where a core is so quick with one block after the other, or
// with a wider step, that those cost less.
func TestStreamPlans(t *testing.T) {
	for _, c := range []struct {
		goarch, cpu string
		cipher      registry.Cipher
		two, three  string
		long        string
	}{
		{"arm", "cortex-a5", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neon4core/chacha"},
		{"arm", "cortex-a5", registry.Salsa, "neon2core/salsa", "neon3core/salsa", "neon4core/salsa"},
		{"arm", "cortex-a7", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neon4core/chacha"},
		{"arm", "cortex-a7", registry.Salsa, "neon2core/salsa", "neon3core/salsa", "neon4core/salsa"},
		{"arm", "cortex-a8", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neonmixed/chacha-x3s1"},
		{"arm", "cortex-a8", registry.Salsa, "neon2core/salsa", "neon3core/salsa", "neonmixed/salsa-x4s1"},
		{"arm", "cortex-a9", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neonmixed/chacha-x4s1"},
		{"arm", "cortex-a9", registry.Salsa, "neon2core/salsa", "neonmixed/salsa-x4s1-a9", "neonmixed/salsa-x4s1-a9"},
		{"arm64", "cortex-a53", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neonmixed/chacha-x4s1"},
		{"arm64", "cortex-a53", registry.Salsa, "neon2core/salsa", "neon3core/salsa", "neonmixed/salsa-x4s2"},
		// Four and one blocks are published as faster on these two, six and two modelled.
		{"arm64", "cortex-a57", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neonmixed/chacha-x4s1"},
		{"arm64", "cortex-a72", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neonmixed/chacha-x4s1"},
		{"arm64", "cortex-a57", registry.Salsa, "generic/salsa", "neon4core/salsa", "neonmixed/salsa-x4s2"},
		{"arm64", "neoverse-n1", registry.ChaCha, "neon2core/chacha", "neon4core/chacha", "neonmixed/chacha-x4s1"},
		{"arm64", "neoverse-n1", registry.Salsa, "generic/salsa", "neon3core/salsa", "neonmixed/salsa-x4s2"},
		{"arm64", "neoverse-v1", registry.ChaCha, "neon2core/chacha", "neon3core/chacha", "neonmixed/chacha-x8s2"},
		{"arm64", "neoverse-v1", registry.Salsa, "generic/salsa", "neon4core/salsa", "neonmixed/salsa-x8s2"},
	} {
		kernels, names := streamKernels(t, c.cipher, c.goarch, c.cpu)
		table := planner.Build(kernels, planner.Overhead{})
		first := func(blocks int) string { return names[table.For(blocks)[0].ID] }
		if backend, _, _ := strings.Cut(first(1), "/"); !slices.Contains(one, backend) {
			t.Errorf("%s, %s: one block by %s", c.cpu, c.cipher, first(1))
		}
		for blocks, want := range map[int]string{2: c.two, 3: c.three, 256: c.long} {
			if got := first(blocks); got != want {
				t.Errorf("%s, %s: %d blocks by %s, want %s", c.cpu, c.cipher, blocks, got, want)
			}
		}
	}
}
