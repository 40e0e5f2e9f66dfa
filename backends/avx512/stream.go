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
		stream("chacha-x1", registry.ChaCha, 1, vl, [3]cost{{2, 91}, {5, 179}, {5, 368}}, cost{10, 290}),
		stream("chacha-x2", registry.ChaCha, 2, vl, [3]cost{{5, 96}, {5, 188}, {4, 376}}, cost{10, 300}),
		stream("chacha-x3", registry.ChaCha, 3, f, [3]cost{{2, 102}, {0, 197}, {1, 383}}, cost{10, 310}),
		stream("chacha-x4", registry.ChaCha, 4, f, [3]cost{{4, 102}, {4, 195}, {4, 384}}, cost{10, 310}),
		stream("chacha-x8", registry.ChaCha, 8, f, [3]cost{{4, 182}, {3, 278}, {3, 466}}, cost{10, 390}),
		stream("chacha-ymm-x8", registry.ChaCha, 8, vl, [3]cost{{4, 222}, {2, 320}, {0, 520}}, cost{10, 410}),
		stream("chacha-x12", registry.ChaCha, 12, f, [3]cost{{7, 219}, {11, 312}, {10, 513}}, cost{10, 510}),
		stream("chacha-x16", registry.ChaCha, 16, f, [3]cost{{0, 242}, {0, 339}, {0, 538}}, cost{10, 584}),
		stream("chacha-x32", registry.ChaCha, 32, f, [3]cost{{0, 310}, {0, 428}, {0, 665}}, cost{10, 1170}),
		stream("chacha-x5", registry.ChaCha, 5, f, [3]cost{{4, 110}, {4, 205}, {4, 395}}, cost{10, 320}),
		stream("chacha-x9", registry.ChaCha, 9, f, [3]cost{{4, 186}, {3, 283}, {3, 470}}, cost{10, 410}),
		stream("chacha-x17", registry.ChaCha, 17, f, [3]cost{{0, 243}, {0, 340}, {0, 540}}, cost{10, 610}),
		stream("salsa-x1", registry.Salsa, 1, vl, [3]cost{{3, 109}, {3, 203}, {3, 391}}, cost{10, 290}),
		stream("salsa-x2", registry.Salsa, 2, vl, [3]cost{{4, 118}, {4, 212}, {4, 401}}, cost{10, 300}),
		stream("salsa-x3", registry.Salsa, 3, f, [3]cost{{6, 124}, {6, 219}, {5, 408}}, cost{10, 310}),
		stream("salsa-x4", registry.Salsa, 4, f, [3]cost{{7, 126}, {7, 221}, {7, 409}}, cost{10, 310}),
		stream("salsa-x8", registry.Salsa, 8, f, [3]cost{{5, 206}, {4, 300}, {4, 488}}, cost{10, 390}),
		stream("salsa-ymm-x8", registry.Salsa, 8, vl, [3]cost{{2, 216}, {0, 313}, {1, 506}}, cost{10, 410}),
		stream("salsa-x12", registry.Salsa, 12, f, [3]cost{{7, 230}, {5, 328}, {5, 524}}, cost{10, 510}),
		stream("salsa-x16", registry.Salsa, 16, f, [3]cost{{1, 229}, {0, 325}, {0, 519}}, cost{10, 584}),
		stream("salsa-x32", registry.Salsa, 32, f, [3]cost{{5, 306}, {1, 421}, {0, 657}}, cost{10, 1170}),
		stream("salsa-x5", registry.Salsa, 5, f, [3]cost{{7, 140}, {7, 222}, {7, 410}}, cost{10, 320}),
		stream("salsa-x9", registry.Salsa, 9, f, [3]cost{{5, 206}, {4, 300}, {4, 488}}, cost{10, 410}),
		stream("salsa-x17", registry.Salsa, 17, f, [3]cost{{1, 232}, {0, 330}, {0, 524}}, cost{10, 610}),
	}
}

// A cost is that of a call and of each of its steps, in cycles.
type cost struct {
	fixed, perStep float64
}

// stream describes one kernel. zen5 is its cost at 8, 12 and 20 rounds in
// independent calls one after the other, elsewhere at 20 rounds on other CPUs.
func stream(name string, cipher registry.Cipher, blocks int, features []string, zen5 [3]cost, elsewhere cost) registry.Kernel {
	k := registry.Kernel{
		Name:       name,
		Kind:       registry.KindStream,
		Cipher:     cipher,
		Blocks:     blocks,
		GOARCH:     []string{"amd64"},
		Features:   features,
		Revision:   1,
		Simplicity: 4,
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
		Provenance: "estimated", Source: "published figures for Skylake-X and Rocket Lake",
	})
	return k
}
