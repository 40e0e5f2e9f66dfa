package registry

import (
	"math"
	"math/bits"

	"github.com/quarterround/quarterround/internal/noescape"
)

// macCall is a MAC kernel ready to be called.
type macCall struct {
	absorb MACFunc
	step   int // bytes
	size   int // as in streamCall, but a last step may be incomplete
	layout layoutID
}

// A MACLevel is the plan of the MAC for messages from a length on.
type MACLevel struct {
	from   int // bytes
	layout layoutID
	setup  SetupFunc // nil if layout is 0
	short  [][]macCall
	sole   []MACFunc // by blocks; see Sole
	bulk   macCall
	// extend says, by the blocks left after whole steps of bulk, that bulk takes
	// them as well.
	extend []bool
}

// maxMACBlocks is the largest width a MAC kernel may have: plans list every number
// of blocks up to some steps of the widest, and one step is within a piece.
const maxMACBlocks = 64

// macTable is the plan of the MAC for one range of lengths. There is always a
// level whose from is 0.
type macTable struct {
	levels []MACLevel // by from
}

// level returns the level for a message of total bytes.
func (t *macTable) level(total int) *MACLevel {
	chosen := &t.levels[0]
	for i := 1; i < len(t.levels) && t.levels[i].from <= total; i++ {
		chosen = &t.levels[i]
	}
	return chosen
}

// until returns how long messages of a level are at most, in bytes.
func (t *macTable) until(level *MACLevel) int {
	for i := range t.levels {
		if t.levels[i].from > level.from {
			return t.levels[i].from - 1
		}
	}
	return math.MaxInt
}

// Sole returns the kernel for so many blocks if the plan is one call of one that
// reads no powers, else nil. For a short message choosing takes as long as a block,
// which this saves.
func (l *MACLevel) Sole(blocks int) MACFunc {
	if blocks < len(l.sole) {
		return l.sole[blocks]
	}
	return nil
}

// CallSole calls the kernel that Sole has returned for the length of msg.
func CallSole(kernel MACFunc, state *MACState, msg []byte) {
	kernel(noescape.Hide(state), nil, noescape.HideSlice(msg))
}

// soleOf returns what Sole returns if these are the calls of the plan.
func soleOf(calls []macCall) MACFunc {
	if len(calls) != 1 || calls[0].layout != 0 {
		return nil
	}
	return calls[0].absorb
}

// NeedsPowers reports whether the level's kernels read powers of R, so that
// Absorb and AbsorbLast need room for them.
func (l *MACLevel) NeedsPowers() bool { return l.layout != 0 }

// prepare makes sure powers holds the powers of the state's R that the level's
// kernels read.
func (l *MACLevel) prepare(state *MACState, powers *Powers) {
	if l.layout != 0 && powers.layout != l.layout {
		l.fill(state, powers)
	}
}

func (l *MACLevel) fill(state *MACState, powers *Powers) {
	callSetup(l.setup, powers, &state.R)
	powers.layout = l.layout
}

// Absorb absorbs msg, a whole number of blocks, possibly none. powers is filled as
// needed, and may be nil if NeedsPowers is false.
func (l *MACLevel) Absorb(state *MACState, powers *Powers, msg []byte) {
	l.AbsorbHidden(noescape.Hide(state), noescape.Hide(powers), noescape.HideSlice(msg))
}

// AbsorbHidden is Absorb for a caller that has hidden the arguments from escape
// analysis already.
func (l *MACLevel) AbsorbHidden(state *MACState, powers *Powers, msg []byte) {
	l.prepare(state, powers)
	blocks := len(msg) / MACBlockSize
	if blocks >= len(l.short) {
		msg = msg[l.long(state, powers, msg):]
		blocks = len(msg) / MACBlockSize
	}
	calls := l.short[blocks]
	for i := range calls {
		call := &calls[i]
		n := min(call.size, len(msg))
		call.absorb(state, call.needs(powers), msg[:n])
		msg = msg[n:]
	}
}

// long runs the bulk kernel over what it is to take of msg and returns how many
// bytes that were.
func (l *MACLevel) long(state *MACState, powers *Powers, msg []byte) (done int) {
	end := len(msg) / l.bulk.step * l.bulk.step
	if l.extend[(len(msg)-end)/MACBlockSize] {
		end = len(msg)
	}
	for done < end {
		n := min(l.bulk.size, end-done)
		l.bulk.absorb(state, l.bulk.needs(powers), msg[done:done+n])
		done += n
	}
	return done
}

// needs returns powers for a kernel that reads them, else nil.
func (c *macCall) needs(powers *Powers) *Powers {
	if c.layout == 0 {
		return nil
	}
	return powers
}

// AbsorbLast absorbs the last, incomplete block of a message: tail, 1 to 15
// bytes, then the byte 1, then zeros, without the 2^128 that kernels add to a
// block (RFC 8439 section 2.5.1).
//
// So that a forced kernel sees every byte, 2^128 is taken from h beforehand:
// first h is folded to less than 2^130 + 5, then p - 2^128 = 3*2^128 - 5 is
// added, which keeps it below 2^131.
func (l *MACLevel) AbsorbLast(state *MACState, powers *Powers, tail []byte) {
	var block [MACBlockSize]byte
	copy(block[:], tail)
	block[len(tail)] = 1
	var carry, borrow uint64
	h := &state.H
	h[0], carry = bits.Add64(h[0], 5*(h[2]>>2), 0)
	h[1], carry = bits.Add64(h[1], 0, carry)
	h[2] = h[2]&3 + carry
	h[0], borrow = bits.Sub64(h[0], 5, 0)
	h[1], borrow = bits.Sub64(h[1], 0, borrow)
	h[2] = h[2] + 3 - borrow
	l.Absorb(state, powers, block[:])
}
