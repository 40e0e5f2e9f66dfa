package cipher

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/quarterround/quarterround/registry"
)

// pieceSize is how much of a message goes through the stream cipher before the
// MAC follows, so that the MAC finds it in the first-level cache.
const pieceSize = 16 << 10

// A message is one AEAD computation of RFC 8439 section 2.8: the keystream's
// block 0 gives the MAC key, the data starts at block 1, and the MAC runs over
// the additional data, the ciphertext, both padded to 16 bytes, and their
// lengths.
type message struct {
	schedule *registry.Schedule
	fused    *registry.Fused // nil if stream and MAC run apart
	level    *registry.MACLevel
	state    *[16]uint32
	mac      registry.MACState
	// claimed is the tag that came with the ciphertext, nil when sealing.
	claimed []byte
}

// Seal encrypts plaintext into out, which is 16 bytes longer and ends with the
// tag, under a ChaCha state whose counter is 0, and leaves the state undefined.
// plaintext and the start of out are the same memory or disjoint; out does not
// overlap additional.
func Seal(source *registry.Source, out []byte, state *[16]uint32, plaintext, additional []byte) {
	n := len(plaintext)
	m := message{state: state}
	m.plan(source, n, len(additional))
	tag, _ := m.crypt(out[:n], plaintext, additional)
	tag.Put(out[n:])
}

// Open decrypts ciphertext, without its tag, into out, which has the same
// length, and reports whether the tag, 16 bytes, is right; if not, out is all
// zero. out and ciphertext are the same memory or disjoint; out does not overlap
// additional. The tag may lie where the plaintext goes.
func Open(source *registry.Source, out []byte, state *[16]uint32, ciphertext, additional, tag []byte) bool {
	claimed := [TagSize]byte(tag)
	m := message{state: state, claimed: claimed[:]}
	m.plan(source, len(ciphertext), len(additional))
	_, ok := m.crypt(out, ciphertext, additional)
	if !ok {
		clear(out)
	}
	return ok
}

// plan looks up how to do n bytes of data and so many of additional data.
func (m *message) plan(source *registry.Source, n, additional int) {
	m.schedule = source.Plan().For(n)
	m.fused = m.schedule.Fused(n)
	if m.fused != nil {
		m.level = m.fused.MAC()
	} else {
		m.level = m.schedule.MAC(padded(additional) + padded(n) + registry.MACBlockSize)
	}
}

// padded returns n rounded up to whole MAC blocks.
func padded(n int) int { return (n + registry.MACBlockSize - 1) &^ (registry.MACBlockSize - 1) }

// crypt encrypts (claimed is nil) or decrypts src into dst and returns the tag
// and whether it equals the claimed one.
func (m *message) crypt(dst, src, additional []byte) (Tag, bool) {
	if m.level.NeedsPowers() {
		return m.withPowers(dst, src, additional)
	}
	return m.inFrame(dst, src, additional, nil)
}

// withPowers has the frame that room for powers needs.
//
//go:noinline
func (m *message) withPowers(dst, src, additional []byte) (Tag, bool) {
	var powers registry.Powers
	return m.inFrame(dst, src, additional, &powers)
}

// Data blocks that fit in the frames for short messages. There are several because
// clearing the largest costs as much as several blocks.
const (
	smallBlocks  = 3
	mediumBlocks = 7
	largeBlocks  = 15
)

// A short message is done in a buffer that holds the block of the MAC key, the
// data and the block of lengths.
const aroundData = registry.BlockSize + registry.MACBlockSize

// inFrame chooses the frame that the message needs. A message is short if all its
// keystream comes from the call that makes the key block.
func (m *message) inFrame(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	n := len(src)
	if m.fused != nil || m.schedule.Head(n)*registry.BlockSize < n {
		return m.long(dst, src, additional, powers)
	}
	if m.claimed != nil {
		return m.openShort(dst, src, additional, powers)
	}
	switch {
	case n <= smallBlocks*registry.BlockSize:
		return m.small(dst, src, additional, powers)
	case n <= mediumBlocks*registry.BlockSize:
		return m.medium(dst, src, additional, powers)
	case n <= largeBlocks*registry.BlockSize:
		return m.large(dst, src, additional, powers)
	}
	return m.largest(dst, src, additional, powers)
}

// openShort is the part of inFrame for opening.
func (m *message) openShort(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	switch n := len(src); {
	case n <= smallBlocks*registry.BlockSize:
		return m.openSmall(dst, src, additional, powers)
	case n <= mediumBlocks*registry.BlockSize:
		return m.openMedium(dst, src, additional, powers)
	case n <= largeBlocks*registry.BlockSize:
		return m.openLarge(dst, src, additional, powers)
	}
	return m.openLargest(dst, src, additional, powers)
}

//go:noinline
func (m *message) small(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var buffer [aroundData + smallBlocks*registry.BlockSize]byte
	return m.short(buffer[:], buffer[:], dst, src, additional, powers)
}

//go:noinline
func (m *message) openSmall(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var in, out [aroundData + smallBlocks*registry.BlockSize]byte
	return m.short(in[:], out[:], dst, src, additional, powers)
}

//go:noinline
func (m *message) medium(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var buffer [aroundData + mediumBlocks*registry.BlockSize]byte
	return m.short(buffer[:], buffer[:], dst, src, additional, powers)
}

//go:noinline
func (m *message) openMedium(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var in, out [aroundData + mediumBlocks*registry.BlockSize]byte
	return m.short(in[:], out[:], dst, src, additional, powers)
}

//go:noinline
func (m *message) large(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var buffer [aroundData + largeBlocks*registry.BlockSize]byte
	return m.short(buffer[:], buffer[:], dst, src, additional, powers)
}

//go:noinline
func (m *message) openLarge(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var in, out [aroundData + largeBlocks*registry.BlockSize]byte
	return m.short(in[:], out[:], dst, src, additional, powers)
}

//go:noinline
func (m *message) largest(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var buffer [aroundData + registry.MaxHead*registry.BlockSize]byte
	return m.short(buffer[:], buffer[:], dst, src, additional, powers)
}

//go:noinline
func (m *message) openLargest(dst, src, additional []byte, powers *registry.Powers) (Tag, bool) {
	var in, out [aroundData + registry.MaxHead*registry.BlockSize]byte
	return m.short(in[:], out[:], dst, src, additional, powers)
}

// short does a message in buffers that are clear: one stream call over the block
// of the MAC key and the data behind it, and one MAC call over the ciphertext and
// the block of lengths behind that. in and out are the same when sealing; when
// opening the ciphertext stays in in. Then dst is written only once the message has
// been found authentic.
func (m *message) short(in, out, dst, src, additional []byte, powers *registry.Powers) (tag Tag, ok bool) {
	n := copy(in[registry.BlockSize:], src)
	m.schedule.XORWithin(out, in, 1+(n+registry.BlockSize-1)/registry.BlockSize, m.state)
	loadMACKey(&m.mac, (*[32]byte)(out))
	m.absorbPadded(additional, powers)
	data := out[registry.BlockSize:]
	if m.claimed == nil {
		copy(dst, data[:n])
	}
	ciphertext := in[registry.BlockSize:]
	end := padded(n)
	clear(ciphertext[n:end])
	putLengths(ciphertext[end:], len(additional), n)
	m.level.Absorb(&m.mac, powers, ciphertext[:end+registry.MACBlockSize])
	tag = tagOf(&m.mac)
	if m.claimed == nil {
		return tag, true
	}
	if !tag.Equal(m.claimed) {
		return tag, false
	}
	copy(dst, data[:n])
	return tag, true
}

// putLengths writes the last MAC block (RFC 8439 section 2.8).
func putLengths(block []byte, additional, ciphertext int) {
	binary.LittleEndian.PutUint64(block, uint64(additional))
	binary.LittleEndian.PutUint64(block[8:], uint64(ciphertext))
}

// long does any message: what the plan wants from the call that makes the key
// block, then fused steps, then pieces of stream and MAC. What it decrypts is in
// dst before the tag is checked; the caller clears it if the tag is wrong.
//
//go:noinline
func (m *message) long(dst, src, additional []byte, powers *registry.Powers) (tag Tag, ok bool) {
	n := len(src)
	done := m.head(dst, src, additional, powers)
	dst, src = dst[done:], src[done:]
	if m.fused != nil {
		done = m.fusedSteps(dst, src, powers)
		dst, src = dst[done:], src[done:]
	}
	for len(src) > pieceSize {
		m.piece(dst[:pieceSize], src[:pieceSize], powers)
		dst, src = dst[pieceSize:], src[pieceSize:]
	}
	m.last(dst, src, len(additional), n, powers)
	tag = tagOf(&m.mac)
	return tag, m.claimed == nil || tag.Equal(m.claimed)
}

// head makes the key block and as many data blocks as the plan wants with it, and
// returns how many bytes of data that were. A last incomplete block is left to
// others.
func (m *message) head(dst, src, additional []byte, powers *registry.Powers) (done int) {
	n := min(m.schedule.Head(len(src))*registry.BlockSize, len(src)&^(registry.BlockSize-1))
	if n > 0 {
		return m.headWithData(dst[:n], src[:n], additional, powers)
	}
	var key [registry.BlockSize]byte
	m.schedule.XOR(key[:], key[:], m.state)
	loadMACKey(&m.mac, (*[32]byte)(key[:]))
	m.absorbPadded(additional, powers)
	return 0
}

//go:noinline
func (m *message) headWithData(dst, src, additional []byte, powers *registry.Powers) (done int) {
	var keystream [(1 + registry.MaxHead) * registry.BlockSize]byte
	used := keystream[:registry.BlockSize+len(src)]
	m.schedule.XOR(used, used, m.state)
	loadMACKey(&m.mac, (*[32]byte)(used))
	m.absorbPadded(additional, powers)
	if m.claimed != nil {
		m.level.Absorb(&m.mac, powers, src)
	}
	subtle.XORBytes(dst, src, used[registry.BlockSize:])
	if m.claimed == nil {
		m.level.Absorb(&m.mac, powers, dst)
	}
	return len(src)
}

// fusedSteps runs the fused kernel over as many steps as fit and returns how many
// bytes that were.
func (m *message) fusedSteps(dst, src []byte, powers *registry.Powers) (done int) {
	n := len(src) / m.fused.Step() * m.fused.Step()
	counter := registry.ChaCha.CounterWord()
	if m.claimed == nil {
		m.fused.Seal(dst[:n], src[:n], m.state, counter, &m.mac, powers)
	} else {
		m.fused.Open(dst[:n], src[:n], m.state, counter, &m.mac, powers)
	}
	return n
}

// piece runs the stream cipher and the MAC over whole blocks.
func (m *message) piece(dst, src []byte, powers *registry.Powers) {
	if m.claimed != nil {
		m.level.Absorb(&m.mac, powers, src)
	}
	m.schedule.XOR(dst, src, m.state)
	if m.claimed == nil {
		m.level.Absorb(&m.mac, powers, dst)
	}
}

// last does the end of the message, which may not be a whole number of blocks,
// and the block of lengths.
func (m *message) last(dst, src []byte, additional, total int, powers *registry.Powers) {
	if m.claimed != nil {
		m.absorbEnd(src, additional, total, powers)
		m.schedule.XOR(dst, src, m.state)
		return
	}
	m.schedule.XOR(dst, src, m.state)
	m.absorbEnd(dst, additional, total, powers)
}

// absorbEnd absorbs the last of the ciphertext and the block of lengths.
func (m *message) absorbEnd(ciphertext []byte, additional, total int, powers *registry.Powers) {
	whole := len(ciphertext) &^ (registry.MACBlockSize - 1)
	if whole > 0 {
		m.level.Absorb(&m.mac, powers, ciphertext[:whole])
	}
	var end [2 * registry.MACBlockSize]byte
	n := padded(copy(end[:], ciphertext[whole:]))
	putLengths(end[n:], additional, total)
	m.level.Absorb(&m.mac, powers, end[:n+registry.MACBlockSize])
}

// absorbPadded absorbs p, padded with zeros to whole blocks.
func (m *message) absorbPadded(p []byte, powers *registry.Powers) {
	if len(p) == 0 {
		return
	}
	whole := len(p) &^ (registry.MACBlockSize - 1)
	if whole > 0 {
		m.level.Absorb(&m.mac, powers, p[:whole])
	}
	if whole < len(p) {
		var block [registry.MACBlockSize]byte
		copy(block[:], p[whole:])
		m.level.Absorb(&m.mac, powers, block[:])
	}
}
