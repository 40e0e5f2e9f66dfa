// Package salsa20 implements the Salsa20 and XSalsa20 stream ciphers
// (D. J. Bernstein, "The Salsa20 family of stream ciphers", 2007, and
// "Extending the Salsa20 nonce", 2011). Its API is that of
// golang.org/x/crypto/salsa20.
//
// A stream cipher does not authenticate. Use nacl/secretbox unless something
// else detects changes to the ciphertext.
package salsa20

import (
	"github.com/quarterround/quarterround/internal/alias"
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/dropin"
	"github.com/quarterround/quarterround/registry"
)

// XORKeyStream XORs in with the keystream of the key and nonce from its start
// and writes the result to out. The nonce is 8 bytes, or 24 for XSalsa20. in and
// out must overlap entirely or not at all; out may be longer.
//
// It panics if out is shorter than in, if they overlap otherwise, if the nonce
// has another size, or if the environment variable of the registry package
// cannot be honoured.
func XORKeyStream(out, in []byte, nonce []byte, key *[32]byte) {
	if len(out) < len(in) {
		panic("salsa20: output smaller than input")
	}
	if alias.InexactOverlap(out[:len(in)], in) {
		panic("salsa20: invalid buffer overlap")
	}
	var input [16]byte
	var source *registry.Source
	switch len(nonce) {
	case 8:
		source = dropin.Source(registry.Salsa20)
		copy(input[:], nonce)
	case 24:
		source = dropin.Source(registry.XSalsa20)
		var derived [32]byte
		cipher.HSalsa(&derived, source, key, (*[16]byte)(nonce))
		key = &derived
		copy(input[:], nonce[16:])
	default:
		panic("salsa20: nonce must be 8 or 24 bytes")
	}
	if len(in) == 0 {
		return
	}
	var state [16]uint32
	cipher.SetSalsaState(&state, key, &input)
	source.Plan().For(len(in)).XOR(out, in, &state)
}
