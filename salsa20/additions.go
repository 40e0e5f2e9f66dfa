package salsa20

import (
	stdcipher "crypto/cipher"
	"fmt"
	"io"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// What is in this file goes beyond the API of golang.org/x/crypto/salsa20.

// KeySize is the size of the key, in bytes.
const KeySize = 32

// Cipher is a Salsa20 stream under one key and nonce, which continues from call
// to call. It implements [crypto/cipher.Stream] and [io.Seeker] and is not safe
// for concurrent use.
type Cipher struct {
	stream cipher.Stream
}

var (
	_ stdcipher.Stream = (*Cipher)(nil)
	_ io.Seeker        = (*Cipher)(nil)
)

// NewRounds returns a stream of Salsa20 with 8, 12 or 20 rounds for the key (32
// bytes) and nonce (8 bytes, or 24 for XSalsa20) that starts at block 0. Other
// sizes and rounds are errors.
func NewRounds(rounds int, key, nonce []byte) (*Cipher, error) {
	a, ok := map[int]registry.Algorithm{8: registry.Salsa20r8, 12: registry.Salsa20r12, 20: registry.Salsa20}[rounds]
	if !ok {
		return nil, fmt.Errorf("salsa20: %d rounds; 8, 12 and 20 are possible", rounds)
	}
	if rounds == 20 && len(nonce) == 24 {
		a = registry.XSalsa20
	}
	source, err := registry.Shared(a)
	if err != nil {
		return nil, err
	}
	c := new(Cipher)
	if err := c.stream.Init(source, a, key, nonce, "salsa20"); err != nil {
		return nil, fmt.Errorf("salsa20: %w", err)
	}
	return c, nil
}

// XORKeyStream XORs each byte of src with a byte of the keystream and writes the
// result to dst, with the rules and panics of the function of that name.
func (c *Cipher) XORKeyStream(dst, src []byte) { c.stream.XORKeyStream(dst, src) }

// Seek moves to a byte of the keystream, counted from its start or from the
// current position. Using keystream again for other data reveals both.
func (c *Cipher) Seek(offset int64, whence int) (int64, error) {
	return c.stream.Seek(offset, whence)
}
