//go:build gc && !purego

package avx2

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/poly1305 avx2 ../backends/avx2/poly1305_amd64.s

//go:generate go -C ../../tools run ./amd64gen/poly1305 avx2-mixed ../backends/avx2/mixed_amd64.s

var (
	absorb      registry.MACFunc   = base26Absorb
	setup       registry.SetupFunc = base26Setup
	absorbMixed registry.MACFunc   = mixedAbsorb
)

//go:noescape
func base26Absorb(state *registry.MACState, powers *registry.Powers, msg []byte)

//go:noescape
func base26Setup(powers *registry.Powers, r *[2]uint64)

//go:noescape
func mixedAbsorb(state *registry.MACState, powers *registry.Powers, msg []byte)
