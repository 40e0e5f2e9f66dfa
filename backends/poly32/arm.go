package poly32

import "github.com/quarterround/quarterround/registry"

// armKernels lists the assembly kernels for 32-bit ARM. The functions are nil
// where the assembly is not compiled in.
func armKernels() []registry.Kernel {
	return []registry.Kernel{{
		Name:       "asm",
		Kind:       registry.KindMAC,
		Blocks:     1,
		GOARCH:     []string{"arm"},
		ByteOrder:  "little",
		Revision:   2,
		Simplicity: 1,
		Priors:     armPriors,
		Absorb:     armAbsorb,
	}}
}
