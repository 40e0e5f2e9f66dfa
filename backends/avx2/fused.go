package avx2

import "github.com/quarterround/quarterround/registry"

// fusedKernels lists the ChaCha20-Poly1305 kernels. On other architectures, and
// without the assembly, their func fields are nil.
func fusedKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "chacha20poly1305-x16",
			Kind:       registry.KindFused,
			Cipher:     registry.ChaCha,
			Blocks:     16,
			GOARCH:     []string{"amd64"},
			Features:   []string{"avx2", "bmi2"},
			Revision:   2,
			Simplicity: 3,
			Priors: []registry.Prior{
				{CPU: "zen5", Rounds: 20, Fixed: 740, PerStep: 1135, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Rounds: 20, Fixed: 780, PerStep: 1350, Provenance: "estimated", Source: "three vector ports, 2026-11-30"},
			},
			OpenSaves: 690,
			Seal:      sealX16,
			Open:      openX16,
		},
	}
}
