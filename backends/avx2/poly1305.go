package avx2

import "github.com/quarterround/quarterround/registry"

// macKernels lists the Poly1305 kernels. On other architectures, and without
// the assembly, their func fields are nil.
func macKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "poly1305-x8",
			Kind:       registry.KindMAC,
			Blocks:     8,
			GOARCH:     []string{"amd64"},
			Features:   []string{"avx2", "bmi2"},
			Revision:   1,
			Simplicity: 3,
			Powers:     "base26-avx2",
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 59, PerStep: 44.5, Setup: 114, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 70, PerStep: 55, Setup: 120, Provenance: "estimated", Source: "three vector ports, 2026-11-30"},
			},
			Absorb: absorb,
			Setup:  setup,
		},
		{
			Name:       "poly1305-x12",
			Kind:       registry.KindMAC,
			Blocks:     12,
			GOARCH:     []string{"amd64"},
			Features:   []string{"avx2", "bmi2"},
			Revision:   1,
			Simplicity: 3,
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 135, PerStep: 49, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 170, PerStep: 65, Provenance: "estimated", Source: "three vector ports, 2026-11-30"},
			},
			Absorb: absorbMixed,
		},
	}
}
