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
func neonX4(lanes *[10]uint32, table *uint32, msg *byte, n int)

//go:noescape
func neonX8(lanes *[10]uint32, table *uint32, msg *byte, n int)

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

// table returns the words of powers from that of r^(2*pairs) on.
func table(powers *registry.Powers, pairs int) *uint32 {
	words := (*[tableWords]uint32)(unsafe.Pointer(&powers.Words))
	return &words[tableWords-powerWords*pairs]
}

// putPower writes x as the power r^(2*pairs).
func putPower(powers *registry.Powers, pairs int, x *number26) {
	words := (*[tableWords]uint32)(unsafe.Pointer(&powers.Words))
	w := words[tableWords-powerWords*pairs:][:powerWords]
	copy(w, x[:])
	for i := 1; i < 5; i++ {
		w[4+i] = 5 * x[i]
	}
}

func setupR4(powers *registry.Powers, r *[2]uint64) {
	r2, r4 := squares(r)
	putPower(powers, 1, &r2)
	putPower(powers, 2, &r4)
}

func setupR8(powers *registry.Powers, r *[2]uint64) {
	r2, r4 := squares(r)
	r6 := multiply26(&r4, &r2)
	r8 := multiply26(&r4, &r4)
	putPower(powers, 1, &r2)
	putPower(powers, 2, &r4)
	putPower(powers, 3, &r6)
	putPower(powers, 4, &r8)
}

func squares(r *[2]uint64) (r2, r4 number26) {
	r1 := split26(&[3]uint64{r[0], r[1]})
	r2 = multiply26(&r1, &r1)
	r4 = multiply26(&r2, &r2)
	return r2, r4
}

func absorbX4(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbLanes(state, powers, msg, false)
}

func absorbX8(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbLanes(state, powers, msg, true)
}

// vector absorbs msg, a positive multiple of four blocks, into the lanes: with
// wide, eight at a time as far as possible.
func vector(lanes *[10]uint32, powers *registry.Powers, msg []byte, wide bool) {
	if n := len(msg) / 128; wide && n > 0 {
		neonX8(lanes, table(powers, 4), &msg[0], n)
		msg = msg[128*n:]
	}
	if n := len(msg) / 64; n > 0 {
		neonX4(lanes, table(powers, 2), &msg[0], n)
	}
}

// absorbLanes absorbs msg, in steps of eight blocks if wide, else of four.
//
// The lanes only ever advance by even powers of r. So the last two blocks are
// left to the scalar routine, which multiplies by r: with lane 0 and the last
// block but one added up it takes the step that lane 0 is ahead, and with lane 1
// and the last block the final one. What does not fill four blocks goes first.
func absorbLanes(state *registry.MACState, powers *registry.Powers, msg []byte, wide bool) {
	n := len(msg) / 16
	if n < minBlocks {
		polyasm.Blocks(&state.H, &state.R, msg)
		return
	}
	if head := 16 * ((n - 2) % 4); head > 0 {
		polyasm.Blocks(&state.H, &state.R, msg[:head])
		msg = msg[head:]
	}
	lanes := lanesOf(&state.H)
	end := len(msg) - 32
	vector(&lanes, powers, msg[:end], wide)
	endLanes(state, &lanes, msg[end:])
}

// lanesOf returns lanes that start from h.
func lanesOf(h *[3]uint64) (lanes [10]uint32) {
	for i, x := range split26(h) {
		lanes[2*i] = x
	}
	return lanes
}

// endLanes absorbs the last two blocks and joins the lanes.
func endLanes(state *registry.MACState, lanes *[10]uint32, msg []byte) {
	state.H = add26(&[3]uint64{}, lane(lanes, 0))
	polyasm.Blocks(&state.H, &state.R, msg[:16])
	state.H = add26(&state.H, lane(lanes, 1))
	polyasm.Blocks(&state.H, &state.R, msg[16:])
}

func lane(lanes *[10]uint32, k int) *number26 {
	return &number26{lanes[k], lanes[2+k], lanes[4+k], lanes[6+k], lanes[8+k]}
}
