package cipher

import (
	"github.com/quarterround/quarterround/internal/noescape"
	"github.com/quarterround/quarterround/registry"
)

// A short message, unless a kernel leads it (see lead.go), is done in a buffer that
// holds the block of the MAC key, the data and the block of lengths: one stream call over
// the key block and the data, and one MAC call over the ciphertext and the lengths.

// Data blocks that fit in the frames for short messages. There are several because
// clearing the largest costs as much as several blocks. That has room for every kernel's
// step; what does not find room for its step goes through a scratch buffer. A variable of more than some
// 1400 bytes is cleared by string instructions on amd64, behind which what reads and
// writes it waits: two buffers are two variables.
const (
	smallBlocks  = 3
	mediumBlocks = 7
	largeBlocks  = 16
)

const aroundData = registry.BlockSize + registry.MACBlockSize

// sealShort chooses a Lead, or a frame by the length.
func (m *message) sealShort() Tag {
	if lead := m.schedule.Lead(len(m.src)); lead != nil {
		return m.sealLed(lead)
	}
	switch n := len(m.src); {
	case n <= smallBlocks*registry.BlockSize:
		return m.sealSmall()
	case n <= mediumBlocks*registry.BlockSize:
		return m.sealMedium()
	case n <= largeBlocks*registry.BlockSize:
		return m.sealLarge()
	}
	return m.sealLargest()
}

//go:noinline
func (m *message) sealSmall() Tag {
	var b smallBuffer
	return noescape.Hide(m).sealIn(noescape.Hide(&b).bytes[:])
}

//go:noinline
func (m *message) sealMedium() Tag {
	var b mediumBuffer
	return noescape.Hide(m).sealIn(noescape.Hide(&b).bytes[:])
}

//go:noinline
func (m *message) sealLarge() Tag {
	var b largeBuffer
	return noescape.Hide(m).sealIn(noescape.Hide(&b).bytes[:])
}

//go:noinline
func (m *message) sealLargest() Tag {
	var b largestBuffer
	return noescape.Hide(m).sealIn(noescape.Hide(&b).bytes[:])
}

// sealIn seals in a buffer that is clear. That and m have been hidden from escape
// analysis.
func (m *message) sealIn(buffer []byte) Tag {
	data := buffer[registry.BlockSize:]
	n := copy(data, m.src)
	m.keystream(buffer, buffer, n)
	// The copy comes last: right after the stream kernel it would wait for what that
	// has just stored, where the MAC has its powers to compute.
	tag := m.authenticate(data)
	copy(m.dst, data[:n])
	return tag
}

// keystream encrypts or decrypts the n bytes that follow the key block and makes the
// MAC that of nothing yet.
func (m *message) keystream(out, in []byte, n int) {
	m.schedule.XORWithinHidden(out, in, 1+(n+registry.BlockSize-1)/registry.BlockSize, &m.state)
	m.key(out)
}

// authenticate returns the tag of the ciphertext in data, behind which there is room
// for the block of lengths.
func (m *message) authenticate(data []byte) Tag {
	n := len(m.src)
	end := padded(n)
	if n < end {
		clear(data[n:end])
	}
	putLengths((*[registry.MACBlockSize]byte)(data[end:]), len(m.additional), n)
	m.level.AbsorbHidden(&m.mac, m.powers, data[:end+registry.MACBlockSize])
	return tagOf(&m.mac)
}

// openShort chooses a Lead, or a frame by the length.
func (m *message) openShort() (Tag, bool) {
	if lead := m.schedule.Lead(len(m.src)); lead != nil && !m.copiedForLittle() {
		return m.openLed(lead)
	}
	switch n := len(m.src); {
	case n <= smallBlocks*registry.BlockSize:
		return m.openSmall()
	case n <= mediumBlocks*registry.BlockSize:
		return m.openMedium()
	case n <= largeBlocks*registry.BlockSize:
		return m.openLarge()
	}
	return m.openLargest()
}

//go:noinline
func (m *message) openSmall() (Tag, bool) {
	var b [2]smallBuffer
	buffers := noescape.Hide(&b)
	return noescape.Hide(m).openIn(buffers[0].bytes[:], buffers[1].bytes[:])
}

//go:noinline
func (m *message) openMedium() (Tag, bool) {
	var b [2]mediumBuffer
	buffers := noescape.Hide(&b)
	return noescape.Hide(m).openIn(buffers[0].bytes[:], buffers[1].bytes[:])
}

//go:noinline
func (m *message) openLarge() (Tag, bool) {
	var in, out largeBuffer
	return noescape.Hide(m).openIn(noescape.Hide(&in).bytes[:], noescape.Hide(&out).bytes[:])
}

//go:noinline
func (m *message) openLargest() (Tag, bool) {
	var in, out largestBuffer
	return noescape.Hide(m).openIn(noescape.Hide(&in).bytes[:], noescape.Hide(&out).bytes[:])
}

// openIn opens in two buffers that are clear: the ciphertext stays in the first. dst
// is written only once the message has been found authentic. The buffers and m have
// been hidden from escape analysis.
func (m *message) openIn(in, out []byte) (tag Tag, ok bool) {
	data := in[registry.BlockSize:]
	n := copy(data, m.src)
	m.keystream(out, in, n)
	tag = m.authenticate(data)
	if !tag.is(m.claimed) {
		return tag, false
	}
	copy(m.dst, out[registry.BlockSize:][:n])
	return tag, true
}
