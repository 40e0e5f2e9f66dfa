package poly64

import "github.com/quarterround/quarterround/registry"

// layoutLadder is the Powers layout of asm-x2 on arm64: r^(2^i) for i from 0 to
// ladderSize-1, three words each.
const layoutLadder = "poly64-ladder"

// arm64Kernels lists the assembly kernels for arm64. The functions are nil
// where the assembly is not compiled in.
func arm64Kernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "asm",
			Kind:       registry.KindMAC,
			Blocks:     1,
			GOARCH:     []string{"arm64"},
			ByteOrder:  "little",
			Revision:   2,
			Simplicity: 1,
			Priors:     arm64Priors,
			Absorb:     arm64Absorb,
		},
		{
			Name:       "asm-x2",
			Kind:       registry.KindMAC,
			Blocks:     2,
			GOARCH:     []string{"arm64"},
			ByteOrder:  "little",
			Revision:   2,
			Simplicity: 2,
			Powers:     layoutLadder,
			Priors:     arm64X2Priors,
			Absorb:     arm64AbsorbX2,
			Setup:      arm64Setup,
		},
	}
}
