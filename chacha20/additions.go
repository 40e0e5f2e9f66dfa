package chacha20

import (
	"fmt"
	"io"

	"github.com/quarterround/quarterround/registry"
)

// What is in this file goes beyond the API of golang.org/x/crypto/chacha20.

// NonceSize64 is the size of the nonce of the original ChaCha, in bytes, which
// leaves a 64-bit block counter.
const NonceSize64 = 8

var _ io.Seeker = (*Cipher)(nil)

// NewRounds returns a stream of ChaCha with 8, 12 or 20 rounds for the key (32
// bytes) and nonce: 12 bytes with a 32-bit block counter (RFC 8439), 24 bytes
// for the extended nonce of XChaCha, or 8 bytes with a 64-bit block counter
// (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008). Other sizes and
// rounds are errors.
func NewRounds(rounds int, key, nonce []byte) (*Cipher, error) {
	a, ok := map[int]registry.Algorithm{8: registry.ChaCha8, 12: registry.ChaCha12, 20: registry.ChaCha20}[rounds]
	if !ok {
		return nil, fmt.Errorf("chacha20: %d rounds; 8, 12 and 20 are possible", rounds)
	}
	if len(key) != KeySize {
		return nil, errKeySize
	}
	if len(nonce) != NonceSize64 && len(nonce) != NonceSize && len(nonce) != NonceSizeX {
		return nil, errNonceSize
	}
	if rounds == 20 && len(nonce) == NonceSizeX {
		a = registry.XChaCha20
	}
	c := new(Cipher)
	if err := c.initAs(a, key, nonce); err != nil {
		return nil, err
	}
	return c, nil
}

// Seek moves to a byte of the keystream, counted from its start (io.SeekStart)
// or from the current position (io.SeekCurrent), forwards or backwards. Using
// keystream again for other data reveals both: SetCounter refuses to go back,
// Seek does not. It implements [io.Seeker].
func (c *Cipher) Seek(offset int64, whence int) (int64, error) {
	return c.stream.Seek(offset, whence)
}
