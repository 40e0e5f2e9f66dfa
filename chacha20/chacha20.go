// Package chacha20 implements the ChaCha20 and XChaCha20 encryption algorithms
// as specified in RFC 8439 and draft-irtf-cfrg-xchacha-01. Its API is that of
// golang.org/x/crypto/chacha20; which kernels do the work is chosen per CPU and
// message length, see the registry package.
//
// A stream cipher does not authenticate. Use chacha20poly1305 unless something
// else detects changes to the ciphertext.
package chacha20

import (
	"crypto/cipher"
	"errors"

	internal "github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"

	_ "github.com/quarterround/quarterround/backends/all"
)

const (
	// KeySize is the size of the key, in bytes.
	KeySize = 32

	// NonceSize is the size of the nonce of RFC 8439, in bytes. It is too short
	// to be chosen at random.
	NonceSize = 12

	// NonceSizeX is the size of the nonce of XChaCha20, in bytes.
	NonceSizeX = 24
)

// Cipher is a ChaCha stream under one key and nonce. It implements
// [cipher.Stream] and is not safe for concurrent use.
type Cipher struct {
	stream internal.Stream
}

var _ cipher.Stream = (*Cipher)(nil)

// NewUnauthenticatedCipher returns a stream for the key (32 bytes) and nonce (12
// bytes, or 24 for XChaCha20) that starts at block 0 and has a 32-bit block
// counter, so that it ends after 256 GiB. Errors are a key or nonce of another
// size, and an environment variable that cannot be honoured
// (*registry.OverrideError).
func NewUnauthenticatedCipher(key, nonce []byte) (*Cipher, error) {
	// This function is small enough to be inlined, so that a Cipher that does not
	// leave the caller stays on its stack.
	c := new(Cipher)
	if err := c.init(key, nonce); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Cipher) init(key, nonce []byte) error {
	if len(key) != KeySize {
		return errKeySize
	}
	switch len(nonce) {
	case NonceSize:
		return c.initAs(registry.ChaCha20, key, nonce)
	case NonceSizeX:
		return c.initAs(registry.XChaCha20, key, nonce)
	}
	return errNonceSize
}

var (
	errKeySize   = errors.New("chacha20: wrong key size")
	errNonceSize = errors.New("chacha20: wrong nonce size")
)

// initAs makes c a stream of algorithm a; the sizes are right.
func (c *Cipher) initAs(a registry.Algorithm, key, nonce []byte) error {
	source := registry.Planned(a)
	if source == nil {
		var err error
		if source, err = registry.Shared(a); err != nil {
			return err
		}
	}
	return c.stream.Init(source, a, key, nonce, "chacha20")
}

// SetCounter moves forward to the start of the given block: the next byte of
// keystream is byte 64*counter. It panics if that would repeat keystream that
// has been used already.
func (c *Cipher) SetCounter(counter uint32) {
	if c.stream.Exhausted() || uint64(counter) < c.stream.Counter() {
		panic("chacha20: SetCounter attempted to rollback counter")
	}
	c.stream.SetBlock(uint64(counter))
}

// XORKeyStream XORs each byte of src with a byte of the keystream and writes the
// result to dst. Calls continue where the last one ended. dst may be longer than
// src; they must overlap entirely or not at all.
//
// It panics, before anything is written, if dst is shorter than src, if they
// overlap otherwise, or if the counter would pass its end.
func (c *Cipher) XORKeyStream(dst, src []byte) { c.stream.XORKeyStream(dst, src) }

// HChaCha20 derives a 32-byte key from a key (32 bytes) and a nonce (16 bytes)
// as in draft-irtf-cfrg-xchacha-01 section 2.2. Other sizes are errors.
func HChaCha20(key, nonce []byte) ([]byte, error) {
	if len(key) != KeySize {
		return nil, errors.New("chacha20: wrong HChaCha20 key size")
	}
	if len(nonce) != 16 {
		return nil, errors.New("chacha20: wrong HChaCha20 nonce size")
	}
	source, err := registry.Shared(registry.XChaCha20)
	if err != nil {
		return nil, err
	}
	var derived [32]byte
	internal.HChaCha(&derived, source, (*[32]byte)(key), (*[16]byte)(nonce))
	return derived[:], nil
}
