//go:build gc && !purego

package neonmixed

import "github.com/quarterround/quarterround/registry"

//go:noescape
func chachaX3S1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX4S1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX4S1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX4S1A9(dst, src []byte, state *[16]uint32, rounds int)

var (
	chachaX3S1XOR  registry.StreamFunc = chachaX3S1
	chachaX4S1XOR  registry.StreamFunc = chachaX4S1
	salsaX4S1XOR   registry.StreamFunc = salsaX4S1
	salsaX4S1A9XOR registry.StreamFunc = salsaX4S1A9
)

// Kernels that 32-bit ARM has too few registers for.
var chachaX6S2XOR, chachaX8S2XOR, salsaX4S2XOR, salsaX8S2XOR registry.StreamFunc
