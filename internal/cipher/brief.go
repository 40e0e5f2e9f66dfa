package cipher

import (
	"runtime"

	"github.com/quarterround/quarterround/internal/noescape"
	"github.com/quarterround/quarterround/registry"
)

// A brief message is one that the plan does in a single small stream call, without
// powers of r. It takes the shortest way, because what is around the kernels costs as
// much as they do.

// briefFrame is what the kernels work on, in one struct, so that one pointer is to be
// hidden from escape analysis.
type briefFrame struct {
	state [16]uint32
	mac   registry.MACState
	// text is the block of the MAC key and the data, and behind the ciphertext the
	// block of lengths.
	text [registry.BriefSize + registry.MACBlockSize]byte
}

// plainBuffer is where a message is decrypted.
type plainBuffer struct {
	_     [0]uint64
	bytes [registry.BriefSize]byte
}

// sealBrief is AEAD.Seal for a brief message.
//
//go:noinline
func (c *AEAD) sealBrief(dst, nonce, plaintext, additional []byte, brief *registry.Brief) []byte {
	c.checkSeal(nonce, plaintext)
	whole, out := SliceForAppend(dst, len(plaintext)+TagSize)
	checkOverlap(out, plaintext, additional)
	var frame briefFrame
	f := noescape.Hide(&frame)
	c.setState(&f.state, nonce)
	n := copy(f.text[registry.BlockSize:], plaintext)
	text := (*[registry.BriefSize]byte)(f.text[:])
	brief.XOR(text, text, &f.state)
	copy(out, f.text[registry.BlockSize:][:n])
	f.authenticate(brief, text, additional, n).Put(out[n:])
	runtime.KeepAlive(&frame)
	return whole
}

// openBrief is AEAD.Open for a brief message. The output is written only once the
// message has been found authentic.
//
//go:noinline
func (c *AEAD) openBrief(dst, nonce, ciphertext, additional []byte, brief *registry.Brief) ([]byte, error) {
	c.checkOpen(nonce, ciphertext)
	if len(ciphertext) < TagSize {
		return nil, ErrOpen
	}
	n := len(ciphertext) - TagSize
	whole, out := SliceForAppend(dst, n)
	checkOverlap(out, ciphertext[:n], additional) // the tag is read first
	var frame briefFrame
	var plain plainBuffer
	f, p := noescape.Hide(&frame), noescape.Hide(&plain)
	c.setState(&f.state, nonce)
	copy(f.text[registry.BlockSize:], ciphertext[:n])
	brief.XOR(&p.bytes, (*[registry.BriefSize]byte)(f.text[:]), &f.state)
	if !f.authenticate(brief, &p.bytes, additional, n).is(tagIn((*[TagSize]byte)(ciphertext[n:]))) {
		clear(out)
		return nil, ErrOpen
	}
	copy(out, p.bytes[registry.BlockSize:])
	runtime.KeepAlive(&frame)
	runtime.KeepAlive(&plain)
	return whole, nil
}

// authenticate returns the tag of n bytes of ciphertext in text. key starts with the
// MAC key.
func (f *briefFrame) authenticate(brief *registry.Brief, key *[registry.BriefSize]byte, additional []byte, n int) Tag {
	loadMACKey(&f.mac, (*[32]byte)(key[:]))
	start := registry.BlockSize
	if len(additional) > 0 {
		start = f.precede(brief, additional)
	}
	end := registry.BlockSize + n
	if n%registry.MACBlockSize != 0 {
		end = registry.BlockSize + padded(n)
		clear(f.text[registry.BlockSize+n : end])
	}
	putLengths((*[registry.MACBlockSize]byte)(f.text[end:]), len(additional), n)
	msg := f.text[start : end+registry.MACBlockSize]
	if absorb := brief.Sole(len(msg) / registry.MACBlockSize); absorb != nil {
		absorb(&f.mac, nil, msg)
	} else {
		brief.Absorb(&f.mac, msg)
	}
	return tagOf(&f.mac)
}

// precede puts the additional data, padded, before the ciphertext, where the MAC key
// was, and returns where it starts. What does not fit there is absorbed.
func (f *briefFrame) precede(brief *registry.Brief, additional []byte) (start int) {
	if len(additional) > registry.BlockSize {
		whole := len(additional) &^ (registry.MACBlockSize - 1)
		first := additional[:whole]
		brief.Absorb(&f.mac, *noescape.Hide(&first))
		additional = additional[whole:]
	}
	start = registry.BlockSize - padded(len(additional))
	clear(f.text[start:registry.BlockSize])
	copy(f.text[start:], additional)
	return start
}
