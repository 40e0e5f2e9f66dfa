// Package neon2core holds the NEON kernels for 32-bit ARM and arm64 that work on
// two blocks a step. ChaCha interleaves two blocks whose rows are
// registers. For Salsa20 one register holds the even and another the odd words
// of a diagonal of both blocks, so that the rounds turn registers by two lanes
// only.
package neon2core

import (
	"github.com/quarterround/quarterround/internal/neon"
	"github.com/quarterround/quarterround/registry"
)

//go:generate go -C ../../tools run ./neongen

func init() {
	registry.Register(&registry.Backend{
		Name:    "neon2core",
		Doc:     "NEON, two blocks a step, rows or even and odd words in registers",
		Kernels: kernels(),
	})
}

// kernels lists the kernels of every GOARCH.
func kernels() []registry.Kernel {
	return []registry.Kernel{
		neon.Kernel("chacha", registry.ChaCha, 2, chachaXOR, priors["chacha"]),
		neon.Kernel("salsa", registry.Salsa, 2, salsaXOR, priors["salsa"]),
	}
}
