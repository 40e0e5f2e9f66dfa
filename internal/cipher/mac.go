package cipher

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/quarterround/quarterround/registry"
)

// TagSize is the size of a Poly1305 tag in bytes.
const TagSize = 16

// A Tag is a Poly1305 tag as two little-endian words. The compiler keeps it in
// registers, which it does not do with arrays.
type Tag struct{ lo, hi uint64 }

// Put writes the tag to the first TagSize bytes of b.
func (t Tag) Put(b []byte) {
	p := (*[TagSize]byte)(b)
	binary.LittleEndian.PutUint64(p[:], t.lo)
	binary.LittleEndian.PutUint64(p[8:], t.hi)
}

// tagIn returns the tag that is in b.
func tagIn(b *[TagSize]byte) Tag {
	return Tag{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
}

// Equal compares the tag with TagSize bytes that claim to be it, in constant time.
func (t Tag) Equal(claimed []byte) bool {
	return len(claimed) == TagSize && t.is(tagIn((*[TagSize]byte)(claimed)))
}

// is compares tags in constant time, which == does not.
func (t Tag) is(u Tag) bool { return (t.lo^u.lo)|(t.hi^u.hi) == 0 }

// loadMACKey makes state that of nothing yet under a one-time key, r clamped
// (RFC 8439 section 2.5).
func loadMACKey(state *registry.MACState, key *[32]byte) {
	state.H = [3]uint64{}
	setMACKey(state, key)
}

// setMACKey is loadMACKey for a state whose accumulator is zero.
func setMACKey(state *registry.MACState, key *[32]byte) {
	state.R[0] = binary.LittleEndian.Uint64(key[0:]) & 0x0ffffffc0fffffff
	state.R[1] = binary.LittleEndian.Uint64(key[8:]) & 0x0ffffffc0ffffffc
	state.S[0] = binary.LittleEndian.Uint64(key[16:])
	state.S[1] = binary.LittleEndian.Uint64(key[24:])
}

// tagOf returns the tag of a state that has absorbed everything: (h mod 2^130-5)
// + s mod 2^128 (RFC 8439 section 2.5).
//
// h is below 2^131. With what is above 2^130 folded it is below 2^130 + 5, which
// is less than 2p, and p is taken from it at most once.
func tagOf(state *registry.MACState) Tag {
	h0, carry := bits.Add64(state.H[0], 5*(state.H[2]>>2), 0)
	h1, carry := bits.Add64(state.H[1], 0, carry)
	h2 := state.H[2]&3 + carry
	g0, carry := bits.Add64(h0, 5, 0)
	g1, carry := bits.Add64(h1, 0, carry)
	over := -((h2 + carry) >> 2) // all ones if h >= p; then h - p is h + 5 - 2^130
	h0, carry = bits.Add64(h0&^over|g0&over, state.S[0], 0)
	h1, _ = bits.Add64(h1&^over|g1&over, state.S[1], carry)
	return Tag{h0, h1}
}

// Sum returns the tag of msg under a one-time key.
func Sum(source *registry.Source, msg []byte, key *[32]byte) Tag {
	level := source.Plan().For(len(msg)).MAC(len(msg))
	if kernel := level.Sole(len(msg) / registry.MACBlockSize); kernel != nil && len(msg)%registry.MACBlockSize == 0 {
		var state registry.MACState
		loadMACKey(&state, key)
		registry.CallSole(kernel, &state, msg)
		return tagOf(&state)
	}
	if level.NeedsPowers() {
		return sumWithPowers(level, msg, key)
	}
	var state registry.MACState
	loadMACKey(&state, key)
	absorbAll(level, &state, nil, msg)
	return tagOf(&state)
}

// sumWithPowers has a frame of its own, because clearing the room for powers
// costs as much as the MAC of a short message.
//
//go:noinline
func sumWithPowers(level *registry.MACLevel, msg []byte, key *[32]byte) Tag {
	var powers registry.Powers
	var state registry.MACState
	loadMACKey(&state, key)
	absorbAll(level, &state, &powers, msg)
	return tagOf(&state)
}

// absorbAll absorbs a whole message that no padding follows.
func absorbAll(level *registry.MACLevel, state *registry.MACState, powers *registry.Powers, msg []byte) {
	whole := len(msg) &^ (registry.MACBlockSize - 1)
	level.Absorb(state, powers, msg[:whole])
	if whole < len(msg) {
		level.AbsorbLast(state, powers, msg[whole:])
	}
}

// A MAC is a Poly1305 computation whose message comes in pieces. It is not safe
// for concurrent use.
type MAC struct {
	state  registry.MACState
	source *registry.Source
	// powers is nil until so much has been written that they pay.
	powers *registry.Powers
	seen   uint64 // bytes written; more than an int of 32 bits can hold
	// block holds the bytes after the last whole block: seen mod 16 of them.
	block [registry.MACBlockSize]byte
}

// Init makes m the MAC of nothing yet under a one-time key.
func (m *MAC) Init(source *registry.Source, key *[32]byte) {
	*m = MAC{source: source}
	loadMACKey(&m.state, key)
}

// Write adds p to the message.
func (m *MAC) Write(p []byte) {
	buffered := m.buffered()
	m.seen += uint64(len(p))
	if buffered > 0 {
		n := copy(m.block[buffered:], p)
		if buffered+n < registry.MACBlockSize {
			return
		}
		m.absorb(m.block[:])
		p = p[n:]
	}
	whole := len(p) &^ (registry.MACBlockSize - 1)
	if whole > 0 {
		m.absorb(p[:whole])
	}
	copy(m.block[:], p[whole:])
}

// buffered returns how many bytes are in block.
func (m *MAC) buffered() int { return int(m.seen % registry.MACBlockSize) }

// absorb absorbs whole blocks. Powers are computed once the message as a whole is
// long enough for them, however small its pieces are.
func (m *MAC) absorb(blocks []byte) {
	m.level(len(blocks)).Absorb(&m.state, m.powers, blocks)
}

// level returns the plan for the next n bytes, which seen includes, with room for
// powers if it needs them.
func (m *MAC) level(n int) *registry.MACLevel {
	level := m.source.Plan().For(n).MAC(int(min(m.seen, math.MaxInt)))
	if m.powers == nil && level.NeedsPowers() {
		m.powers = new(registry.Powers)
	}
	return level
}

// Tag returns the tag of what has been written; more may be written afterwards.
func (m *MAC) Tag() Tag {
	state := m.state
	if n := m.buffered(); n > 0 {
		m.level(n).AbsorbLast(&state, m.powers, m.block[:n])
	}
	return tagOf(&state)
}
