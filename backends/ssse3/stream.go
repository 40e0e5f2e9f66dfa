package ssse3

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels. Up to three blocks a vector holds one row
// of the matrix of a block, above that one word of four. Those of 3, 5 and 9 blocks
// do one of them in general registers beside 2, 4 and 8 in vectors.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, []string{"ssse3"}, [3]cost{{127, 128}, {127, 241}, {130, 476}}, cost{10, 300}),
		stream("chacha-x2", registry.ChaCha, 2, []string{"ssse3"}, [3]cost{{44, 216}, {50, 325}, {53, 571}}, cost{10, 412}),
		stream("chacha-x4", registry.ChaCha, 4, []string{"ssse3"}, [3]cost{{46, 269}, {47, 386}, {60, 629}}, cost{10, 591}),
		stream("chacha-x8", registry.ChaCha, 8, []string{"ssse3"}, [3]cost{{60, 450}, {60, 610}, {60, 930}}, cost{10, 1180}),
		stream("chacha-x3", registry.ChaCha, 3, []string{"ssse3"}, [3]cost{{50, 218}, {50, 330}, {50, 575}}, cost{10, 430}),
		stream("chacha-x5", registry.ChaCha, 5, []string{"ssse3"}, [3]cost{{60, 270}, {60, 388}, {60, 632}}, cost{10, 640}),
		stream("chacha-x9", registry.ChaCha, 9, []string{"ssse3"}, [3]cost{{60, 455}, {60, 615}, {60, 940}}, cost{10, 1240}),
		stream("salsa-x1", registry.Salsa, 1, []string{"sse2"}, [3]cost{{106, 199}, {107, 325}, {111, 581}}, cost{10, 340}),
		stream("salsa-x2", registry.Salsa, 2, []string{"sse2"}, [3]cost{{36, 279}, {32, 406}, {36, 662}}, cost{10, 480}),
		stream("salsa-x4", registry.Salsa, 4, []string{"sse2"}, [3]cost{{43, 284}, {57, 410}, {62, 673}}, cost{10, 806}),
		stream("salsa-x8", registry.Salsa, 8, []string{"sse2"}, [3]cost{{50, 490}, {50, 700}, {50, 1120}}, cost{10, 1600}),
		stream("salsa-x3", registry.Salsa, 3, []string{"sse2"}, [3]cost{{40, 280}, {40, 408}, {40, 662}}, cost{10, 500}),
		stream("salsa-x5", registry.Salsa, 5, []string{"sse2"}, [3]cost{{50, 285}, {50, 415}, {50, 677}}, cost{10, 850}),
		stream("salsa-x9", registry.Salsa, 9, []string{"sse2"}, [3]cost{{50, 500}, {50, 710}, {50, 1135}}, cost{10, 1660}),
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
