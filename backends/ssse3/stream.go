package ssse3

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels. Up to three blocks a vector holds one row
// of the matrix of a block, above that one word of four. Those of 3, 5 and 9 blocks
// do one of them in general registers beside 2, 4 and 8 in vectors.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, []string{"ssse3"}, [3]cost{{14, 129}, {16, 247}, {29, 479}}, cost{10, 300}),
		stream("chacha-x2", registry.ChaCha, 2, []string{"ssse3"}, [3]cost{{11, 213}, {10, 333}, {24, 559}}, cost{10, 412}),
		stream("chacha-x4", registry.ChaCha, 4, []string{"ssse3"}, [3]cost{{45, 266}, {47, 388}, {68, 624}}, cost{10, 591}),
		stream("chacha-x8", registry.ChaCha, 8, []string{"ssse3"}, [3]cost{{46, 422}, {48, 608}, {52, 974}}, cost{10, 1180}),
		stream("chacha-x3", registry.ChaCha, 3, []string{"ssse3"}, [3]cost{{7, 221}, {5, 342}, {20, 574}}, cost{10, 560}),
		stream("chacha-x5", registry.ChaCha, 5, []string{"ssse3"}, [3]cost{{52, 268}, {57, 391}, {58, 631}}, cost{10, 730}),
		stream("chacha-x9", registry.ChaCha, 9, []string{"ssse3"}, [3]cost{{43, 442}, {55, 626}, {50, 992}}, cost{10, 1340}),
		stream("salsa-x1", registry.Salsa, 1, []string{"sse2"}, [3]cost{{9, 210}, {9, 338}, {20, 588}}, cost{10, 340}),
		stream("salsa-x2", registry.Salsa, 2, []string{"sse2"}, [3]cost{{9, 277}, {14, 405}, {24, 649}}, cost{10, 480}),
		stream("salsa-x4", registry.Salsa, 4, []string{"sse2"}, [3]cost{{45, 285}, {51, 415}, {66, 668}}, cost{10, 806}),
		stream("salsa-x8", registry.Salsa, 8, []string{"sse2"}, [3]cost{{45, 513}, {60, 716}, {65, 1155}}, cost{10, 1600}),
		stream("salsa-x3", registry.Salsa, 3, []string{"sse2"}, [3]cost{{7, 280}, {14, 407}, {25, 657}}, cost{10, 600}),
		stream("salsa-x5", registry.Salsa, 5, []string{"sse2"}, [3]cost{{54, 290}, {60, 421}, {65, 680}}, cost{10, 930}),
		stream("salsa-x9", registry.Salsa, 9, []string{"sse2"}, [3]cost{{30, 552}, {40, 775}, {58, 1203}}, cost{10, 1750}),
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
		Revision:   2,
		Simplicity: 2,
		XOR:        streamRoutines[name],
		Lead:       leads[name],
		Priors:     make([]registry.Prior, 0, 4),
	}
	for i, rounds := range []int{8, 12, 20} {
		k.Priors = append(k.Priors, registry.Prior{
			CPU: "zen5", Rounds: rounds, Fixed: zen5[i].fixed, PerStep: zen5[i].perStep,
			Provenance: "measured", Source: "Zen 5, 2026-11-30",
		})
	}
	// A block in the general registers is not free where four instructions issue a
	// cycle, as on the CPUs that have nothing newer.
	k.Priors = append(k.Priors, registry.Prior{
		CPU: "amd64", Rounds: 20, Fixed: elsewhere.fixed, PerStep: elsewhere.perStep,
		Provenance: "estimated", Source: "published figures for Haswell to Skylake",
	})
	return k
}
