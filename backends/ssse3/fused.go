package ssse3

import "github.com/quarterround/quarterround/registry"

// fusedKernels lists the ChaCha20-Poly1305 kernels: ChaCha20 in lanes, one or two
// groups of four blocks, and Poly1305 in base 2^64 in the general registers.
func fusedKernels() []registry.Kernel {
	return []registry.Kernel{
		fused("chacha20poly1305-x4", 4, sealX4, openX4, cost{250, 630}, cost{200, 640}),
		fused("chacha20poly1305-x8", 8, sealX8, openX8, cost{480, 945}, cost{400, 1280}),
	}
}

// lastBlock is what a block of a step costs in cycles when Seal is left with its MAC.
const lastBlock = 40

// fused describes one kernel by its costs on Zen 5 and on other CPUs.
func fused(name string, blocks int, seal, open registry.FusedFunc, zen5, elsewhere cost) registry.Kernel {
	return registry.Kernel{
		Name:       name,
		Kind:       registry.KindFused,
		Cipher:     registry.ChaCha,
		Blocks:     blocks,
		GOARCH:     []string{"amd64"},
		Features:   []string{"ssse3"},
		Revision:   1,
		Simplicity: 3,
		Priors: []registry.Prior{
			{CPU: "zen5", Rounds: 20, Fixed: zen5.fixed, PerStep: zen5.perStep, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
			{CPU: "amd64", Rounds: 20, Fixed: elsewhere.fixed, PerStep: elsewhere.perStep, Provenance: "estimated", Source: "published figures for Haswell to Skylake"},
		},
		OpenSaves: float64(lastBlock * blocks),
		Seal:      seal,
		Open:      open,
	}
}
