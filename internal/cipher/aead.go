package cipher

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/quarterround/quarterround/internal/noescape"
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
	// dst and src have the same length, and are the same memory or disjoint; dst
	// does not overlap additional. When sealing there is room for the tag behind dst,
	// within its capacity.
	dst, src, additional []byte
	// What to do is planned by the lengths.
	schedule *registry.Schedule
	level    *registry.MACLevel
	fused    *registry.Fused // nil if stream and MAC run apart
	head     int             // data blocks that come out of the call that makes the key block
	// powers is nil if the MAC reads none.
	powers *registry.Powers
	// claimed is the tag that came with the ciphertext; it may have been where the
	// plaintext goes.
	claimed Tag
	opening bool
	// done counts bytes of data that the cipher is through with, absorbed those that
	// the MAC is.
	done, absorbed int
	state          [16]uint32 // of ChaCha, with the counter at 0 at first
	mac            registry.MACState
}

// sealMessage is AEAD.Seal for any message.
//
//go:noinline
func (c *AEAD) sealMessage(dst, nonce, plaintext, additional []byte) []byte {
	c.checkSeal(nonce, plaintext)
	n := len(plaintext)
	whole, out := SliceForAppend(dst, n+TagSize)
	checkOverlap(out, plaintext, additional)
	var m message
	m.dst, m.src, m.additional = out[:n], plaintext, additional
	m.state = c.start
	c.addNonce(&m.state, nonce)
	m.plan(c.source)
	tag, _ := m.run()
	tag.Put(out[n:])
	return whole
}

// openMessage is AEAD.Open for any message.
//
//go:noinline
func (c *AEAD) openMessage(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	c.checkOpen(nonce, ciphertext)
	if len(ciphertext) < TagSize {
		return nil, ErrOpen
	}
	n := len(ciphertext) - TagSize
	whole, out := SliceForAppend(dst, n)
	checkOverlap(out, ciphertext[:n], additional) // the tag is read first
	var m message
	m.dst, m.src, m.additional = out, ciphertext[:n], additional
	m.claimed, m.opening = tagIn((*[TagSize]byte)(ciphertext[n:])), true
	m.state = c.start
	c.addNonce(&m.state, nonce)
	m.plan(c.source)
	if _, ok := m.run(); !ok {
		clear(out)
		return nil, ErrOpen
	}
	return whole, nil
}

// plan looks up how to do the message.
func (m *message) plan(source *registry.Source) {
	n := len(m.src)
	m.schedule = source.Plan().For(n)
	m.head, m.fused = m.schedule.AEAD(n, m.opening)
	if m.fused != nil {
		m.level = m.fused.MAC()
	} else {
		m.level = m.schedule.MAC(padded(len(m.additional)) + padded(n) + registry.MACBlockSize)
	}
}

// padded returns n rounded up to whole MAC blocks.
func padded(n int) int { return (n + registry.MACBlockSize - 1) &^ (registry.MACBlockSize - 1) }

// run encrypts or decrypts and returns the tag and whether it is the claimed one.
func (m *message) run() (Tag, bool) {
	if m.level.NeedsPowers() {
		return m.withPowers()
	}
	return m.inFrame()
}

// withPowers has the frame that room for powers needs.
//
//go:noinline
func (m *message) withPowers() (Tag, bool) {
	var powers registry.Powers
	m.powers = noescape.Hide(&powers)
	return m.inFrame()
}

// inFrame chooses the frame that the message needs. A message is short if all its
// keystream comes from the call that makes the key block.
func (m *message) inFrame() (Tag, bool) {
	n := len(m.src)
	switch {
	case m.fused != nil || m.head*registry.BlockSize < n:
		return m.long()
	case m.opening:
		return m.openShort()
	}
	return m.sealShort(), true
}

// putLengths writes the last MAC block (RFC 8439 section 2.8).
func putLengths(block *[registry.MACBlockSize]byte, additional, ciphertext int) {
	binary.LittleEndian.PutUint64(block[:], uint64(additional))
	binary.LittleEndian.PutUint64(block[8:], uint64(ciphertext))
}

// long does any message: what the plan wants from the call that makes the key
// block, then fused steps, or pieces of stream and MAC. What it decrypts is in
// dst before the tag is checked; the caller clears it if the tag is wrong.
//
//go:noinline
func (m *message) long() (tag Tag, ok bool) {
	m.start()
	if m.fused != nil {
		m.fusedSteps()
	}
	for end := pieceSize; end < len(m.src); end += pieceSize {
		if m.done < end {
			m.piece(end)
		}
	}
	m.last()
	tag = tagOf(&m.mac)
	return tag, !m.opening || tag.is(m.claimed)
}

// start makes the key block and as many data blocks as the plan wants with it. A last
// incomplete block is left to others.
func (m *message) start() {
	n := min(m.head*registry.BlockSize, len(m.src)&^(registry.BlockSize-1))
	switch {
	case n == 0:
		m.startAlone()
	case n <= smallBlocks*registry.BlockSize:
		m.startSmall(n)
	case n <= mediumBlocks*registry.BlockSize:
		m.startMedium(n)
	default:
		m.startLargest(n)
	}
}

//go:noinline
func (m *message) startAlone() {
	var key buffer1
	m.schedule.XOR(key.bytes[:], key.bytes[:], &m.state)
	m.key(key.bytes[:])
}

//go:noinline
func (m *message) startSmall(n int) {
	var keystream buffer4
	m.startWithData(keystream.bytes[:], n)
}

//go:noinline
func (m *message) startMedium(n int) {
	var keystream buffer8
	m.startWithData(keystream.bytes[:], n)
}

//go:noinline
func (m *message) startLargest(n int) {
	var keystream buffer32
	m.startWithData(keystream.bytes[:], n)
}

// startWithData does the first n bytes of data, whole blocks, in a buffer that is
// clear. The MAC takes them together with what follows in the same piece, unless that
// is the business of a fused kernel.
func (m *message) startWithData(keystream []byte, n int) {
	keystream = keystream[:registry.BlockSize+n]
	m.schedule.XOR(keystream, keystream, &m.state)
	m.key(keystream)
	together := n
	if m.fused == nil {
		together = min(pieceSize, len(m.src)&^(registry.MACBlockSize-1))
	}
	if m.opening {
		m.absorbUntil(together)
	}
	subtle.XORBytes(m.dst[:n], m.src[:n], keystream[registry.BlockSize:])
	m.done = n
	if !m.opening && m.fused != nil {
		m.absorbUntil(n)
	}
}

// key takes the MAC key from the first block of keystream and absorbs the additional
// data.
func (m *message) key(block []byte) {
	loadMACKey(&m.mac, (*[32]byte)(block))
	if len(m.additional) > 0 {
		m.absorbPadded(m.additional)
	}
}

// absorb absorbs whole blocks.
func (m *message) absorb(p []byte) { m.level.Absorb(&m.mac, m.powers, p) }

// absorbUntil absorbs the ciphertext up to end, a whole number of blocks, which dst
// has when sealing.
func (m *message) absorbUntil(end int) {
	if m.absorbed >= end {
		return
	}
	ciphertext := m.dst
	if m.opening {
		ciphertext = m.src
	}
	m.absorb(ciphertext[m.absorbed:end])
	m.absorbed = end
}

// absorbPadded absorbs p, padded with zeros to whole blocks.
func (m *message) absorbPadded(p []byte) {
	whole := len(p) &^ (registry.MACBlockSize - 1)
	if whole > 0 {
		m.absorb(p[:whole])
	}
	if whole < len(p) {
		var block [registry.MACBlockSize]byte
		copy(block[:], p[whole:])
		m.absorb(block[:])
	}
}

// fusedSteps runs the fused kernel over as many steps as fit.
func (m *message) fusedSteps() {
	end := m.done + (len(m.src)-m.done)/m.fused.Step()*m.fused.Step()
	dst, src, counter := m.dst[m.done:end], m.src[m.done:end], registry.ChaCha.CounterWord()
	if m.opening {
		m.fused.Open(dst, src, &m.state, counter, &m.mac, m.powers)
	} else {
		m.fused.Seal(dst, src, &m.state, counter, &m.mac, m.powers)
	}
	m.done, m.absorbed = end, end
}

// piece runs the stream cipher and the MAC up to end, a whole number of blocks.
func (m *message) piece(end int) {
	if m.opening {
		m.absorbUntil(end)
	}
	m.crypt(end)
	if !m.opening {
		m.absorbUntil(end)
	}
}

// crypt runs the stream cipher up to end.
func (m *message) crypt(end int) {
	m.schedule.XOR(m.dst[m.done:end], m.src[m.done:end], &m.state)
	m.done = end
}

// last does the end of the message, which may not be a whole number of blocks,
// and the block of lengths.
func (m *message) last() {
	if m.opening {
		m.absorbEnd(m.src)
	}
	m.crypt(len(m.src))
	if !m.opening {
		m.absorbEnd(m.dst)
	}
}

// absorbEnd absorbs the rest of the ciphertext and the block of lengths.
func (m *message) absorbEnd(ciphertext []byte) {
	m.absorbUntil(len(ciphertext) &^ (registry.MACBlockSize - 1))
	var end [2 * registry.MACBlockSize]byte
	n := padded(copy(end[:], ciphertext[m.absorbed:]))
	putLengths((*[registry.MACBlockSize]byte)(end[n:]), len(m.additional), len(m.src))
	m.absorb(end[:n+registry.MACBlockSize])
}
