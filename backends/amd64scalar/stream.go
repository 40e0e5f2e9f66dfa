package amd64scalar

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, [3]cost{{26, 118}, {24, 166}, {33, 272}}, cost{10, 380}),
		stream("salsa-x1", registry.Salsa, 1, [3]cost{{22, 122}, {22, 175}, {22, 285}}, cost{10, 400}),
	}
}

// A cost is that of a call and of each of its steps, in cycles.
type cost struct {
	fixed, perStep float64
}

// stream describes one kernel. zen5 is its cost at 8, 12 and 20 rounds in
// calls between which the counter moves on, elsewhere at 20 rounds on other CPUs.
func stream(name string, cipher registry.Cipher, blocks int, zen5 [3]cost, elsewhere cost) registry.Kernel {
	k := registry.Kernel{
		Name:       name,
		Kind:       registry.KindStream,
		Cipher:     cipher,
		Blocks:     blocks,
		GOARCH:     []string{"amd64"},
		Revision:   1,
		Simplicity: 1,
		XOR:        streamRoutines[name],
		Priors:     make([]registry.Prior, 0, 4),
	}
	for i, rounds := range []int{8, 12, 20} {
		k.Priors = append(k.Priors, registry.Prior{
			CPU: "zen5", Rounds: rounds, Fixed: zen5[i].fixed, PerStep: zen5[i].perStep,
			Provenance: "measured", Source: "Zen 5, 2026-11-30",
		})
	}
	k.Priors = append(k.Priors, registry.Prior{
		CPU: "amd64", Rounds: 20, Fixed: elsewhere.fixed, PerStep: elsewhere.perStep,
		Provenance: "estimated", Source: "published figures for Haswell to Skylake",
	})
	return k
}
