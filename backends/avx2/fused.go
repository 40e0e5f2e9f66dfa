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
			Seal:       sealX16,
			Open:       openX16,
		},
	}
}
