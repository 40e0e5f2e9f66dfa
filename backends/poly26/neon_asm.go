//go:build gc && !purego && (arm || arm64)

package poly26

import (
	"unsafe"

	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

// neonBlocks absorbs n > 0 pairs of blocks into h < 2^131, which is below 2^130 + 2^113
// after the call.
//
//go:noescape
func neonBlocks(h *[3]uint64, table *uint32, msg *byte, n int, w width)

// A width says by how many blocks an iteration most of a message is absorbed, and so
// which powers there must be in the table.
type width int

const (
	widthX2   width = iota // r^2; arm only
	widthX4                // r^4 and r^2
	widthX8                // up to r^8
	widthX8A7              // the same; arm only
)

// neonEnd absorbs n > 0 pairs of blocks into two lanes, even blocks into lane 0, odd ones
// into lane 1, and sets h, below 2^130 + 2^113, to the sum of the lanes. Limb i of lane k
// is at lanes[2*i+k], at most 2^27; table is that of r^2.
//
//go:noescape
func neonEnd(h *[3]uint64, lanes *lanes26, table *uint32, msg *byte, n int)

// neonPowers makes the table of the first n, 1, 2 or 4, of r^2, r^4, r^6 and r^8; 1 on
// arm only.
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

// powersFrom returns the words of powers from that of r^(2*n) on.
func powersFrom(powers *registry.Powers, n int) *uint32 {
	return &words(powers)[tableWords-powerWords*n]
}

func setupR4(powers *registry.Powers, r *[2]uint64) {
	neonPowers(&words(powers)[0], r, 2)
}

func setupR8(powers *registry.Powers, r *[2]uint64) {
	neonPowers(&words(powers)[0], r, 4)
}

func absorbX4(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbPairs(state, powers, msg, widthX4)
}

func absorbX8(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbPairs(state, powers, msg, widthX8)
}

// absorbPairs absorbs msg by the routine of the given width, an odd block first by the
// scalar routine.
func absorbPairs(state *registry.MACState, powers *registry.Powers, msg []byte, w width) {
	if len(msg)%32 != 0 {
		polyasm.Blocks(&state.H, &state.R, msg[:16])
		msg = msg[16:]
	}
	if len(msg) > 0 {
		neonBlocks(&state.H, &words(powers)[0], &msg[0], len(msg)/32, w)
	}
}
