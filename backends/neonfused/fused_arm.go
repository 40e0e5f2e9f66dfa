//go:build gc && !purego

package neonfused

import (
	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

// stepX4 is the number of bytes of a step.
const stepX4 = 4 * registry.BlockSize

// chachaX4 encrypts whole steps of four blocks.
//
//go:noescape
func chachaX4(dst, src []byte, state *[16]uint32, rounds int)

// chachaPolyX4 encrypts whole steps of four blocks with 20 rounds and absorbs as many
// bytes at mac. All that a step absorbs it reads before it writes.
//
//go:noescape
func chachaPolyX4(dst, src []byte, state *[16]uint32, h *[3]uint64, r *[2]uint64, mac *byte)

var (
	sealX4 registry.FusedFunc = sealFour
	openX4 registry.FusedFunc = openFour
	sealX8 registry.FusedFunc
	openX8 registry.FusedFunc
)

// To seal, each step is absorbed while the next is encrypted: the first is
// encrypted alone and the last absorbed alone. To open, each is absorbed while
// it is decrypted itself.

func sealFour(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaX4(dst[:stepX4], src[:stepX4], state, 20)
	last := len(dst) - stepX4
	if last > 0 {
		next := advanced(state, 4)
		chachaPolyX4(dst[stepX4:], src[stepX4:], &next, &mac.H, &mac.R, &dst[0])
	}
	polyasm.Blocks(&mac.H, &mac.R, dst[last:])
}

func openFour(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaPolyX4(dst, src, state, &mac.H, &mac.R, &src[0])
}
