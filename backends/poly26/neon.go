package poly26

import (
	"runtime"

	"github.com/quarterround/quarterround/registry"
)

//go:generate go -C ../../tools run ./polygen -set neon -arch arm -o ../backends/poly26/neon_arm.s
//go:generate go -C ../../tools run ./polygen -set neon -arch arm64 -o ../backends/poly26/neon_arm64.s

// The Powers layouts of the vector kernels: a table, highest power first, of
// r0 r1 r2 r3 r4 5r1 5r2 5r3 5r4 in 32 bits each, with r^2 at word 27, and after it a
// table of pairs of these words of r^2 and r.
const (
	layoutR2 = "poly26-r2-pair" // r^2
	layoutR4 = "poly26-r4-pair" // r^4 r^2
	layoutR8 = "poly26-r8-pair" // r^8 r^6 r^4 r^2

	// The same, and after it five limbs of each r^(2^i).
	layoutHybrid = "poly26-r8-pair-ladder"
)

// neonKernels lists the vector kernels of arm and arm64. The functions are nil
// where the assembly is not compiled in.
func neonKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			// For messages that do not pay for r^4.
			Name:       "neon-x2",
			Kind:       registry.KindMAC,
			Blocks:     2,
			GOARCH:     []string{"arm"},
			Features:   []string{"neon"},
			ByteOrder:  "little",
			Revision:   1,
			Simplicity: 2,
			Powers:     layoutR2,
			Priors:     neonX2Priors,
			Absorb:     neonX2Absorb,
			Setup:      neonX2Setup,
		},
		{
			Name:       "neon",
			Kind:       registry.KindMAC,
			Blocks:     4,
			GOARCH:     []string{"arm", "arm64"},
			Features:   []string{neonFeature()},
			ByteOrder:  "little",
			Revision:   2,
			Simplicity: 2,
			Powers:     layoutR4,
			Priors:     neonPriors,
			Absorb:     neonAbsorb,
			Setup:      neonSetup,
		},
		{
			Name:       "neon-x8",
			Kind:       registry.KindMAC,
			Blocks:     8,
			GOARCH:     []string{"arm", "arm64"},
			Features:   []string{neonFeature()},
			ByteOrder:  "little",
			Revision:   2,
			Simplicity: 3,
			Powers:     layoutR8,
			Priors:     neonX8Priors,
			Absorb:     neonX8Absorb,
			Setup:      neonX8Setup,
		},
		{
			// The same in an order for the single-issue Cortex-A5 and A7.
			Name:       "neon-x8-a7",
			Kind:       registry.KindMAC,
			Blocks:     8,
			GOARCH:     []string{"arm"},
			Features:   []string{"neon"},
			ByteOrder:  "little",
			Revision:   2,
			Simplicity: 3,
			Powers:     layoutR8,
			Priors:     neonX8A7Priors,
			Absorb:     neonX8A7Absorb,
			Setup:      neonX8A7Setup,
		},
		{
			Name:       "hybrid",
			Kind:       registry.KindMAC,
			Blocks:     10,
			GOARCH:     []string{"arm", "arm64"},
			Features:   []string{neonFeature()},
			ByteOrder:  "little",
			Revision:   3,
			Simplicity: 4,
			Powers:     layoutHybrid,
			Priors:     hybridPriors,
			Absorb:     hybridAbsorb,
			Setup:      hybridSetup,
		},
	}
}

// neonFeature returns the name that the vector unit has on this architecture.
func neonFeature() string {
	if runtime.GOARCH == "arm64" {
		return "asimd"
	}
	return "neon"
}
