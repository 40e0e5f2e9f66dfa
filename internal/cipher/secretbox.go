package cipher

import (
	"crypto/subtle"

	"github.com/quarterround/quarterround/registry"
)

// boxKey is how much of the first keystream block of an XSalsa20-Poly1305
// message is its MAC key; the data takes the rest of the block
// (D. J. Bernstein, "Cryptography in NaCl", 2009, section 9). The MAC runs over
// the ciphertext alone, without additional data, padding or lengths.
const boxKey = 32

// smallBox is the size of the smaller buffer for the first keystream of a box;
// see smallBlocks.
const smallBox = (1 + smallBlocks) * registry.BlockSize

// A box is one XSalsa20-Poly1305 computation.
type box struct {
	schedule *registry.Schedule
	level    *registry.MACLevel
	state    *[16]uint32 // the counter is 0 at first
	mac      registry.MACState
	// claimed is the tag that came with the ciphertext, nil when sealing.
	claimed []byte
}

// SealBox encrypts message into out of the same length under a Salsa20 state
// whose counter is 0, and returns the tag. out and message are the same memory
// or disjoint.
func SealBox(source *registry.Source, out []byte, state *[16]uint32, message []byte) Tag {
	b := box{state: state}
	b.plan(source, len(message))
	tag, _ := b.crypt(out, message)
	return tag
}

// OpenBox decrypts ciphertext into out of the same length if tag, 16 bytes, is
// right, and reports whether it is. If not, out is as it was.
func OpenBox(source *registry.Source, out []byte, state *[16]uint32, ciphertext, tag []byte) bool {
	b := box{state: state, claimed: tag}
	b.plan(source, len(ciphertext))
	_, ok := b.crypt(out, ciphertext)
	return ok
}

// plan looks up how to do n bytes.
func (b *box) plan(source *registry.Source, n int) {
	b.schedule = source.Plan().For(n)
	b.level = b.schedule.MAC(n)
}

// VerifyBox reports what OpenBox would, without decrypting.
func VerifyBox(source *registry.Source, state *[16]uint32, ciphertext, tag []byte) bool {
	var start buffer1
	source.Plan().For(len(start.bytes)).XORWithin(start.bytes[:], start.bytes[:], 1, state)
	return Sum(source, ciphertext, (*[32]byte)(start.bytes[:])).Equal(tag)
}

// crypt chooses the frame that the message needs.
func (b *box) crypt(dst, src []byte) (Tag, bool) {
	if b.level.NeedsPowers() {
		return b.withPowers(dst, src)
	}
	if len(src) <= smallBox-boxKey {
		return b.small(dst, src)
	}
	return b.large(dst, src, nil)
}

//go:noinline
func (b *box) withPowers(dst, src []byte) (Tag, bool) {
	var powers registry.Powers
	return b.large(dst, src, &powers)
}

func (b *box) small(dst, src []byte) (Tag, bool) {
	var start buffer4
	return b.run(start.bytes[:], dst, src, nil)
}

//go:noinline
func (b *box) large(dst, src []byte, powers *registry.Powers) (Tag, bool) {
	var start buffer32
	return b.run(start.bytes[:], dst, src, powers)
}

// run does the message. start is clear; it takes the keystream of the first
// call: the MAC key and that of the first bytes of data.
func (b *box) run(start, dst, src []byte, powers *registry.Powers) (tag Tag, ok bool) {
	head, _ := b.schedule.AEAD(len(src), b.claimed != nil)
	wanted := registry.BlockSize*(1+head) - boxKey
	n := min(len(src), wanted, len(start)-boxKey)
	if n < len(src) {
		start = start[:boxKey+n]
		b.schedule.XOR(start, start, b.state)
	} else {
		b.schedule.XORWithin(start, start, (boxKey+n+registry.BlockSize-1)/registry.BlockSize, b.state)
	}
	loadMACKey(&b.mac, (*[32]byte)(start))
	keystream := start[boxKey : boxKey+n]
	if b.claimed != nil {
		return b.open(keystream, dst, src, powers)
	}
	subtle.XORBytes(dst[:n], src[:n], keystream)
	b.encrypt(dst, src, n, powers)
	return tagOf(&b.mac), true
}

// open checks the whole ciphertext before it writes anything.
func (b *box) open(keystream, dst, src []byte, powers *registry.Powers) (tag Tag, ok bool) {
	absorbAll(b.level, &b.mac, powers, src)
	tag = tagOf(&b.mac)
	if !tag.Equal(b.claimed) {
		return tag, false
	}
	n := len(keystream)
	subtle.XORBytes(dst[:n], src[:n], keystream)
	b.schedule.XOR(dst[n:], src[n:], b.state)
	return tag, true
}

// encrypt encrypts what comes after the first done bytes, which are ciphertext
// already, and authenticates it all, in pieces that stay in the cache.
func (b *box) encrypt(dst, src []byte, done int, powers *registry.Powers) {
	absorbed := 0
	for done < len(src) {
		n := min(pieceSize, len(src)-done)
		b.schedule.XOR(dst[done:done+n], src[done:done+n], b.state)
		done += n
		whole := done &^ (registry.MACBlockSize - 1)
		b.level.Absorb(&b.mac, powers, dst[absorbed:whole])
		absorbed = whole
	}
	absorbAll(b.level, &b.mac, powers, dst[absorbed:done])
}
