package poly64

import "github.com/quarterround/quarterround/registry"

// asmKernels lists the kernels written in assembly. On other architectures,
// and without the assembly, their func fields are nil.
func asmKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "mulx",
			Kind:       registry.KindMAC,
			Blocks:     1,
			GOARCH:     []string{"amd64"},
			Features:   []string{"bmi2"},
			Revision:   1,
			Simplicity: 1,
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 14.8, PerStep: 10.8, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 12, PerStep: 12, Provenance: "estimated", Source: "chain of one product and four additions, 2026-11-30"},
			},
			Absorb: mulx,
		},
		{
			Name:       "mulq",
			Kind:       registry.KindMAC,
			Blocks:     1,
			GOARCH:     []string{"amd64"},
			Revision:   1,
			Simplicity: 1,
			Priors: []registry.Prior{
				{CPU: "zen5", Fixed: 14, PerStep: 11, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Fixed: 12, PerStep: 13, Provenance: "estimated", Source: "chain of one product and five others, 2026-11-30"},
			},
			Absorb: mulq,
		},
	}
}
