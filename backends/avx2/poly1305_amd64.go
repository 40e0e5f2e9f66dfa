//go:build gc && !purego

package avx2

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/poly1305 avx2 ../backends/avx2/poly1305_amd64.s

var absorb registry.MACFunc = base26Absorb

//go:noescape
func base26Absorb(state *registry.MACState, powers *registry.Powers, msg []byte)
