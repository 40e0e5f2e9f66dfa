package ssse3

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels. With one and two blocks a vector holds
// one row of the matrix of a block, with four one word of all blocks.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, []string{"ssse3"}, [3]cost{{127, 128}, {127, 241}, {130, 476}}, cost{10, 300}),
		stream("chacha-x2", registry.ChaCha, 2, []string{"ssse3"}, [3]cost{{44, 216}, {50, 325}, {53, 571}}, cost{10, 412}),
		stream("chacha-x4", registry.ChaCha, 4, []string{"ssse3"}, [3]cost{{46, 269}, {47, 386}, {60, 629}}, cost{10, 591}),
		stream("salsa-x1", registry.Salsa, 1, []string{"sse2"}, [3]cost{{106, 199}, {107, 325}, {111, 581}}, cost{10, 340}),
		stream("salsa-x2", registry.Salsa, 2, []string{"sse2"}, [3]cost{{36, 279}, {32, 406}, {36, 662}}, cost{10, 480}),
		stream("salsa-x4", registry.Salsa, 4, []string{"sse2"}, [3]cost{{43, 284}, {57, 410}, {62, 673}}, cost{10, 806}),
	}
}

// A cost is that of a call and of each of its steps, in cycles.
type cost struct {
	fixed, perStep float64
}

// stream describes one kernel. zen5 is its cost at 8, 12 and 20 rounds in
// calls between which the counter moves on, elsewhere at 20 rounds on other CPUs.
func stream(name string, cipher registry.Cipher, blocks int, features []string, zen5 [3]cost, elsewhere cost) registry.Kernel {
	k := registry.Kernel{
		Name:       name,
		Kind:       registry.KindStream,
		Cipher:     cipher,
		Blocks:     blocks,
		GOARCH:     []string{"amd64"},
		Features:   features,
		Revision:   1,
		Simplicity: 2,
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
