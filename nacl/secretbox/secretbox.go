// Package secretbox encrypts and authenticates small messages with XSalsa20 and
// Poly1305, as NaCl's crypto_secretbox does. Its API is that of
// golang.org/x/crypto/nacl/secretbox.
//
// The length of a message is not hidden. A nonce must not be used twice under
// one key; 24 bytes are long enough to be chosen at random. The whole message
// has to be in memory, so cut large ones into chunks of, say, 16 KiB.
package secretbox

import (
	"github.com/quarterround/quarterround/internal/alias"
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/dropin"
	"github.com/quarterround/quarterround/registry"
)

// Overhead is the number of bytes by which a box is longer than its message.
const Overhead = cipher.TagSize

// Seal appends the box of message, its tag and then its ciphertext, to out and
// returns the result. out must not overlap message, which is a panic, as is an
// environment variable of the registry package that cannot be honoured.
func Seal(out, message []byte, nonce *[24]byte, key *[32]byte) []byte {
	source := dropin.Source(registry.XSalsa20Poly1305)
	var state [16]uint32
	cipher.SetBoxState(&state, source, nonce, key)
	whole, box := cipher.SliceForAppend(out, Overhead+len(message))
	if alias.AnyOverlap(box, message) {
		panic("nacl: invalid buffer overlap")
	}
	cipher.SealBox(source, box[Overhead:], &state, message).Put(box)
	return whole
}

// Open appends the message in box to out and returns the result and true if the
// box is authentic, else nil and false; then out's memory is as it was. out must
// not overlap box, which is a panic.
func Open(out, box []byte, nonce *[24]byte, key *[32]byte) ([]byte, bool) {
	if len(box) < Overhead {
		return nil, false
	}
	source := dropin.Source(registry.XSalsa20Poly1305)
	var state [16]uint32
	cipher.SetBoxState(&state, source, nonce, key)
	tag, ciphertext := box[:Overhead], box[Overhead:]
	whole, message := cipher.SliceForAppend(out, len(ciphertext))
	if alias.AnyOverlap(message, box) {
		if cipher.VerifyBox(source, &state, ciphertext, tag) {
			panic("nacl: invalid buffer overlap")
		}
		return nil, false
	}
	if !cipher.OpenBox(source, message, &state, ciphertext, tag) {
		return nil, false
	}
	return whole, true
}
