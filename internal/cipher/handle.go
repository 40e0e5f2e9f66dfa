package cipher

import (
	"crypto/cipher"
	"errors"
	"runtime"

	"github.com/quarterround/quarterround/internal/alias"
	"github.com/quarterround/quarterround/internal/noescape"
	"github.com/quarterround/quarterround/registry"
)

// Sizes of the AEADs, in bytes.
const (
	KeySize    = 32
	NonceSize  = 12 // of ChaCha20-Poly1305
	NonceSizeX = 24 // of the variants with an extended nonce
)

// Limits on the lengths of ChaCha20-Poly1305, in bytes: the counter has 32 bits
// and the data starts at block 1.
const (
	maxPlaintext  = 1<<38 - 64
	maxCiphertext = 1<<38 - 48
)

// ErrOpen is returned when a message is not authentic.
var ErrOpen = errors.New("chacha20poly1305: message authentication failed")

// An AEAD is ChaCha20-Poly1305 or XChaCha20-Poly1305 under a key; they differ in
// the size of the nonce. It is safe for concurrent use. Texts of errors and
// panics are those of golang.org/x/crypto/chacha20poly1305.
type AEAD struct {
	source *registry.Source
	// start is the ChaCha state of the key without nonce.
	start     [16]uint32
	nonceSize int
}

var _ cipher.AEAD = (*AEAD)(nil)

// Init makes c the AEAD of algorithm a, whose plans are in source, under key of
// KeySize bytes.
func (c *AEAD) Init(source *registry.Source, a registry.Algorithm, key []byte) {
	c.source, c.nonceSize = source, NonceSize
	SetChaChaState(&c.start, (*[KeySize]byte)(key), make([]byte, NonceSize))
	if a == registry.XChaCha20Poly1305 {
		c.nonceSize = NonceSizeX
	}
}

// NonceSize implements [cipher.AEAD].
func (c *AEAD) NonceSize() int { return c.nonceSize }

// Overhead implements [cipher.AEAD].
func (c *AEAD) Overhead() int { return TagSize }

// Seal implements [cipher.AEAD]. It panics if the nonce has the wrong size, the
// plaintext is longer than 2^38-64 bytes, or the output overlaps the additional
// data or, other than exactly, the plaintext.
func (c *AEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	n := len(plaintext)
	brief := c.source.Plan().Brief(n, len(additionalData))
	if brief == nil || len(nonce) != c.nonceSize {
		return c.sealMessage(dst, nonce, plaintext, additionalData)
	}
	whole, out := SliceForAppend(dst, n+TagSize)
	// Here and below, what matters for short messages is in line.
	if alias.InexactOverlap(out, plaintext) || len(additionalData) > 0 && alias.AnyOverlap(out, additionalData) {
		checkOverlap(out, plaintext, additionalData)
	}
	var frame briefFrame
	f := noescape.Hide(&frame)
	f.state = c.start
	c.addNonce(&f.state, nonce)
	copy(f.text[registry.BlockSize:], plaintext)
	text := (*[registry.BriefSize]byte)(f.text[:])
	brief.XOR(text, text, &f.state)
	copy(out[:n], f.text[registry.BlockSize:])
	f.authenticate(brief, text, additionalData, n).Put(out[n:])
	runtime.KeepAlive(&frame)
	return whole
}

// Open implements [cipher.AEAD]. It panics as Seal does. If it returns an error,
// the memory of dst that would have held the plaintext is zero.
func (c *AEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	n := len(ciphertext) - TagSize
	brief := c.source.Plan().Brief(n, len(additionalData))
	if brief == nil || len(nonce) != c.nonceSize || n < 0 {
		return c.openMessage(dst, nonce, ciphertext, additionalData)
	}
	whole, out := SliceForAppend(dst, n)
	// The tag is read before anything is written.
	if alias.InexactOverlap(out, ciphertext[:n]) || len(additionalData) > 0 && alias.AnyOverlap(out, additionalData) {
		checkOverlap(out, ciphertext[:n], additionalData)
	}
	var frame briefFrame
	var plain plainBuffer
	f, p := noescape.Hide(&frame), noescape.Hide(&plain)
	f.state = c.start
	c.addNonce(&f.state, nonce)
	copy(f.text[registry.BlockSize:], ciphertext[:n])
	brief.XOR(&p.bytes, (*[registry.BriefSize]byte)(f.text[:]), &f.state)
	tag := f.authenticate(brief, &p.bytes, additionalData, n)
	if !tag.is(tagIn((*[TagSize]byte)(ciphertext[n:]))) {
		clear(out)
		return nil, ErrOpen
	}
	copy(out, p.bytes[registry.BlockSize:]) // not before the message is known to be authentic
	runtime.KeepAlive(&frame)
	runtime.KeepAlive(&plain)
	return whole, nil
}

// checkSeal panics if Seal does not take the arguments.
func (c *AEAD) checkSeal(nonce, plaintext []byte) {
	if len(nonce) != c.nonceSize {
		panic("chacha20poly1305: bad nonce length passed to Seal")
	}
	if uint64(len(plaintext)) > maxPlaintext {
		panic("chacha20poly1305: plaintext too large")
	}
}

// checkOpen panics if Open does not take the arguments.
func (c *AEAD) checkOpen(nonce, ciphertext []byte) {
	if len(nonce) != c.nonceSize {
		panic("chacha20poly1305: bad nonce length passed to Open")
	}
	if uint64(len(ciphertext)) > maxCiphertext {
		panic("chacha20poly1305: ciphertext too large")
	}
}

// checkOverlap panics if out may not be written while the others are read.
func checkOverlap(out, input, additionalData []byte) {
	if alias.InexactOverlap(out, input) {
		panic("chacha20poly1305: invalid buffer overlap of output and input")
	}
	if len(additionalData) > 0 && alias.AnyOverlap(out, additionalData) {
		panic("chacha20poly1305: invalid buffer overlap of output and additional data")
	}
}

// addNonce makes state, which is c.start, the ChaCha20 state of a message, with the
// counter at 0.
func (c *AEAD) addNonce(state *[16]uint32, nonce []byte) {
	if len(nonce) == NonceSize {
		setNonce(state, nonce)
	} else {
		c.deriveState(state, nonce)
	}
}

// deriveState is addNonce for an extended nonce.
func (c *AEAD) deriveState(state *[16]uint32, nonce []byte) {
	setWords((*[4]uint32)(state[12:]), (*[16]byte)(nonce[:16]))
	var derived [32]byte
	hChaCha(&derived, c.source, state)
	SetChaChaState(state, &derived, nonce[16:])
}

// SliceForAppend returns in extended by n bytes, in its own memory if there is
// capacity, and the n bytes alone.
func SliceForAppend(in []byte, n int) (whole, added []byte) {
	if total := len(in) + n; cap(in) >= total {
		whole = in[:total]
	} else {
		whole = make([]byte, total)
		copy(whole, in)
	}
	return whole, whole[len(in):]
}

// A BoxAEAD is XSalsa20-Poly1305 (NaCl's secretbox) as a [cipher.AEAD]. The tag
// comes before the ciphertext, as in NaCl, and there is no additional data. It is
// safe for concurrent use.
type BoxAEAD struct {
	source *registry.Source
	key    [KeySize]byte
}

var _ cipher.AEAD = (*BoxAEAD)(nil)

// Init makes c the AEAD under key of KeySize bytes; source has the plans of
// registry.XSalsa20Poly1305.
func (c *BoxAEAD) Init(source *registry.Source, key []byte) {
	c.source, c.key = source, [KeySize]byte(key)
}

// NonceSize implements [cipher.AEAD].
func (c *BoxAEAD) NonceSize() int { return NonceSizeX }

// Overhead implements [cipher.AEAD].
func (c *BoxAEAD) Overhead() int { return TagSize }

// check panics if the arguments are not of the kind that XSalsa20-Poly1305 takes.
func (c *BoxAEAD) check(nonce, additionalData []byte) {
	if len(nonce) != NonceSizeX {
		panic("xsalsa20poly1305: bad nonce length")
	}
	if len(additionalData) > 0 {
		panic("xsalsa20poly1305: there is no additional data in this construction")
	}
}

// Seal implements [cipher.AEAD]. It panics if the nonce is not 24 bytes, if there
// is additional data, or if the output overlaps the plaintext.
func (c *BoxAEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	c.check(nonce, additionalData)
	whole, box := SliceForAppend(dst, TagSize+len(plaintext))
	if alias.AnyOverlap(box, plaintext) {
		panic("xsalsa20poly1305: invalid buffer overlap of output and input")
	}
	var state [16]uint32
	SetBoxState(&state, c.source, (*[24]byte)(nonce), &c.key)
	SealBox(c.source, box[TagSize:], &state, plaintext).Put(box)
	return whole
}

// Open implements [cipher.AEAD]. It panics as Seal does. If it returns an error,
// dst is as it was.
func (c *BoxAEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	c.check(nonce, additionalData)
	if len(ciphertext) < TagSize {
		return nil, ErrOpenBox
	}
	whole, message := SliceForAppend(dst, len(ciphertext)-TagSize)
	if alias.AnyOverlap(message, ciphertext) {
		panic("xsalsa20poly1305: invalid buffer overlap of output and input")
	}
	var state [16]uint32
	SetBoxState(&state, c.source, (*[24]byte)(nonce), &c.key)
	if !OpenBox(c.source, message, &state, ciphertext[TagSize:], ciphertext[:TagSize]) {
		return nil, ErrOpenBox
	}
	return whole, nil
}

// ErrOpenBox is returned when a box is not authentic.
var ErrOpenBox = errors.New("xsalsa20poly1305: message authentication failed")

// SetBoxState makes state the Salsa20 state of a box: the key is derived from the
// key and the first 16 bytes of the nonce.
func SetBoxState(state *[16]uint32, source *registry.Source, nonce *[24]byte, key *[32]byte) {
	var derived [32]byte
	HSalsa(&derived, source, key, (*[16]byte)(nonce[:16]))
	var input [16]byte
	copy(input[:], nonce[16:])
	SetSalsaState(state, &derived, &input)
}
