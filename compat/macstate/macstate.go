// Package poly1305 has the names that x/crypto's tests of its internal package
// poly1305 use, on our package poly1305 and on our generic backend. What is
// special is that a MAC can start from any accumulator. The tests join it when
// they run, see package compat.
package poly1305

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/poly1305"
	"github.com/quarterround/quarterround/registry"
)

const TagSize = poly1305.TagSize

func Sum(out *[TagSize]byte, m []byte, key *[32]byte)         { poly1305.Sum(out, m, key) }
func Verify(mac *[TagSize]byte, m []byte, key *[32]byte) bool { return poly1305.Verify(mac, m, key) }

func generic() *registry.Source {
	selection, err := registry.Select(registry.WithOverride("generic"))
	if err != nil {
		panic(err)
	}
	return selection.Source(registry.Poly1305)
}

func sumGeneric(out *[TagSize]byte, m []byte, key *[32]byte) {
	cipher.Sum(generic(), m, key).Put(out[:])
}

// macState is the accumulator that a MAC starts from.
type macState struct{ h [3]uint64 }

// tag returns the tag of msg, from that accumulator.
func (s *macState) tag(source *registry.Source, key *[32]byte, msg []byte) [TagSize]byte {
	state := registry.MACState{H: s.h, R: [2]uint64{
		binary.LittleEndian.Uint64(key[0:]) & 0x0ffffffc0fffffff,
		binary.LittleEndian.Uint64(key[8:]) & 0x0ffffffc0ffffffc,
	}, S: [2]uint64{binary.LittleEndian.Uint64(key[16:]), binary.LittleEndian.Uint64(key[24:])}}
	level := source.Plan().For(len(msg)).MAC(len(msg))
	powers, whole := new(registry.Powers), len(msg)&^15
	level.Absorb(&state, powers, msg[:whole])
	if whole < len(msg) {
		level.AbsorbLast(&state, powers, msg[whole:])
	}
	return reference.Tag(&state.H, &state.S)
}

// A MAC is ours, unless it starts from another accumulator than zero.
type MAC struct {
	macState
	ours *poly1305.MAC
	key  [32]byte
	msg  []byte
}

func New(key *[32]byte) *MAC { return &MAC{ours: poly1305.New(key), key: *key} }

func (h *MAC) Write(p []byte) (int, error) {
	h.msg = append(h.msg, p...)
	return h.ours.Write(p)
}

func (h *MAC) Sum(b []byte) []byte {
	if h.macState == (macState{}) {
		return h.ours.Sum(b)
	}
	source, err := registry.Shared(registry.Poly1305)
	if err != nil {
		panic(err)
	}
	tag := h.tag(source, &h.key, h.msg)
	return append(b, tag[:]...)
}

func (h *MAC) Verify(expected []byte) bool {
	if h.macState == (macState{}) {
		return h.ours.Verify(expected)
	}
	return subtle.ConstantTimeCompare(h.Sum(nil), expected) == 1
}

// macGeneric is a MAC over the generic backend.
type macGeneric struct {
	macState
	ours cipher.MAC
	key  [32]byte
	msg  []byte
}

func newMACGeneric(key *[32]byte) macGeneric {
	m := macGeneric{key: *key}
	m.ours.Init(generic(), key)
	return m
}

func (h *macGeneric) Write(p []byte) (int, error) {
	h.msg = append(h.msg, p...)
	h.ours.Write(p)
	return len(p), nil
}

func (h *macGeneric) Sum(out *[TagSize]byte) {
	if h.macState == (macState{}) {
		h.ours.Tag().Put(out[:])
		return
	}
	*out = h.tag(generic(), &h.key, h.msg)
}
