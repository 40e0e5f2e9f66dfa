package cipher

import (
	"crypto/cipher"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/quarterround/quarterround/internal/alias"
	"github.com/quarterround/quarterround/registry"
)

// A Stream is a stream cipher under one key and nonce. It is not safe for
// concurrent use.
type Stream struct {
	source *registry.Source
	// state is the matrix; its counter words are set from next.
	state [16]uint32
	// next is the number of the next block to make, and limit the one at which
	// the counter ends: 2^32 for a 32-bit counter. Of a 64-bit counter the very
	// last block is given up, so that limit fits.
	next, limit uint64
	// counter is the index of the low counter word in state.
	counter int
	// rest is the unused end of the keystream block before next: its last unused
	// bytes.
	rest   [registry.BlockSize]byte
	unused int
	// texts of panics start with the name of the package the user called.
	name string
}

var (
	_ cipher.Stream = (*Stream)(nil)
	_ io.Seeker     = (*Stream)(nil)
)

// Errors of Init.
var (
	ErrKeySize   = errors.New("wrong key size")
	ErrNonceSize = errors.New("wrong nonce size")
)

// Init makes s the stream of algorithm a, whose plans are in source, under key
// (32 bytes) and nonce: 24 bytes for an extended nonce, 8 bytes for a 64-bit
// counter, and for ChaCha 12 bytes for a 32-bit counter (RFC 8439). The first
// block is block 0. name begins the text of panics.
func (s *Stream) Init(source *registry.Source, a registry.Algorithm, key, nonce []byte, name string) error {
	if len(key) != 32 {
		return ErrKeySize
	}
	family := a.Cipher()
	s.source, s.name, s.counter = source, name, family.CounterWord()
	s.next, s.limit, s.unused = 0, math.MaxUint64, 0
	if family == registry.Salsa {
		return s.initSalsa((*[32]byte)(key), nonce)
	}
	return s.initChaCha((*[32]byte)(key), nonce)
}

func (s *Stream) initChaCha(key *[32]byte, nonce []byte) error {
	switch len(nonce) {
	case 8:
	case 12:
		s.limit = 1 << 32
	case 24:
		s.limit = 1 << 32
		s.initXChaCha(key, (*[24]byte)(nonce))
		return nil
	default:
		return ErrNonceSize
	}
	SetChaChaState(&s.state, key, nonce)
	return nil
}

// initXChaCha is apart because clearing the room for a derived key would cost
// initChaCha for nothing.
func (s *Stream) initXChaCha(key *[32]byte, nonce *[24]byte) {
	var derived [32]byte
	HChaCha(&derived, s.source, key, (*[16]byte)(nonce[:16]))
	SetChaChaState(&s.state, &derived, nonce[16:])
}

func (s *Stream) initSalsa(key *[32]byte, nonce []byte) error {
	var input [16]byte
	switch len(nonce) {
	case 8:
		copy(input[:], nonce)
	case 24:
		var derived [32]byte
		HSalsa(&derived, s.source, key, (*[16]byte)(nonce))
		key = &derived
		copy(input[:], nonce[16:])
	default:
		return ErrNonceSize
	}
	SetSalsaState(&s.state, key, &input)
	return nil
}

// XORKeyStream XORs each byte of src with a byte of the keystream and writes it
// to dst. dst and src are the same memory or disjoint, and dst is at least as
// long. It panics before anything is written if that is not so, or if the
// keystream does not reach.
func (s *Stream) XORKeyStream(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	if len(dst) < len(src) {
		panic(s.name + ": output smaller than input")
	}
	dst = dst[:len(src)]
	if alias.InexactOverlap(dst, src) {
		panic(s.name + ": invalid buffer overlap")
	}
	var blocks uint64
	if len(src) > s.unused {
		blocks = (uint64(len(src)-s.unused) + registry.BlockSize - 1) / registry.BlockSize
	}
	if blocks > s.limit-s.next {
		s.end()
	}
	if s.unused > 0 {
		n := s.useRest(dst, src)
		dst, src = dst[n:], src[n:]
		if len(src) == 0 {
			return
		}
	}
	s.setCounter()
	high := s.state[s.counter+1]
	s.unused = s.source.Plan().For(len(src)).XORKeeping(dst, src, &s.state, &s.rest)
	s.state[s.counter+1] = high
	s.next += blocks
}

// end panics because the keystream does not reach.
func (s *Stream) end() {
	if s.source == nil {
		panic("quarterround: keystream of a cipher that was not made by New or the like")
	}
	panic(s.name + ": counter overflow")
}

// useRest uses up keystream left from the last block and returns how much.
func (s *Stream) useRest(dst, src []byte) int {
	n := subtle.XORBytes(dst, src, s.rest[registry.BlockSize-s.unused:])
	s.unused -= n
	return n
}

// setCounter puts next into the state. The word behind a counter of 32 bits is
// nonce, which XORKeyStream protects from the carry out of the last block: the
// stream may go on elsewhere.
func (s *Stream) setCounter() {
	s.state[s.counter] = uint32(s.next)
	if s.limit > 1<<32 {
		s.state[s.counter+1] = uint32(s.next >> 32)
	}
}

// Counter returns the number of the block after the last one of which keystream
// has been used.
func (s *Stream) Counter() uint64 { return s.next }

// Exhausted reports whether the last block that the counter allows was used.
func (s *Stream) Exhausted() bool { return s.next == s.limit }

// SetBlock moves to the start of a block, at most the one behind the last.
func (s *Stream) SetBlock(block uint64) { s.next, s.unused = block, 0 }

// Seek moves to a byte of the keystream, counted from the start of block 0 or
// from the current position; there is no end to count from. It implements
// [io.Seeker]. Moving backwards makes the same keystream again, which must not
// meet other data.
func (s *Stream) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		position := s.position()
		if position > math.MaxInt64 || offset > 0 && int64(position) > math.MaxInt64-offset {
			return 0, fmt.Errorf("%s: Seek beyond offset 2^63", s.name)
		}
		offset += int64(position)
	default:
		return 0, fmt.Errorf("%s: Seek with whence %d: a keystream has only a start and a current position", s.name, whence)
	}
	if offset < 0 || (uint64(offset)+registry.BlockSize-1)/registry.BlockSize > s.limit {
		return 0, fmt.Errorf("%s: Seek to offset %d, which is outside the keystream", s.name, offset)
	}
	s.SetBlock(uint64(offset) / registry.BlockSize)
	if within := offset % registry.BlockSize; within > 0 {
		var skipped [registry.BlockSize]byte
		s.XORKeyStream(skipped[:within], skipped[:within])
	}
	return offset, nil
}

// position returns the offset of the next byte of keystream, or more than
// MaxInt64 if it is beyond that.
func (s *Stream) position() uint64 {
	if s.next > math.MaxInt64/registry.BlockSize {
		return math.MaxUint64
	}
	return s.next*registry.BlockSize - uint64(s.unused)
}
