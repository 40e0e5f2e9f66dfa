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
const minBlocks = 10

// The layouts are tables of 32-bit words; both end with r^2 at word 27.
const (
	tableWords = 36
	powerWords = 9
)

// words returns powers as the table.
func words(powers *registry.Powers) *[tableWords]uint32 {
	return (*[tableWords]uint32)(unsafe.Pointer(&powers.Words))
}

// table returns the words of powers from that of r^(2*pairs) on.
func table(powers *registry.Powers, pairs int) *uint32 {
	return &words(powers)[tableWords-powerWords*pairs]
}

// putPower writes lane k of x as the power r^(2*pairs).
func putPower(powers *registry.Powers, pairs int, x *lanes26, k int) {
	w := words(powers)[tableWords-powerWords*pairs:][:powerWords]
	w[0] = x[k]
	for i := 1; i < 5; i++ {
		w[i] = x[2*i+k]
		w[4+i] = 5 * x[2*i+k]
	}
}

// setupR4 computes the powers of the other lane along, for nothing.
func setupR4(powers *registry.Powers, r *[2]uint64) {
	x := squared(r)
	putPower(powers, 1, &x, 0)
	y := x
	multiplyLanes(&x, &y)
	putPower(powers, 2, &x, 0)
}

// setupR8 makes r^6 and r^8 side by side, as r^2 and r^4 times r^4.
func setupR8(powers *registry.Powers, r *[2]uint64) {
	x := squared(r)
	putPower(powers, 1, &x, 0)
	y := x
	multiplyLanes(&y, &x)
	putPower(powers, 2, &y, 0)
	for i := range 5 {
		x[2*i+1] = y[2*i+1]
	}
	multiplyLanes(&x, &y)
	putPower(powers, 3, &x, 0)
	putPower(powers, 4, &x, 1)
}

// squared returns r^2 in both lanes.
func squared(r *[2]uint64) (x lanes26) {
	x.setLanes(&[3]uint64{r[0], r[1]})
	for i := 0; i < len(x); i += 2 {
		x[i+1] = x[i]
	}
	y := x
	multiplyLanes(&x, &y)
	return x
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

// vector absorbs msg, a positive multiple of four blocks, into the lanes.
func vector(lanes *lanes26, powers *registry.Powers, msg []byte, w width) {
	if n := len(msg) / 128; w != widthX4 && n > 0 {
		vectorX8(lanes, table(powers, 4), &msg[0], n, w)
		msg = msg[128*n:]
	}
	if n := len(msg) / 64; n > 0 {
		neonX4(lanes, table(powers, 2), &msg[0], n)
	}
}

// absorbLanes absorbs msg by the routine of the given width.
//
// The lanes only ever advance by even powers of r. So the last two blocks are
// left to the scalar routine, which multiplies by r: with lane 0 and the last
// block but one added up it takes the step that lane 0 is ahead, and with lane 1
// and the last block the final one. What does not fill four blocks goes first.
func absorbLanes(state *registry.MACState, powers *registry.Powers, msg []byte, w width) {
	n := len(msg) / 16
	if n < minBlocks {
		polyasm.Blocks(&state.H, &state.R, msg)
		return
	}
	if head := 16 * ((n - 2) % 4); head > 0 {
		polyasm.Blocks(&state.H, &state.R, msg[:head])
		msg = msg[head:]
	}
	var lanes lanes26
	lanes.setLanes(&state.H)
	end := len(msg) - 32
	vector(&lanes, powers, msg[:end], w)
	endLanes(state, &lanes, msg[end:])
}

// endLanes absorbs the last two blocks and joins the lanes.
func endLanes(state *registry.MACState, lanes *lanes26, msg []byte) {
	state.H = [3]uint64{}
	lanes.addLane(&state.H, 0)
	polyasm.Blocks(&state.H, &state.R, msg[:16])
	lanes.addLane(&state.H, 1)
	polyasm.Blocks(&state.H, &state.R, msg[16:])
}
