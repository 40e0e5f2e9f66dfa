package ssse3

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, []string{"ssse3"}),
		stream("chacha-x2", registry.ChaCha, 2, []string{"ssse3"}),
		stream("chacha-x4", registry.ChaCha, 4, []string{"ssse3"}),
		stream("salsa-x1", registry.Salsa, 1, []string{"sse2"}),
		stream("salsa-x2", registry.Salsa, 2, []string{"sse2"}),
		stream("salsa-x4", registry.Salsa, 4, []string{"sse2"}),
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
		Simplicity: 2,
		XOR:        streamRoutines[name],
	}
}
