// Package neon4core holds the NEON kernels for 32-bit ARM and arm64 that work on
// four blocks a step. A register holds the same word of four blocks, so nothing
// turns during the rounds; a transposition at the end gives rows. 32-bit ARM has
// 16 registers for 16 words and the temporaries: a few words pass through the
// stack.
package neon4core

import (
	"github.com/quarterround/quarterround/internal/neon"
	"github.com/quarterround/quarterround/registry"
)

//go:generate go -C ../../tools run ./neongen

func init() {
	registry.Register(&registry.Backend{
		Name:    "neon4core",
		Doc:     "NEON, four blocks a step, word by word in lanes",
		Kernels: kernels(),
	})
}

// kernels lists the kernels of every GOARCH.
func kernels() []registry.Kernel {
	return []registry.Kernel{
		neon.Kernel("chacha", registry.ChaCha, 4, chachaXOR, priors["chacha"]),
		neon.Kernel("salsa", registry.Salsa, 4, salsaXOR, priors["salsa"]),
	}
}
