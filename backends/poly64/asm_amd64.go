//go:build gc && !purego

package poly64

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/poly1305 scalar ../backends/poly64/poly1305_amd64.s

var (
	mulx registry.MACFunc = mulxAbsorb
	mulq registry.MACFunc = mulqAbsorb
)

//go:noescape
func mulxAbsorb(state *registry.MACState, powers *registry.Powers, msg []byte)

//go:noescape
func mulqAbsorb(state *registry.MACState, powers *registry.Powers, msg []byte)
