//go:build gc && !purego && (arm || arm64)

package poly26

import (
	"unsafe"

	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

// neonX4 and neonX8 absorb n > 0 times four and eight blocks into two lanes:
// even blocks into lane 0, odd blocks into lane 1. Limb i of lane k is at
// lanes[2*i+k], at most 2^27 before and at most 2^26 + 2^9 after the call.
//
//go:noescape
func neonX4(lanes *lanes26, table *uint32, msg *byte, n int)

//go:noescape
func neonX8(lanes *lanes26, table *uint32, msg *byte, n int)

// neonEnd absorbs n > 0 pairs of blocks into two lanes, the last by r^2 and r, and sets
// h, below 2^130 + 2^113, to the sum of the lanes. Limbs of lanes are at most 2^27; table
// is that of r^2.
//
//go:noescape
func neonEnd(h *[3]uint64, lanes *lanes26, table *uint32, msg *byte, n int)

// neonPowers makes the table of r^2 and r^4 if n is 2, of r^6 and r^8 too if n is 4.
//
//go:noescape
func neonPowers(table *uint32, r *[2]uint64, n int)

// multiplyLanes replaces x by x * y lane by lane. Limbs are at most 2^27 before and
// 2^26 + 2^9 after the call.
//
//go:noescape
func multiplyLanes(x, y *lanes26)

var (
	neonAbsorb   registry.MACFunc   = absorbX4
	neonX8Absorb registry.MACFunc   = absorbX8
	neonSetup    registry.SetupFunc = setupR4
	neonX8Setup  registry.SetupFunc = setupR8
)

// minBlocks is the least number of blocks for which the lanes are used at all;
// fewer are absorbed by the scalar routine.
const minBlocks = 2

// The layouts are tables of 32-bit words, with r^2 at word 27, and after them r^2 and r
// side by side.
const (
	tableWords = 36
	powerWords = 9
	pairWords  = 2 * powerWords
)

// words returns powers as the table.
func words(powers *registry.Powers) *[tableWords + pairWords]uint32 {
	return (*[tableWords + pairWords]uint32)(unsafe.Pointer(&powers.Words))
}

// table returns the words of powers from that of r^(2*pairs) on.
func table(powers *registry.Powers, pairs int) *uint32 {
	return &words(powers)[tableWords-powerWords*pairs]
}

func setupR4(powers *registry.Powers, r *[2]uint64) {
	neonPowers(&words(powers)[0], r, 2)
}

func setupR8(powers *registry.Powers, r *[2]uint64) {
	neonPowers(&words(powers)[0], r, 4)
}

// A width names the routine that takes most of a message.
type width int

const (
	widthX4 width = iota
	widthX8
	widthX8A7
)

func absorbX4(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbLanes(state, powers, msg, widthX4)
}

func absorbX8(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbLanes(state, powers, msg, widthX8)
}

// vector absorbs as much of msg into the lanes as fills iterations, except for the last
// two blocks, and returns the rest.
func vector(lanes *lanes26, powers *registry.Powers, msg []byte, w width) []byte {
	size := 128
	if w == widthX4 {
		size = 64
	}
	n := (len(msg) - 32) / size
	switch {
	case n == 0:
	case w == widthX4:
		neonX4(lanes, table(powers, 2), &msg[0], n)
	default:
		vectorX8(lanes, table(powers, 4), &msg[0], n, w)
	}
	return msg[n*size:]
}

// absorbLanes absorbs msg by the routine of the given width: if there is an odd block,
// that first by the scalar routine, and what does not fill an iteration in the end.
func absorbLanes(state *registry.MACState, powers *registry.Powers, msg []byte, w width) {
	n := len(msg) / 16
	if n < minBlocks {
		polyasm.Blocks(&state.H, &state.R, msg)
		return
	}
	if n%2 != 0 {
		polyasm.Blocks(&state.H, &state.R, msg[:16])
		msg = msg[16:]
	}
	var lanes lanes26
	lanes.setLanes(&state.H)
	rest := vector(&lanes, powers, msg, w)
	neonEnd(&state.H, &lanes, table(powers, 1), &rest[0], len(rest)/32)
}
