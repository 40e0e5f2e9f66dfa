//go:build gc && !purego

package ssse3

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/stream -backend ssse3 -out ../backends/ssse3/stream_amd64.s

//go:noescape
func chachaX1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX2(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX4(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX2(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX4(dst, src []byte, state *[16]uint32, rounds int)

// streamRoutines holds the routine of each stream kernel by its name.
var streamRoutines = map[string]registry.StreamFunc{
	"chacha-x1": chachaX1,
	"chacha-x2": chachaX2,
	"chacha-x4": chachaX4,
	"salsa-x1":  salsaX1,
	"salsa-x2":  salsaX2,
	"salsa-x4":  salsaX4,
}
