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
	state    [16]uint32 // the counter is 0 at first
	mac      registry.MACState
	powers   *registry.Powers // nil if not needed
	total    int              // length of the message
	// claimed is the tag that came with the ciphertext, nil when sealing.
	claimed []byte
}

// SealBox encrypts message into out of the same length under a Salsa20 state
// whose counter is 0, and returns the tag. out and message are the same memory
// or disjoint.
func SealBox(source *registry.Source, out []byte, state *[16]uint32, message []byte) [TagSize]byte {
	b := box{schedule: source.Plan().For(len(message)), state: *state, total: len(message)}
	tag, _ := b.crypt(out, message)
	return tag
}

// OpenBox decrypts ciphertext into out of the same length if tag, 16 bytes, is
// right, and reports whether it is. If not, out is as it was.
func OpenBox(source *registry.Source, out []byte, state *[16]uint32, ciphertext, tag []byte) bool {
	b := box{schedule: source.Plan().For(len(ciphertext)), state: *state, total: len(ciphertext), claimed: tag}
	_, ok := b.crypt(out, ciphertext)
	return ok
}

// VerifyBox reports what OpenBox would, without decrypting.
func VerifyBox(source *registry.Source, state *[16]uint32, ciphertext, tag []byte) bool {
	var start [registry.BlockSize]byte
	schedule := source.Plan().For(len(start))
	first := *state
	schedule.XOR(start[:], start[:], &first)
	computed := Sum(source, ciphertext, (*[32]byte)(start[:]))
	return Equal(&computed, tag)
}

// crypt chooses the frame that the message needs.
func (b *box) crypt(dst, src []byte) ([TagSize]byte, bool) {
	if b.schedule.NeedsPowers(b.total) {
		return b.withPowers(dst, src)
	}
	if len(src) <= smallBox-boxKey {
		return b.small(dst, src)
	}
	return b.large(dst, src)
}

//go:noinline
func (b *box) withPowers(dst, src []byte) ([TagSize]byte, bool) {
	var powers registry.Powers
	with := *b // a pointer to powers stored in *b would move them to the heap
	with.powers = &powers
	return with.large(dst, src)
}

func (b *box) small(dst, src []byte) ([TagSize]byte, bool) {
	var start [smallBox]byte
	return b.run(start[:], dst, src)
}

//go:noinline
func (b *box) large(dst, src []byte) ([TagSize]byte, bool) {
	var start [(1 + registry.MaxHead) * registry.BlockSize]byte
	return b.run(start[:], dst, src)
}

// run does the message. start is clear; it takes the keystream of the first
// call: the MAC key and that of the first bytes of data.
func (b *box) run(start, dst, src []byte) (tag [TagSize]byte, ok bool) {
	wanted := registry.BlockSize*(1+b.schedule.Head(len(src))) - boxKey
	n := min(len(src), wanted, len(start)-boxKey)
	start = start[:boxKey+n]
	b.schedule.XOR(start, start, &b.state)
	b.mac = loadMACKey((*[32]byte)(start))
	if b.claimed != nil {
		return b.open(start[boxKey:], dst, src)
	}
	subtle.XORBytes(dst[:n], src[:n], start[boxKey:])
	b.encrypt(dst, src, n)
	return tagOf(&b.mac), true
}

// open checks the whole ciphertext before it writes anything.
func (b *box) open(keystream, dst, src []byte) (tag [TagSize]byte, ok bool) {
	absorbAll(b.schedule, &b.mac, b.powers, src)
	tag = tagOf(&b.mac)
	if !Equal(&tag, b.claimed) {
		return tag, false
	}
	n := len(keystream)
	subtle.XORBytes(dst[:n], src[:n], keystream)
	b.schedule.XOR(dst[n:], src[n:], &b.state)
	return tag, true
}

// encrypt encrypts what comes after the first done bytes, which are ciphertext
// already, and authenticates it all, in pieces that stay in the cache.
func (b *box) encrypt(dst, src []byte, done int) {
	absorbed := 0
	for done < len(src) {
		n := min(pieceSize, len(src)-done)
		b.schedule.XOR(dst[done:done+n], src[done:done+n], &b.state)
		done += n
		whole := done &^ (registry.MACBlockSize - 1)
		b.schedule.Absorb(&b.mac, b.powers, dst[absorbed:whole], b.total)
		absorbed = whole
	}
	whole := done &^ (registry.MACBlockSize - 1)
	b.schedule.Absorb(&b.mac, b.powers, dst[absorbed:whole], b.total)
	if whole < done {
		b.schedule.AbsorbLast(&b.mac, b.powers, dst[whole:done], b.total)
	}
}
