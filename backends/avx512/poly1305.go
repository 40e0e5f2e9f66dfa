package avx512

import "github.com/quarterround/quarterround/registry"

// ifma are the CPU features of the Poly1305 kernels. Setup is scalar, with
// MULX.
var ifma = []string{"avx512f", "avx512ifma", "bmi2"}

// macKernels lists the Poly1305 kernels. On other architectures, and without
// the assembly, their func fields are nil.
func macKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "poly1305-x8",
			Kind:       registry.KindMAC,
			Blocks:     8,
			GOARCH:     []string{"amd64"},
			Features:   ifma,
			Revision:   1,
			Simplicity: 4,
			Powers:     "ifma-x8",
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 37.5, PerStep: 24.7, Setup: 76, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 63, PerStep: 34.5, Setup: 94, Provenance: "estimated", Source: "from zen5 by widths of units, 2026-11-30"},
			},
			Absorb: absorbX8,
			Setup:  setupX8,
		},
		{
			Name:       "poly1305-x16",
			Kind:       registry.KindMAC,
			Blocks:     16,
			GOARCH:     []string{"amd64"},
			Features:   ifma,
			Revision:   1,
			Simplicity: 4,
			Powers:     "ifma-x16",
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 59, PerStep: 26.3, Setup: 111, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 93, PerStep: 39.75, Setup: 140, Provenance: "estimated", Source: "from zen5 by widths of units, 2026-11-30"},
			},
			Absorb: absorbX16,
			Setup:  setupX16,
		},
		{
			Name:       "poly1305-x32",
			Kind:       registry.KindMAC,
			Blocks:     32,
			GOARCH:     []string{"amd64"},
			Features:   ifma,
			Revision:   1,
			Simplicity: 4,
			Powers:     "ifma-x32",
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 87, PerStep: 45.5, Setup: 172, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 90, PerStep: 68.25, Setup: 216, Provenance: "estimated", Source: "from zen5 by widths of units, 2026-11-30"},
			},
			Absorb: absorbX32,
			Setup:  setupX32,
		},
	}
}
