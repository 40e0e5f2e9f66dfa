package avx2

import "github.com/quarterround/quarterround/registry"

// macKernels lists the Poly1305 kernel. On other architectures, and without
// the assembly, its func field is nil.
//
// It takes twelve blocks at a time, but needs a few more before it gains anything from
// vectors: 18 is the step by which a line comes closest to its cost.
func macKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "poly1305",
			Kind:       registry.KindMAC,
			Blocks:     18,
			GOARCH:     []string{"amd64"},
			Features:   []string{"avx2", "bmi2"},
			Revision:   2,
			Simplicity: 3,
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 190, PerStep: 72, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 200, PerStep: 100, Provenance: "estimated", Source: "three vector ports, 2026-11-30"},
			},
			Absorb: absorb,
		},
	}
}
