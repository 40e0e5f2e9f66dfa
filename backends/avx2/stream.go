package avx2

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels. Up to four blocks a vector holds one row
// of the matrix of two blocks, above that one word of eight. The three-block
// kernels cost what four blocks cost and put out three. Those of 5, 9, 17, 21 and 25
// blocks do one of them in general registers beside 4, 8, 16, 20 and 24 in vectors, of
// which 20 are four in rows beside sixteen in lanes; those of 6, 10 and 18 do two.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, [3]cost{{13, 127}, {13, 243}, {20, 473}}, cost{10, 300}),
		stream("chacha-x2", registry.ChaCha, 2, [3]cost{{10, 135}, {16, 247}, {21, 478}}, cost{10, 310}),
		stream("chacha-x3", registry.ChaCha, 3, [3]cost{{9, 217}, {11, 337}, {20, 565}}, cost{10, 420}),
		stream("chacha-x4", registry.ChaCha, 4, [3]cost{{12, 219}, {12, 338}, {23, 566}}, cost{10, 430}),
		stream("chacha-x8", registry.ChaCha, 8, [3]cost{{24, 277}, {29, 396}, {39, 636}}, cost{10, 610}),
		stream("chacha-x16", registry.ChaCha, 16, [3]cost{{22, 403}, {37, 568}, {56, 894}}, cost{10, 1200}),
		stream("chacha-x5", registry.ChaCha, 5, [3]cost{{12, 222}, {11, 341}, {24, 568}}, cost{10, 440}),
		stream("chacha-x9", registry.ChaCha, 9, [3]cost{{18, 271}, {18, 393}, {22, 633}}, cost{10, 640}),
		stream("chacha-x17", registry.ChaCha, 17, [3]cost{{17, 422}, {19, 594}, {42, 911}}, cost{10, 1260}),
		stream("chacha-x25", registry.ChaCha, 25, [3]cost{{26, 635}, {12, 866}, {73, 1357}}, cost{10, 1840}),
		stream("chacha-x23", registry.ChaCha, 23, [3]cost{{10, 625}, {20, 830}, {64, 1292}}, cost{10, 1690}),
		stream("chacha-x6", registry.ChaCha, 6, [3]cost{{33, 253}, {36, 354}, {52, 556}}, cost{10, 460}),
		stream("chacha-x10", registry.ChaCha, 10, [3]cost{{36, 288}, {38, 404}, {33, 652}}, cost{10, 680}),
		stream("chacha-x18", registry.ChaCha, 18, [3]cost{{3, 471}, {19, 643}, {110, 941}}, cost{10, 1320}),
		stream("chacha-x21", registry.ChaCha, 21, [3]cost{{20, 530}, {30, 715}, {71, 1096}}, cost{10, 1540}),
		stream("salsa-x1", registry.Salsa, 1, [3]cost{{10, 185}, {12, 314}, {20, 563}}, cost{10, 340}),
		stream("salsa-x2", registry.Salsa, 2, [3]cost{{9, 193}, {10, 323}, {17, 572}}, cost{10, 350}),
		stream("salsa-x3", registry.Salsa, 3, [3]cost{{8, 266}, {14, 395}, {16, 643}}, cost{10, 480}),
		stream("salsa-x4", registry.Salsa, 4, [3]cost{{9, 268}, {17, 396}, {18, 645}}, cost{10, 490}),
		stream("salsa-x8", registry.Salsa, 8, [3]cost{{26, 283}, {41, 411}, {22, 673}}, cost{10, 800}),
		stream("salsa-x16", registry.Salsa, 16, [3]cost{{42, 448}, {49, 637}, {78, 1004}}, cost{10, 1580}),
		stream("salsa-x5", registry.Salsa, 5, [3]cost{{13, 268}, {16, 397}, {21, 644}}, cost{10, 500}),
		stream("salsa-x9", registry.Salsa, 9, [3]cost{{36, 289}, {37, 421}, {34, 690}}, cost{10, 830}),
		stream("salsa-x17", registry.Salsa, 17, [3]cost{{34, 486}, {47, 675}, {62, 1051}}, cost{10, 1640}),
		stream("salsa-x25", registry.Salsa, 25, [3]cost{{43, 714}, {61, 998}, {52, 1590}}, cost{10, 2400}),
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
		Features:   []string{"avx2"},
		Revision:   4,
		Simplicity: 3,
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
		Provenance: "estimated", Source: "published figures for Haswell to Skylake",
	})
	return k
}
