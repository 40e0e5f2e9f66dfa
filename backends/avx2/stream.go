package avx2

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels. Up to four blocks a vector holds one row
// of the matrix of two blocks, above that one word of eight. The three-block
// kernels cost what four blocks cost and put out three. Those of 5, 9 and 17 blocks
// do one of them in general registers beside 4, 8 and 16 in vectors.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, [3]cost{{3, 123}, {0, 237}, {3, 460}}, cost{10, 300}),
		stream("chacha-x2", registry.ChaCha, 2, [3]cost{{8, 128}, {7, 241}, {7, 467}}, cost{10, 310}),
		stream("chacha-x3", registry.ChaCha, 3, [3]cost{{3, 213}, {3, 329}, {2, 560}}, cost{10, 420}),
		stream("chacha-x4", registry.ChaCha, 4, [3]cost{{4, 215}, {3, 330}, {3, 562}}, cost{10, 430}),
		stream("chacha-x8", registry.ChaCha, 8, [3]cost{{2, 271}, {2, 387}, {4, 622}}, cost{10, 610}),
		stream("chacha-x16", registry.ChaCha, 16, [3]cost{{5, 422}, {5, 583}, {4, 928}}, cost{10, 1200}),
		stream("chacha-x5", registry.ChaCha, 5, [3]cost{{4, 216}, {3, 331}, {3, 564}}, cost{10, 440}),
		stream("chacha-x9", registry.ChaCha, 9, [3]cost{{2, 274}, {2, 391}, {4, 628}}, cost{10, 640}),
		stream("chacha-x17", registry.ChaCha, 17, [3]cost{{5, 430}, {5, 600}, {4, 950}}, cost{10, 1260}),
		stream("salsa-x1", registry.Salsa, 1, [3]cost{{4, 170}, {4, 295}, {3, 546}}, cost{10, 340}),
		stream("salsa-x2", registry.Salsa, 2, [3]cost{{6, 175}, {5, 302}, {5, 552}}, cost{10, 350}),
		stream("salsa-x3", registry.Salsa, 3, [3]cost{{3, 261}, {1, 387}, {7, 632}}, cost{10, 480}),
		stream("salsa-x4", registry.Salsa, 4, [3]cost{{2, 262}, {2, 387}, {1, 639}}, cost{10, 490}),
		stream("salsa-x8", registry.Salsa, 8, [3]cost{{6, 281}, {3, 408}, {3, 661}}, cost{10, 800}),
		stream("salsa-x16", registry.Salsa, 16, [3]cost{{14, 472}, {5, 673}, {6, 1077}}, cost{10, 1580}),
		stream("salsa-x5", registry.Salsa, 5, [3]cost{{2, 263}, {2, 388}, {1, 640}}, cost{10, 500}),
		stream("salsa-x9", registry.Salsa, 9, [3]cost{{6, 285}, {3, 415}, {3, 668}}, cost{10, 830}),
		stream("salsa-x17", registry.Salsa, 17, [3]cost{{14, 500}, {5, 700}, {6, 1110}}, cost{10, 1640}),
	}
}

// A cost is that of a call and of each of its steps, in cycles.
type cost struct {
	fixed, perStep float64
}

// stream describes one kernel. zen5 is its cost at 8, 12 and 20 rounds in
// independent calls one after the other, elsewhere at 20 rounds on other CPUs.
func stream(name string, cipher registry.Cipher, blocks int, zen5 [3]cost, elsewhere cost) registry.Kernel {
	k := registry.Kernel{
		Name:       name,
		Kind:       registry.KindStream,
		Cipher:     cipher,
		Blocks:     blocks,
		GOARCH:     []string{"amd64"},
		Features:   []string{"avx2"},
		Revision:   1,
		Simplicity: 3,
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
