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

	internal "github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"

	_ "github.com/quarterround/quarterround/backends/all"
)

const (
	// KeySize is the size of the key, in bytes.
	KeySize = internal.KeySize

	// NonceSize is the size of the nonce of the standard variant, in bytes. It is
	// too short to be chosen at random for many messages under one key.
	NonceSize = internal.NonceSize

	// NonceSizeX is the size of the nonce of the XChaCha20-Poly1305 variant, in
	// bytes.
	NonceSizeX = internal.NonceSizeX

	// Overhead is the size of the tag, by which a ciphertext is longer than its
	// plaintext.
	Overhead = internal.TagSize
)

// New returns a ChaCha20-Poly1305 AEAD for the key, 32 bytes, with a nonce of 12
// bytes. Errors are a key of another size, FIPS 140-only mode, and an
// environment variable that cannot be honoured (*registry.OverrideError).
func New(key []byte) (cipher.AEAD, error) {
	c, err := new(AEAD).init(registry.ChaCha20Poly1305, key)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// NewX is New for XChaCha20-Poly1305, whose nonce is 24 bytes and may be chosen
// at random.
func NewX(key []byte) (cipher.AEAD, error) {
	c, err := new(AEAD).init(registry.XChaCha20Poly1305, key)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// init makes c the AEAD of an algorithm and returns it, or nil and an error.
func (c *AEAD) init(a registry.Algorithm, key []byte) (*AEAD, error) {
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
	c.aead.Init(source, a, key)
	return c, nil
}

// NonceSize implements [cipher.AEAD]: 12, or 24 for XChaCha20-Poly1305.
func (c *AEAD) NonceSize() int { return c.aead.NonceSize() }

// Overhead implements [cipher.AEAD]: 16.
func (c *AEAD) Overhead() int { return Overhead }

// Seal implements [cipher.AEAD]. It panics if the nonce has the wrong size, the
// plaintext is longer than 2^38-64 bytes, or the output overlaps the additional
// data or, other than exactly, the plaintext.
func (c *AEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	return c.aead.Seal(dst, nonce, plaintext, additionalData)
}

// Open implements [cipher.AEAD]. It panics as Seal does. If it returns an error,
// the memory of dst that would have held the plaintext is zero.
func (c *AEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	return c.aead.Open(dst, nonce, ciphertext, additionalData)
}
