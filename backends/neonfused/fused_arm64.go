//go:build gc && !purego

package neonfused

import (
	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

// step is the number of bytes of a step.
const step = 4 * registry.BlockSize

// chachaX4 encrypts n > 0 steps with 20 rounds.
//
//go:noescape
func chachaX4(dst, src *byte, n int, state *[16]uint32)

// chachaPolyX4 encrypts n > 0 steps and absorbs as many bytes at mac. All that
// a step absorbs it reads before it writes.
//
//go:noescape
func chachaPolyX4(dst, src *byte, n int, state *[16]uint32, h *[3]uint64, r *[2]uint64, mac *byte)

var (
	sealX4 registry.FusedFunc = seal
	openX4 registry.FusedFunc = open
)

// seal absorbs each step while it encrypts the next: the first is encrypted
// alone and the last absorbed alone.
func seal(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaX4(&dst[0], &src[0], 1, state)
	last := len(dst) - step
	if last > 0 {
		next := advanced(state)
		chachaPolyX4(&dst[step], &src[step], last/step, &next, &mac.H, &mac.R, &dst[0])
	}
	polyasm.Blocks(&mac.H, &mac.R, dst[last:])
}

// open absorbs what it decrypts.
func open(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	chachaPolyX4(&dst[0], &src[0], len(dst)/step, state, &mac.H, &mac.R, &src[0])
}

// advanced returns state one step on.
func advanced(state *[16]uint32) [16]uint32 {
	s := *state
	counter := uint64(s[13])<<32 | uint64(s[12]) + step/registry.BlockSize
	s[12], s[13] = uint32(counter), uint32(counter>>32)
	return s
}
