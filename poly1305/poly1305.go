// Package poly1305 implements the Poly1305 one-time authenticator (RFC 8439
// section 2.5). Its API is that of golang.org/x/crypto/poly1305.
//
// A key must be used for one message only: two tags under one key give the key
// away. Use chacha20poly1305, or crypto/hmac, unless you are building such a
// construction.
package poly1305

import (
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/dropin"
	"github.com/quarterround/quarterround/registry"
)

// TagSize is the size of a tag in bytes.
const TagSize = cipher.TagSize

// Sum writes the tag of m under the one-time key to out. It panics if the
// environment variable of the registry package cannot be honoured.
func Sum(out *[TagSize]byte, m []byte, key *[32]byte) {
	cipher.Sum(dropin.Source(registry.Poly1305), m, key).Put(out[:])
}

// Verify reports whether mac is the tag of m under the one-time key, in time
// that does not depend on how much of it is right.
func Verify(mac *[TagSize]byte, m []byte, key *[32]byte) bool {
	return cipher.Sum(dropin.Source(registry.Poly1305), m, key).Equal(mac[:])
}

// MAC computes the tag of what is written to it. It is not a [hash.Hash]: the key
// serves one message, so after Sum or Verify nothing may be written. It is not
// safe for concurrent use.
type MAC struct {
	mac       cipher.MAC
	finalized bool
}

// New returns a MAC under a one-time key. It panics as Sum does.
func New(key *[32]byte) *MAC {
	m := new(MAC)
	m.mac.Init(dropin.Source(registry.Poly1305), key)
	return m
}

// Size returns TagSize.
func (h *MAC) Size() int { return TagSize }

// Write adds p to the message. It never returns an error, and panics after Sum
// or Verify.
func (h *MAC) Write(p []byte) (n int, err error) {
	if h.finalized {
		panic("poly1305: write to MAC after Sum or Verify")
	}
	h.mac.Write(p)
	return len(p), nil
}

// Sum appends the tag of all that was written to b.
func (h *MAC) Sum(b []byte) []byte {
	var tag [TagSize]byte
	h.mac.Tag().Put(tag[:])
	h.finalized = true
	return append(b, tag[:]...)
}

// Verify reports whether expected is the tag of all that was written.
func (h *MAC) Verify(expected []byte) bool {
	h.finalized = true
	return h.mac.Tag().Equal(expected)
}
