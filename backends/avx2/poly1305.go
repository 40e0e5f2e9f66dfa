package avx2

import "github.com/quarterround/quarterround/registry"

// macKernels lists the Poly1305 kernel. On other architectures, and without
// the assembly, its func field is nil.
//
// It takes twelve blocks at a time, but uses vectors only from 16 blocks on: that is the
// step, by which a line comes within a tenth of its cost.
func macKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "poly1305",
			Kind:       registry.KindMAC,
			Blocks:     16,
			GOARCH:     []string{"amd64"},
			Features:   []string{"avx2", "bmi2"},
			Revision:   2,
			Simplicity: 3,
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 184, PerStep: 65, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 200, PerStep: 88, Provenance: "estimated", Source: "three vector ports, 2026-11-30"},
			},
			Absorb: absorb,
		},
	}
}
