package cipher

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// TagSize is the size of a Poly1305 tag in bytes.
const TagSize = 16

// loadMACKey returns the state for a one-time key, r clamped (RFC 8439 section
// 2.5).
func loadMACKey(key *[32]byte) registry.MACState {
	return registry.MACState{
		R: [2]uint64{
			binary.LittleEndian.Uint64(key[0:]) & 0x0ffffffc0fffffff,
			binary.LittleEndian.Uint64(key[8:]) & 0x0ffffffc0ffffffc,
		},
		S: [2]uint64{binary.LittleEndian.Uint64(key[16:]), binary.LittleEndian.Uint64(key[24:])},
	}
}

// tagOf returns the tag of a state that has absorbed everything.
func tagOf(state *registry.MACState) [TagSize]byte { return reference.Tag(&state.H, &state.S) }

// Sum returns the tag of msg under a one-time key.
func Sum(source *registry.Source, msg []byte, key *[32]byte) [TagSize]byte {
	schedule := source.Plan().For(len(msg))
	if schedule.NeedsPowers(len(msg)) {
		return sumWithPowers(schedule, msg, key)
	}
	return sum(schedule, msg, key, nil)
}

// sumWithPowers has a frame of its own, because clearing the room for powers
// costs as much as the MAC of a short message.
//
//go:noinline
func sumWithPowers(schedule *registry.Schedule, msg []byte, key *[32]byte) [TagSize]byte {
	var powers registry.Powers
	return sum(schedule, msg, key, &powers)
}

func sum(schedule *registry.Schedule, msg []byte, key *[32]byte, powers *registry.Powers) [TagSize]byte {
	state := loadMACKey(key)
	absorbAll(schedule, &state, powers, msg)
	return tagOf(&state)
}

// absorbAll absorbs a whole message that no padding follows.
func absorbAll(schedule *registry.Schedule, state *registry.MACState, powers *registry.Powers, msg []byte) {
	whole := len(msg) &^ (registry.MACBlockSize - 1)
	schedule.Absorb(state, powers, msg[:whole], len(msg))
	if whole < len(msg) {
		schedule.AbsorbLast(state, powers, msg[whole:], len(msg))
	}
}

// A MAC is a Poly1305 computation whose message comes in pieces. It is not safe
// for concurrent use.
type MAC struct {
	state  registry.MACState
	source *registry.Source
	// powers is nil until so much has been written that they pay.
	powers *registry.Powers
	seen   int // bytes written
	// block holds the bytes after the last whole block: seen mod 16 of them.
	block [registry.MACBlockSize]byte
}

// Init makes m the MAC of nothing yet under a one-time key.
func (m *MAC) Init(source *registry.Source, key *[32]byte) {
	*m = MAC{state: loadMACKey(key), source: source}
}

// Write adds p to the message.
func (m *MAC) Write(p []byte) {
	buffered := m.seen % registry.MACBlockSize
	m.seen += len(p)
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

// absorb absorbs whole blocks. Powers are computed once the message as a whole is
// long enough for them, however small its pieces are.
func (m *MAC) absorb(blocks []byte) {
	schedule := m.source.Plan().For(len(blocks))
	if m.powers == nil && schedule.NeedsPowers(m.seen) {
		m.powers = new(registry.Powers)
	}
	schedule.Absorb(&m.state, m.powers, blocks, m.seen)
}

// Tag returns the tag of what has been written; more may be written afterwards.
func (m *MAC) Tag() [TagSize]byte {
	state := m.state
	if n := m.seen % registry.MACBlockSize; n > 0 {
		schedule := m.source.Plan().For(n)
		if m.powers == nil && schedule.NeedsPowers(m.seen) {
			m.powers = new(registry.Powers)
		}
		schedule.AbsorbLast(&state, m.powers, m.block[:n], m.seen)
	}
	return tagOf(&state)
}

// Equal compares a tag with what claims to be it, in constant time.
func Equal(tag *[TagSize]byte, claimed []byte) bool {
	return subtle.ConstantTimeCompare(tag[:], claimed) == 1
}
