package amd64scalar

import "github.com/quarterround/quarterround/registry"

// streamKernels lists the stream kernels.
func streamKernels() []registry.Kernel {
	return []registry.Kernel{
		stream("chacha-x1", registry.ChaCha, 1, nil),
		stream("salsa-x1", registry.Salsa, 1, nil),
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
		Simplicity: 1,
		XOR:        streamRoutines[name],
	}
}
