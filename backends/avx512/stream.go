package avx512

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels. Up to twelve blocks a vector holds one
// row of the matrix of up to four blocks, above that one word of sixteen. The
// three-block kernels cost what four blocks cost and put out three. Those of 5, 9
// and 17 blocks do one of them in general registers beside 4, 8 and 16 in vectors.
// The eight-block kernels named after the YMM registers hold one word of eight blocks
// in a vector, for CPUs that slow down under vectors of 512 bits.
func streamKernels() []registry.Kernel {
	f, vl := []string{"avx512f"}, []string{"avx512f", "avx512vl"}
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, vl, [3]cost{{8, 94}, {12, 182}, {19, 381}}, cost{10, 290}),
		stream("chacha-x2", registry.ChaCha, 2, vl, [3]cost{{8, 99}, {12, 191}, {23, 382}}, cost{10, 300}),
		stream("chacha-x3", registry.ChaCha, 3, f, [3]cost{{8, 105}, {6, 201}, {13, 390}}, cost{10, 310}),
		stream("chacha-x4", registry.ChaCha, 4, f, [3]cost{{12, 105}, {13, 200}, {15, 393}}, cost{10, 310}),
		stream("chacha-x8", registry.ChaCha, 8, f, [3]cost{{8, 186}, {7, 283}, {14, 472}}, cost{10, 390}),
		stream("chacha-ymm-x8", registry.ChaCha, 8, vl, [3]cost{{9, 228}, {14, 323}, {18, 538}}, cost{10, 410}),
		stream("chacha-x12", registry.ChaCha, 12, f, [3]cost{{12, 221}, {18, 315}, {37, 512}}, cost{10, 510}),
		stream("chacha-x16", registry.ChaCha, 16, f, [3]cost{{5, 241}, {5, 340}, {13, 547}}, cost{10, 584}),
		stream("chacha-x32", registry.ChaCha, 32, f, [3]cost{{31, 310}, {32, 430}, {40, 674}}, cost{10, 1170}),
		stream("chacha-x5", registry.ChaCha, 5, f, [3]cost{{25, 148}, {39, 215}, {43, 409}}, cost{10, 320}),
		stream("chacha-x9", registry.ChaCha, 9, f, [3]cost{{20, 187}, {16, 283}, {45, 468}}, cost{10, 410}),
		stream("chacha-x17", registry.ChaCha, 17, f, [3]cost{{8, 243}, {22, 335}, {3, 558}}, cost{10, 610}),
		stream("salsa-x1", registry.Salsa, 1, vl, [3]cost{{6, 119}, {9, 215}, {11, 411}}, cost{10, 290}),
		stream("salsa-x2", registry.Salsa, 2, vl, [3]cost{{7, 128}, {11, 224}, {17, 413}}, cost{10, 300}),
		stream("salsa-x3", registry.Salsa, 3, f, [3]cost{{14, 131}, {17, 226}, {18, 417}}, cost{10, 310}),
		stream("salsa-x4", registry.Salsa, 4, f, [3]cost{{16, 132}, {20, 227}, {20, 418}}, cost{10, 310}),
		stream("salsa-x8", registry.Salsa, 8, f, [3]cost{{12, 209}, {9, 309}, {15, 494}}, cost{10, 390}),
		stream("salsa-ymm-x8", registry.Salsa, 8, vl, [3]cost{{0, 222}, {0, 322}, {0, 523}}, cost{10, 410}),
		stream("salsa-x12", registry.Salsa, 12, f, [3]cost{{11, 234}, {13, 333}, {21, 528}}, cost{10, 510}),
		stream("salsa-x16", registry.Salsa, 16, f, [3]cost{{8, 228}, {6, 327}, {6, 527}}, cost{10, 584}),
		stream("salsa-x32", registry.Salsa, 32, f, [3]cost{{38, 301}, {41, 420}, {33, 672}}, cost{10, 1170}),
		stream("salsa-x5", registry.Salsa, 5, f, [3]cost{{25, 160}, {45, 221}, {52, 406}}, cost{10, 320}),
		stream("salsa-x9", registry.Salsa, 9, f, [3]cost{{15, 212}, {15, 305}, {20, 492}}, cost{10, 410}),
		stream("salsa-x17", registry.Salsa, 17, f, [3]cost{{16, 231}, {14, 330}, {3, 533}}, cost{10, 610}),
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
		Simplicity: 4,
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
	k.Priors = append(k.Priors, registry.Prior{
		CPU: "amd64", Rounds: 20, Fixed: elsewhere.fixed, PerStep: elsewhere.perStep,
		Provenance: "estimated", Source: "published figures for Skylake-X and Rocket Lake",
	})
	return k
}
