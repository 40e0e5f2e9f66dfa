//go:build gc && !purego

package neonmixed

import "github.com/quarterround/quarterround/registry"

//go:noescape
func chachaX4S1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX6S2(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX8S2(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX4S2(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX8S2(dst, src []byte, state *[16]uint32, rounds int)

var (
	chachaX4S1XOR registry.StreamFunc = chachaX4S1
	chachaX6S2XOR registry.StreamFunc = chachaX6S2
	chachaX8S2XOR registry.StreamFunc = chachaX8S2
	salsaX4S2XOR  registry.StreamFunc = salsaX4S2
	salsaX8S2XOR  registry.StreamFunc = salsaX8S2
)

// Rows beside a scalar block are for 32-bit ARM; here lanes are faster, and two
// scalar blocks of Salsa20 keep pace with four in vectors.
var chachaX3S1XOR, salsaX4S1XOR, salsaX4S1A9XOR registry.StreamFunc
