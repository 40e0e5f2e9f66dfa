package cipher

import (
	"github.com/quarterround/quarterround/internal/noescape"
	"github.com/quarterround/quarterround/registry"
)

// chachaRounds is the number of rounds of the AEADs.
const chachaRounds = 20

// sealLed seals a message for which lead is what [registry.Schedule.Lead] returns: all
// but the key block goes from src to dst at once.
//
//go:noinline
func (m *message) sealLed(lead registry.LeadFunc) Tag {
	var first buffer1
	f, h := noescape.Hide(&first), noescape.Hide(m)
	lead(&f.bytes, h.dst, h.src, &h.state, chachaRounds)
	h.key(f.bytes[:])
	return h.authenticateOut()
}

// authenticateOut returns the tag of the ciphertext in dst. Behind that there is room
// for the tag, where the padding goes first, and the block of lengths if there is no
// padding: one call of the MAC costs less than two. m has been hidden from escape
// analysis.
func (m *message) authenticateOut() Tag {
	n := len(m.dst)
	end := padded(n)
	out := m.dst[:n+TagSize]
	if n == end {
		putLengths((*[registry.MACBlockSize]byte)(out[n:]), len(m.additional), n)
		m.level.AbsorbHidden(&m.mac, m.powers, out)
		return tagOf(&m.mac)
	}
	clear(out[n:end])
	m.level.AbsorbHidden(&m.mac, m.powers, out[:end])
	m.lengths()
	return tagOf(&m.mac)
}

// openLed opens a message for which lead is what [registry.Schedule.Lead] returns. The
// plaintext is in dst before the tag is checked; the caller clears it if the tag is
// wrong.
//
//go:noinline
func (m *message) openLed(lead registry.LeadFunc) (Tag, bool) {
	if &m.dst[0] == &m.src[0] {
		return m.openLedInPlace(lead)
	}
	var first buffer1
	f, h := noescape.Hide(&first), noescape.Hide(m)
	lead(&f.bytes, h.dst, h.src, &h.state, chachaRounds)
	h.key(f.bytes[:])
	h.absorbEnd(h.src)
	tag := tagOf(&h.mac)
	return tag, tag.is(h.claimed)
}

// copiedForLittle reports whether openLed would copy the ciphertext to a buffer that is
// much larger: what clearing that takes is all that leading saves.
func (m *message) copiedForLittle() bool {
	return len(m.src) <= mediumBlocks*registry.BlockSize && &m.dst[0] == &m.src[0]
}

// openLedInPlace is openLed where the ciphertext has to be kept for the MAC.
//
//go:noinline
func (m *message) openLedInPlace(lead registry.LeadFunc) (Tag, bool) {
	var first buffer1
	var kept largestBuffer
	f, k, h := noescape.Hide(&first), noescape.Hide(&kept), noescape.Hide(m)
	copy(k.bytes[:], h.src)
	lead(&f.bytes, h.dst, h.src, &h.state, chachaRounds)
	h.key(f.bytes[:])
	tag := h.authenticate(k.bytes[:])
	return tag, tag.is(m.claimed)
}

// lengths absorbs the block of lengths.
func (m *message) lengths() {
	var block [registry.MACBlockSize]byte
	b := noescape.Hide(&block)
	putLengths(b, len(m.additional), len(m.src))
	m.level.AbsorbHidden(&m.mac, m.powers, b[:])
}
