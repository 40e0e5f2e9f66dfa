package avx512

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, []string{"avx512f", "avx512vl"}),
		stream("chacha-x2", registry.ChaCha, 2, []string{"avx512f", "avx512vl"}),
		stream("chacha-x3", registry.ChaCha, 3, []string{"avx512f"}),
		stream("chacha-x4", registry.ChaCha, 4, []string{"avx512f"}),
		stream("chacha-x8", registry.ChaCha, 8, []string{"avx512f"}),
		stream("chacha-ymm-x8", registry.ChaCha, 8, []string{"avx512f", "avx512vl"}),
		stream("chacha-x12", registry.ChaCha, 12, []string{"avx512f"}),
		stream("chacha-x16", registry.ChaCha, 16, []string{"avx512f"}),
		stream("chacha-x32", registry.ChaCha, 32, []string{"avx512f"}),
		stream("salsa-x1", registry.Salsa, 1, []string{"avx512f", "avx512vl"}),
		stream("salsa-x2", registry.Salsa, 2, []string{"avx512f", "avx512vl"}),
		stream("salsa-x3", registry.Salsa, 3, []string{"avx512f"}),
		stream("salsa-x4", registry.Salsa, 4, []string{"avx512f"}),
		stream("salsa-x8", registry.Salsa, 8, []string{"avx512f"}),
		stream("salsa-ymm-x8", registry.Salsa, 8, []string{"avx512f", "avx512vl"}),
		stream("salsa-x12", registry.Salsa, 12, []string{"avx512f"}),
		stream("salsa-x16", registry.Salsa, 16, []string{"avx512f"}),
		stream("salsa-x32", registry.Salsa, 32, []string{"avx512f"}),
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
		Simplicity: 4,
		XOR:        streamRoutines[name],
	}
}
