package avx2

import "github.com/quarterround/quarterround/registry"

// fusedKernels lists the ChaCha20-Poly1305 kernels: ChaCha20 as in the stream kernels
// of as many blocks, and Poly1305 in base 2^64 in the general registers. On other
// architectures, and without the assembly, their func fields are nil.
func fusedKernels() []registry.Kernel {
	return []registry.Kernel{
		fused("chacha20poly1305-x16", 16, sealX16, openX16, cost{687, 1014}, cost{640, 1250}),
		fused("chacha20poly1305-x24", 24, sealX24, openX24, cost{1054, 1444}, cost{1010, 1820}),
	}
}

// lastBlock is what a block of a step costs in cycles when Seal is left with its MAC.
const lastBlock = 36

// fused describes one kernel by its costs on Zen 5 and on other CPUs.
func fused(name string, blocks int, seal, open registry.FusedFunc, zen5, elsewhere cost) registry.Kernel {
	return registry.Kernel{
		Name:       name,
		Kind:       registry.KindFused,
		Cipher:     registry.ChaCha,
		Blocks:     blocks,
		GOARCH:     []string{"amd64"},
		Features:   []string{"avx2", "bmi2"},
		Revision:   3,
		Simplicity: 3,
		Priors: []registry.Prior{
			{CPU: "zen5", Rounds: 20, Fixed: zen5.fixed, PerStep: zen5.perStep, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
			{CPU: "amd64", Rounds: 20, Fixed: elsewhere.fixed, PerStep: elsewhere.perStep, Provenance: "estimated", Source: "three vector ports, 2026-11-30"},
		},
		OpenSaves: float64(lastBlock * blocks),
		Seal:      seal,
		Open:      open,
	}
}
