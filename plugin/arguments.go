package plugin

import (
	stdcipher "crypto/cipher"
	"fmt"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// checkStream checks the arguments of a stream cipher: the size of the nonce, and
// that the keystream reaches.
func checkStream(a registry.Algorithm, nonce []byte, offset uint64, n int) error {
	extended := a == registry.XChaCha20 || a == registry.XSalsa20
	short := len(nonce) == 8 || len(nonce) == 12 && a.Cipher() == registry.ChaCha
	if extended != (len(nonce) == cipher.NonceSizeX) || !extended && !short {
		return fmt.Errorf("%v: a nonce of %d bytes", a, len(nonce))
	}
	limit := uint64(1) << 62
	if a.Cipher() == registry.ChaCha && len(nonce) != 8 {
		limit = 1 << 38 // 2^32 blocks
	}
	if offset > limit || uint64(n) > limit-offset {
		return fmt.Errorf("%v: the keystream ends before the data", a)
	}
	return nil
}

// checkAEAD checks the arguments of an AEAD.
func checkAEAD(a registry.Algorithm, nonce, additional []byte) error {
	size := cipher.NonceSizeX
	if a == registry.ChaCha20Poly1305 {
		size = cipher.NonceSize
	}
	if len(nonce) != size {
		return fmt.Errorf("%v: a nonce of %d bytes", a, len(nonce))
	}
	if a == registry.XSalsa20Poly1305 && len(additional) > 0 {
		return fmt.Errorf("%v takes no additional data", a)
	}
	return nil
}

// newAEAD returns the AEAD of algorithm a with the plans in source.
func newAEAD(source *registry.Source, a registry.Algorithm, key []byte) stdcipher.AEAD {
	if a == registry.XSalsa20Poly1305 {
		c := new(cipher.BoxAEAD)
		c.Init(source, key)
		return c
	}
	c := new(cipher.AEAD)
	c.Init(source, a, key)
	return c
}
