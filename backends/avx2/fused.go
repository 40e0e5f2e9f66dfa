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
			Revision:   1,
			Simplicity: 3,
			Powers:     "base26-avx2",
			Priors: []registry.Prior{
				{CPU: "zen5", Rounds: 20, Fixed: 458, PerStep: 1135, Setup: 109, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Rounds: 20, Fixed: 400, PerStep: 1350, Setup: 120, Provenance: "estimated", Source: "three vector ports, 2026-11-30"},
			},
			Setup: setup,
			Seal:  sealX16,
			Open:  openX16,
		},
	}
}
