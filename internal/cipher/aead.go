package cipher

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/quarterround/quarterround/registry"
)

// pieceSize is how much of a message goes through the stream cipher before the
// MAC follows, so that the MAC finds it in the first-level cache.
const pieceSize = 16 << 10

// A short message, up to registry.MaxHead data blocks and shortAdditional bytes
// of additional data, is done in one stream call and one MAC call through
// buffers on the stack. Small ones use smaller buffers, because clearing the
// large ones costs as much as several blocks.
const (
	smallBlocks     = 3
	shortAdditional = registry.BlockSize
)

// A message is one AEAD computation of RFC 8439 section 2.8: the keystream's
// block 0 gives the MAC key, the data starts at block 1, and the MAC runs over
// the additional data, the ciphertext, both padded to 16 bytes, and their
// lengths.
type message struct {
	schedule *registry.Schedule
	fused    *registry.Fused // nil if stream and MAC run apart
	state    [16]uint32
	mac      registry.MACState
	powers   *registry.Powers // nil if not needed
	total    int              // bytes that the MAC will see
	// claimed is the tag that came with the ciphertext, nil when sealing.
	claimed []byte
}

// Seal encrypts plaintext into out, which is 16 bytes longer and ends with the
// tag, under a ChaCha state whose counter is 0. plaintext and the start of out
// are the same memory or disjoint; out does not overlap additional.
func Seal(source *registry.Source, out []byte, state *[16]uint32, plaintext, additional []byte) {
	n := len(plaintext)
	tag, _ := crypt(source, out[:n], state, plaintext, additional, nil)
	copy(out[n:], tag[:])
}

// Open decrypts ciphertext, without its tag, into out, which has the same
// length, and reports whether the tag, 16 bytes, is right; if not, out is all
// zero.
func Open(source *registry.Source, out []byte, state *[16]uint32, ciphertext, additional, tag []byte) bool {
	// The tag may lie where the plaintext goes.
	claimed := [TagSize]byte(tag)
	_, ok := crypt(source, out, state, ciphertext, additional, claimed[:])
	if !ok {
		clear(out)
	}
	return ok
}

// crypt encrypts (claimed is nil) or decrypts src into dst and returns the tag
// and whether it equals the claimed one.
func crypt(source *registry.Source, dst []byte, state *[16]uint32, src, additional, claimed []byte) (tag [TagSize]byte, ok bool) {
	schedule := source.Plan().For(len(src))
	m := message{schedule: schedule, fused: schedule.Fused(len(src)), state: *state, claimed: claimed}
	m.total = padded(len(additional)) + padded(len(src)) + registry.MACBlockSize
	short := m.fused == nil && len(additional) <= shortAdditional && schedule.Head(len(src))*registry.BlockSize >= len(src)
	switch {
	case short && len(src) <= smallBlocks*registry.BlockSize && !schedule.NeedsPowers(m.total):
		return m.small(dst, src, additional)
	case short:
		return m.short(dst, src, additional)
	case m.fused != nil && m.fused.NeedsPowers() || m.fused == nil && schedule.NeedsPowers(m.total):
		return m.longWithPowers(dst, src, additional)
	}
	return m.long(dst, src, additional)
}

// padded returns n rounded up to whole MAC blocks.
func padded(n int) int { return (n + registry.MACBlockSize - 1) &^ (registry.MACBlockSize - 1) }

// small does a message of at most smallBlocks data blocks.
func (m *message) small(dst, src, additional []byte) ([TagSize]byte, bool) {
	var keystream [(1 + smallBlocks) * registry.BlockSize]byte
	var authenticated [shortAdditional + smallBlocks*registry.BlockSize + registry.MACBlockSize]byte
	return m.inBuffers(keystream[:], authenticated[:], dst, src, additional)
}

// short does a message of at most registry.MaxHead data blocks.
//
//go:noinline
func (m *message) short(dst, src, additional []byte) ([TagSize]byte, bool) {
	var keystream [(1 + registry.MaxHead) * registry.BlockSize]byte
	var authenticated [shortAdditional + registry.MaxHead*registry.BlockSize + registry.MACBlockSize]byte
	if m.schedule.NeedsPowers(m.total) {
		return m.shortWithPowers(keystream[:], authenticated[:], dst, src, additional)
	}
	return m.inBuffers(keystream[:], authenticated[:], dst, src, additional)
}

// shortWithPowers has the frame that room for powers needs.
//
//go:noinline
func (m *message) shortWithPowers(keystream, authenticated, dst, src, additional []byte) ([TagSize]byte, bool) {
	var powers registry.Powers
	with := *m // a pointer to powers stored in *m would move them to the heap
	with.powers = &powers
	return with.inBuffers(keystream, authenticated, dst, src, additional)
}

// inBuffers makes all keystream in one call, lays out what the MAC sees in one
// buffer, and writes to dst only what has been found authentic. Both buffers are
// clear.
func (m *message) inBuffers(keystream, authenticated, dst, src, additional []byte) (tag [TagSize]byte, ok bool) {
	keystream = keystream[:registry.BlockSize+len(src)]
	m.schedule.XOR(keystream, keystream, &m.state)
	m.mac = loadMACKey((*[32]byte)(keystream))
	keystream = keystream[registry.BlockSize:]
	if m.claimed == nil {
		subtle.XORBytes(dst, src, keystream)
		src = dst
	}
	copy(authenticated, additional)
	n := padded(len(additional))
	copy(authenticated[n:], src)
	n += padded(len(src))
	putLengths(authenticated[n:], len(additional), len(src))
	m.schedule.Absorb(&m.mac, m.powers, authenticated[:n+registry.MACBlockSize], m.total)
	tag = tagOf(&m.mac)
	if m.claimed == nil {
		return tag, true
	}
	if !Equal(&tag, m.claimed) {
		return tag, false
	}
	subtle.XORBytes(dst, src, keystream)
	return tag, true
}

// putLengths writes the last MAC block (RFC 8439 section 2.8).
func putLengths(block []byte, additional, ciphertext int) {
	binary.LittleEndian.PutUint64(block, uint64(additional))
	binary.LittleEndian.PutUint64(block[8:], uint64(ciphertext))
}

// longWithPowers has the frame that room for powers needs.
//
//go:noinline
func (m *message) longWithPowers(dst, src, additional []byte) ([TagSize]byte, bool) {
	var powers registry.Powers
	with := *m
	with.powers = &powers
	return with.long(dst, src, additional)
}

// long does any message: what the plan wants from the call that makes the key
// block, then fused steps, then pieces of stream and MAC. What it decrypts is in
// dst before the tag is checked; the caller clears it if the tag is wrong.
//
//go:noinline
func (m *message) long(dst, src, additional []byte) (tag [TagSize]byte, ok bool) {
	n := len(src)
	dst, src = m.head(dst, src, additional)
	if m.fused != nil {
		dst, src = m.fusedSteps(dst, src)
	}
	for len(src) > pieceSize {
		m.piece(dst[:pieceSize], src[:pieceSize])
		dst, src = dst[pieceSize:], src[pieceSize:]
	}
	m.last(dst, src, len(additional), n)
	tag = tagOf(&m.mac)
	return tag, m.claimed == nil || Equal(&tag, m.claimed)
}

// head makes the key block and as many data blocks as the plan wants with it,
// and returns what is left to do. A last incomplete block is left to others.
func (m *message) head(dst, src, additional []byte) (dstLeft, srcLeft []byte) {
	var keystream [(1 + registry.MaxHead) * registry.BlockSize]byte
	n := min(m.schedule.Head(len(src))*registry.BlockSize, len(src)&^(registry.BlockSize-1))
	used := keystream[:registry.BlockSize+n]
	m.schedule.XOR(used, used, &m.state)
	m.mac = loadMACKey((*[32]byte)(used))
	m.absorbPadded(additional)
	if m.claimed != nil {
		m.absorb(src[:n])
	}
	subtle.XORBytes(dst[:n], src[:n], used[registry.BlockSize:])
	if m.claimed == nil {
		m.absorb(dst[:n])
	}
	return dst[n:], src[n:]
}

// fusedSteps runs the fused kernel over as many steps as fit and returns what is
// left.
func (m *message) fusedSteps(dst, src []byte) (dstLeft, srcLeft []byte) {
	n := len(src) / m.fused.Step() * m.fused.Step()
	counter := registry.ChaCha.CounterWord()
	if m.claimed == nil {
		m.fused.Seal(dst[:n], src[:n], &m.state, counter, &m.mac, m.powers)
	} else {
		m.fused.Open(dst[:n], src[:n], &m.state, counter, &m.mac, m.powers)
	}
	return dst[n:], src[n:]
}

// piece runs the stream cipher and the MAC over whole blocks.
func (m *message) piece(dst, src []byte) {
	if m.claimed != nil {
		m.absorb(src)
	}
	m.schedule.XOR(dst, src, &m.state)
	if m.claimed == nil {
		m.absorb(dst)
	}
}

// last does the end of the message, which may not be a whole number of blocks,
// and the block of lengths.
func (m *message) last(dst, src []byte, additional, total int) {
	ciphertext := src
	if m.claimed == nil {
		m.schedule.XOR(dst, src, &m.state)
		ciphertext = dst
	}
	whole := len(ciphertext) &^ (registry.MACBlockSize - 1)
	m.absorb(ciphertext[:whole])
	var end [2 * registry.MACBlockSize]byte
	n := padded(copy(end[:], ciphertext[whole:]))
	putLengths(end[n:], additional, total)
	m.absorb(end[:n+registry.MACBlockSize])
	if m.claimed != nil {
		m.schedule.XOR(dst, src, &m.state)
	}
}

// absorb absorbs whole blocks.
func (m *message) absorb(blocks []byte) {
	if m.fused != nil {
		m.fused.Absorb(&m.mac, m.powers, blocks)
		return
	}
	m.schedule.Absorb(&m.mac, m.powers, blocks, m.total)
}

// absorbPadded absorbs p, padded with zeros to whole blocks.
func (m *message) absorbPadded(p []byte) {
	whole := len(p) &^ (registry.MACBlockSize - 1)
	m.absorb(p[:whole])
	if whole < len(p) {
		var block [registry.MACBlockSize]byte
		copy(block[:], p[whole:])
		m.absorb(block[:])
	}
}
