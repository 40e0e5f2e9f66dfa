// Package neon1way holds the NEON kernels for 32-bit ARM and arm64 that work on
// one block a step. One row of a ChaCha block, or one diagonal of a Salsa20
// block, is a 128-bit register.
package neon1way

import (
	"github.com/quarterround/quarterround/internal/neon"
	"github.com/quarterround/quarterround/registry"
)

//go:generate go -C ../../tools run ./neongen

func init() {
	registry.Register(&registry.Backend{
		Name:    "neon1way",
		Doc:     "NEON, one block a step, rows in registers",
		Kernels: kernels(),
	})
}

// kernels lists the kernels of every GOARCH.
func kernels() []registry.Kernel {
	return []registry.Kernel{
		neon.Kernel("chacha", registry.ChaCha, 1, chachaXOR, priors["chacha"]),
		neon.Kernel("salsa", registry.Salsa, 1, salsaXOR, priors["salsa"]),
	}
}
