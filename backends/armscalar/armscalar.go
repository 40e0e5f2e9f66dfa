// Package armscalar holds kernels for 32-bit ARM that use general registers only.
// They need nothing beyond ARMv5. A ChaCha quarter round takes eight
// instructions, because words b and d are kept with a rotation pending, which
// rides in the operands of later instructions; a Salsa20 quarter round does so by
// itself.
//
// Single blocks are often faster here than in NEON registers, where a lone block
// waits for each result.
package armscalar

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./neongen

func init() {
	registry.Register(&registry.Backend{
		Name:    "armscalar",
		Doc:     "32-bit ARM in general registers, one block a step",
		Kernels: kernels(),
	})
}

// kernels lists the kernels.
func kernels() []registry.Kernel {
	return []registry.Kernel{
		kernel("chacha", registry.ChaCha, chachaXOR),
		kernel("salsa", registry.Salsa, salsaXOR),
	}
}

func kernel(name string, c registry.Cipher, xor registry.StreamFunc) registry.Kernel {
	return registry.Kernel{
		Name:       name,
		Kind:       registry.KindStream,
		Cipher:     c,
		Blocks:     1,
		GOARCH:     []string{"arm"},
		ByteOrder:  "little",
		Revision:   1,
		Simplicity: 1,
		Priors:     priors[name],
		XOR:        xor,
	}
}
