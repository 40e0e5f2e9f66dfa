// Package neonmixed holds kernels for 32-bit ARM and arm64 that compute blocks in
// NEON registers and blocks in general registers in the same loop: the two kinds
// of instruction issue side by side on most cores. The name of a kernel says how
// many of each: chacha-x4s1 has four vector blocks and one scalar block a step.
//
// On 32-bit ARM the scalar block keeps its words b and d with a rotation pending,
// which rides in the operands of later instructions. salsa-x4s1 is arranged for
// Cortex-A8; chacha-x4s1 and salsa-x4s1-a9 are for Cortex-A9, where what vectors
// cost on their way to the frame and back decides.
package neonmixed

import (
	"github.com/quarterround/quarterround/internal/neon"
	"github.com/quarterround/quarterround/registry"
)

//go:generate go -C ../../tools run ./neongen

func init() {
	registry.Register(&registry.Backend{
		Name:    "neonmixed",
		Doc:     "NEON and scalar blocks in one loop",
		Kernels: kernels(),
	})
}

// kernels lists the kernels of every GOARCH.
func kernels() []registry.Kernel {
	return []registry.Kernel{
		kernel("chacha-x3s1", registry.ChaCha, 4, chachaX3S1XOR, "arm"),
		kernel("chacha-x4s1", registry.ChaCha, 5, chachaX4S1XOR),
		kernel("chacha-x6s2", registry.ChaCha, 8, chachaX6S2XOR, "arm64"),
		kernel("chacha-x8s2", registry.ChaCha, 10, chachaX8S2XOR, "arm64"),
		kernel("salsa-x4s1", registry.Salsa, 5, salsaX4S1XOR, "arm"),
		kernel("salsa-x4s1-a9", registry.Salsa, 5, salsaX4S1A9XOR, "arm"),
		kernel("salsa-x4s2", registry.Salsa, 6, salsaX4S2XOR, "arm64"),
		kernel("salsa-x8s2", registry.Salsa, 10, salsaX8S2XOR, "arm64"),
	}
}

// kernel describes one kernel; they are the least simple of the NEON kernels.
func kernel(name string, c registry.Cipher, blocks int, xor registry.StreamFunc, goarch ...string) registry.Kernel {
	k := neon.Kernel(name, c, blocks, xor, priors[name], goarch...)
	k.Revision = 3
	k.Simplicity = 3
	return k
}
