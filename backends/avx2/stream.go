package avx2

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, []string{"avx2"}),
		stream("chacha-x2", registry.ChaCha, 2, []string{"avx2"}),
		stream("chacha-x3", registry.ChaCha, 3, []string{"avx2"}),
		stream("chacha-x4", registry.ChaCha, 4, []string{"avx2"}),
		stream("chacha-x8", registry.ChaCha, 8, []string{"avx2"}),
		stream("chacha-x16", registry.ChaCha, 16, []string{"avx2"}),
		stream("salsa-x1", registry.Salsa, 1, []string{"avx2"}),
		stream("salsa-x2", registry.Salsa, 2, []string{"avx2"}),
		stream("salsa-x3", registry.Salsa, 3, []string{"avx2"}),
		stream("salsa-x4", registry.Salsa, 4, []string{"avx2"}),
		stream("salsa-x8", registry.Salsa, 8, []string{"avx2"}),
		stream("salsa-x16", registry.Salsa, 16, []string{"avx2"}),
	}
}

func stream(name string, cipher registry.Cipher, blocks int, features []string) registry.Kernel {
	return registry.Kernel{
		Name:       name,
		Kind:       registry.KindStream,
		Cipher:     cipher,
		Blocks:     blocks,
		GOARCH:     []string{"amd64"},
		Features:   features,
		Revision:   1,
		Simplicity: 3,
		XOR:        streamRoutines[name],
	}
}
