package avx512

import "github.com/quarterround/quarterround/registry"

// fusedKernels lists the ChaCha20-Poly1305 kernels. On other architectures, and
// without the assembly, their func fields are nil.
func fusedKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name:       "chacha20poly1305-x32",
			Kind:       registry.KindFused,
			Cipher:     registry.ChaCha,
			Blocks:     32,
			GOARCH:     []string{"amd64"},
			Features:   ifma,
			Revision:   1,
			Simplicity: 4,
			Powers:     "ifma-x32",
			Priors: []registry.Prior{
				{CPU: "zen5", Rounds: 20, Fixed: 160, PerStep: 858, Setup: 170, Provenance: "measured", Source: "zen5, 2026-11-30"},
				{CPU: "amd64", Rounds: 20, Fixed: 100, PerStep: 1400, Setup: 216, Provenance: "estimated", Source: "two vector ports, 2026-11-30"},
			},
			Setup: setupX32,
			Seal:  sealX32,
			Open:  openX32,
		},
	}
}
