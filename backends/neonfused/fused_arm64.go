//go:build gc && !purego

package neonfused

import (
	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

// The number of bytes of a step.
const (
	stepX4 = 4 * registry.BlockSize
	stepX8 = 8 * registry.BlockSize
)

// chachaX4 encrypts n > 0 times four blocks with 20 rounds.
//
//go:noescape
func chachaX4(dst, src *byte, n int, state *[16]uint32)

// chachaPolyX4 encrypts n > 0 times four blocks and absorbs as many bytes at
// mac. All that a step absorbs it reads before it writes.
//
//go:noescape
func chachaPolyX4(dst, src *byte, n int, state *[16]uint32, h *[3]uint64, r *[2]uint64, mac *byte)

// chachaPolyX8 is chachaPolyX4 with eight blocks.
//
//go:noescape
func chachaPolyX8(dst, src *byte, n int, state *[16]uint32, h *[3]uint64, r *[2]uint64, mac *byte)

var (
	sealX4 registry.FusedFunc = sealFour
	openX4 registry.FusedFunc = openFour
	sealX8 registry.FusedFunc = sealEight
	openX8 registry.FusedFunc = openEight
)

// To seal, each step is absorbed while the next is encrypted: the first is
// encrypted alone and the last absorbed alone. To open, each is absorbed while
// it is decrypted itself.

func sealFour(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaX4(&dst[0], &src[0], 1, state)
	last := len(dst) - stepX4
	if last > 0 {
		next := advanced(state, 4)
		chachaPolyX4(&dst[stepX4], &src[stepX4], last/stepX4, &next, &mac.H, &mac.R, &dst[0])
	}
	polyasm.Blocks(&mac.H, &mac.R, dst[last:])
}

func openFour(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaPolyX4(&dst[0], &src[0], len(dst)/stepX4, state, &mac.H, &mac.R, &src[0])
}

func sealEight(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaX4(&dst[0], &src[0], 2, state)
	last := len(dst) - stepX8
	if last > 0 {
		next := advanced(state, 8)
		chachaPolyX8(&dst[stepX8], &src[stepX8], last/stepX8, &next, &mac.H, &mac.R, &dst[0])
	}
	polyasm.Blocks(&mac.H, &mac.R, dst[last:])
}

func openEight(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaPolyX8(&dst[0], &src[0], len(dst)/stepX8, state, &mac.H, &mac.R, &src[0])
}
