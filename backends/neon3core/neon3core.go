// Package neon3core holds the NEON kernels for 32-bit ARM and arm64 that work on
// three blocks a step. Three blocks whose rows (for Salsa20
// diagonals) are registers are interleaved, so that one computes while another
// waits for a result.
package neon3core

import (
	"github.com/quarterround/quarterround/internal/neon"
	"github.com/quarterround/quarterround/registry"
)

//go:generate go -C ../../tools run ./neongen

func init() {
	registry.Register(&registry.Backend{
		Name:    "neon3core",
		Doc:     "NEON, three blocks a step, rows in registers",
		Kernels: kernels(),
	})
}

// kernels lists the kernels of every GOARCH.
func kernels() []registry.Kernel {
	return []registry.Kernel{
		neon.Kernel("chacha", registry.ChaCha, 3, chachaXOR, priors["chacha"]),
		neon.Kernel("salsa", registry.Salsa, 3, salsaXOR, priors["salsa"]),
	}
}
