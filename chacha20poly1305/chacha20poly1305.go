// Package chacha20poly1305 implements the ChaCha20-Poly1305 AEAD of RFC 8439 and
// its extended-nonce variant XChaCha20-Poly1305
// (draft-irtf-cfrg-xchacha-01). Its API is that of
// golang.org/x/crypto/chacha20poly1305; which kernels do the work is chosen per
// CPU and message length, see the registry package.
package chacha20poly1305

import (
	"crypto/cipher"
	"crypto/fips140"
	"errors"

	"github.com/quarterround/quarterround/internal/alias"
	internal "github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/dropin"
	"github.com/quarterround/quarterround/registry"
)

const (
	// KeySize is the size of the key, in bytes.
	KeySize = 32

	// NonceSize is the size of the nonce of the standard variant, in bytes. It is
	// too short to be chosen at random for many messages under one key.
	NonceSize = 12

	// NonceSizeX is the size of the nonce of the XChaCha20-Poly1305 variant, in
	// bytes.
	NonceSizeX = 24

	// Overhead is the size of the tag, by which a ciphertext is longer than its
	// plaintext.
	Overhead = internal.TagSize
)

// Limits on lengths, in bytes: the 32-bit counter starts at block 1.
const (
	maxPlaintext  = 1<<38 - 64
	maxCiphertext = 1<<38 - 48
)

var errOpen = errors.New("chacha20poly1305: message authentication failed")

// aead implements both variants: they differ in the size of the nonce. It is safe
// for concurrent use.
type aead struct {
	source    *registry.Source
	key       [KeySize]byte
	nonceSize int
}

var _ cipher.AEAD = (*aead)(nil)

// New returns a ChaCha20-Poly1305 AEAD for the key, 32 bytes, with a nonce of 12
// bytes. Errors are a key of another size, FIPS 140-only mode, and an
// environment variable that cannot be honoured (*registry.OverrideError).
func New(key []byte) (cipher.AEAD, error) {
	return newAEAD(registry.ChaCha20Poly1305, key, NonceSize)
}

// NewX is New for XChaCha20-Poly1305, whose nonce is 24 bytes and may be chosen
// at random.
func NewX(key []byte) (cipher.AEAD, error) {
	return newAEAD(registry.XChaCha20Poly1305, key, NonceSizeX)
}

func newAEAD(a registry.Algorithm, key []byte, nonceSize int) (cipher.AEAD, error) {
	if fips140.Enforced() {
		return nil, errors.New("chacha20poly1305: use of ChaCha20Poly1305 is not allowed in FIPS 140-only mode")
	}
	if len(key) != KeySize {
		return nil, errors.New("chacha20poly1305: bad key length")
	}
	source, err := registry.Shared(a)
	if err != nil {
		return nil, err
	}
	return &aead{source: source, key: [KeySize]byte(key), nonceSize: nonceSize}, nil
}

func (c *aead) NonceSize() int { return c.nonceSize }

func (c *aead) Overhead() int { return Overhead }

// Seal implements [cipher.AEAD]. It panics if the nonce has the wrong size, the
// plaintext is longer than 2^38-64 bytes, or the output overlaps the additional
// data or, other than exactly, the plaintext.
func (c *aead) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != c.nonceSize {
		panic("chacha20poly1305: bad nonce length passed to Seal")
	}
	if uint64(len(plaintext)) > maxPlaintext {
		panic("chacha20poly1305: plaintext too large")
	}
	whole, out := dropin.SliceForAppend(dst, len(plaintext)+Overhead)
	checkOverlap(out, plaintext, additionalData)
	state := c.state(nonce)
	internal.Seal(c.source, out, &state, plaintext, additionalData)
	return whole
}

// Open implements [cipher.AEAD]. It panics as Seal does. If it returns an error,
// the memory of dst that would have held the plaintext is zero.
func (c *aead) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != c.nonceSize {
		panic("chacha20poly1305: bad nonce length passed to Open")
	}
	if len(ciphertext) < Overhead {
		return nil, errOpen
	}
	if uint64(len(ciphertext)) > maxCiphertext {
		panic("chacha20poly1305: ciphertext too large")
	}
	n := len(ciphertext) - Overhead
	whole, out := dropin.SliceForAppend(dst, n)
	checkOverlap(out, ciphertext, additionalData)
	state := c.state(nonce)
	if !internal.Open(c.source, out, &state, ciphertext[:n], additionalData, ciphertext[n:]) {
		return nil, errOpen
	}
	return whole, nil
}

// checkOverlap panics if out may not be written while the others are read.
func checkOverlap(out, input, additionalData []byte) {
	if alias.InexactOverlap(out, input) {
		panic("chacha20poly1305: invalid buffer overlap of output and input")
	}
	if alias.AnyOverlap(out, additionalData) {
		panic("chacha20poly1305: invalid buffer overlap of output and additional data")
	}
}

// state returns the ChaCha20 state of a message, with the counter at 0.
func (c *aead) state(nonce []byte) [16]uint32 {
	var input [16]byte
	if len(nonce) == NonceSizeX {
		derived := internal.HChaCha(c.source, &c.key, (*[16]byte)(nonce))
		copy(input[8:], nonce[16:])
		return internal.ChaChaState(&derived, &input)
	}
	copy(input[4:], nonce)
	return internal.ChaChaState(&c.key, &input)
}
