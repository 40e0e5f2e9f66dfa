//go:build gc && !purego

package amd64scalar

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/stream -backend amd64scalar -out ../backends/amd64scalar/stream_amd64.s

//go:noescape
func chachaX1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX1(dst, src []byte, state *[16]uint32, rounds int)

// streamRoutines holds the routine of each stream kernel by its name.
var streamRoutines = map[string]registry.StreamFunc{
	"chacha-x1": chachaX1,
	"salsa-x1":  salsaX1,
}
