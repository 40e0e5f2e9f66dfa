package registry

import "math/bits"

// macCall is a MAC kernel ready to be called.
type macCall struct {
	absorb MACFunc
	step   int // bytes
	steps  int // as in streamCall
	layout layoutID
}

// macLevel is the plan of the MAC for messages from a length on.
type macLevel struct {
	from   int // bytes
	layout layoutID
	setup  SetupFunc // nil if layout is 0
	short  [][]macCall
	bulk   macCall
	// extend says, by the blocks left after whole steps of bulk, that bulk takes
	// them as well.
	extend []bool
}

// macTable is the plan of the MAC for one range of lengths. There is always a
// level whose from is 0.
type macTable struct {
	levels []macLevel // by from
}

// level returns the level for a message of total bytes.
func (t *macTable) level(total int) *macLevel {
	chosen := &t.levels[0]
	for i := 1; i < len(t.levels) && t.levels[i].from <= total; i++ {
		chosen = &t.levels[i]
	}
	return chosen
}

// prepare makes sure powers holds the powers of the state's R that the level's
// kernels read.
func (l *macLevel) prepare(state *MACState, powers *Powers) {
	if l.layout == 0 || powers.layout == l.layout {
		return
	}
	callSetup(l.setup, powers, &state.R)
	powers.layout = l.layout
}

// absorb absorbs msg, a whole number of blocks, possibly none. powers may be nil
// if the level's layout is 0; otherwise it has been prepared.
func (l *macLevel) absorb(state *MACState, powers *Powers, msg []byte) {
	blocks := len(msg) / MACBlockSize
	if blocks >= len(l.short) {
		whole := len(msg) / l.bulk.step * l.bulk.step
		if l.extend[(len(msg)-whole)/MACBlockSize] {
			whole = len(msg)
		}
		l.bulk.pieces(state, powers, msg[:whole])
		msg = msg[whole:]
		blocks = len(msg) / MACBlockSize
	}
	calls := l.short[blocks]
	for i := range calls {
		whole := min(calls[i].steps*calls[i].step, len(msg))
		calls[i].pieces(state, powers, msg[:whole])
		msg = msg[whole:]
	}
}

// pieces runs whole blocks in pieces of bounded size.
func (c *macCall) pieces(state *MACState, powers *Powers, msg []byte) {
	if c.layout == 0 {
		powers = nil
	}
	limit := pieceSize / c.step * c.step
	for len(msg) > limit {
		callMAC(c.absorb, state, powers, msg[:limit])
		msg = msg[limit:]
	}
	if len(msg) > 0 {
		callMAC(c.absorb, state, powers, msg)
	}
}

// absorbLast absorbs the last, incomplete block of a message: tail, 1 to 15
// bytes, then the byte 1, then zeros, without the 2^128 that kernels add to a
// block (RFC 8439 section 2.5.1).
//
// So that a forced kernel sees every byte, 2^128 is taken from h beforehand:
// first h is folded to less than 2^130 + 5, then p - 2^128 = 3*2^128 - 5 is
// added, which keeps it below 2^131.
func (l *macLevel) absorbLast(state *MACState, powers *Powers, tail []byte) {
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
	l.absorb(state, powers, block[:])
}
