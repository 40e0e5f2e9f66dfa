//go:build gc && !purego

package poly32

import (
	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

var armAbsorb registry.MACFunc = absorbAssembly

func absorbAssembly(state *registry.MACState, _ *registry.Powers, msg []byte) {
	polyasm.Blocks(&state.H, &state.R, msg)
}
