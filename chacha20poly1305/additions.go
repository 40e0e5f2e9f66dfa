package chacha20poly1305

import (
	"crypto/cipher"

	internal "github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// What is in this file goes beyond the API of
// golang.org/x/crypto/chacha20poly1305.

// AEAD is what New and NewX return. Arguments of a method called through an
// interface are moved to the heap by the compiler; of the same method called on
// *AEAD they are not. It is safe for concurrent use.
type AEAD struct {
	aead internal.AEAD
}

var _ cipher.AEAD = (*AEAD)(nil)

// NewAEAD is New with the type that is behind it.
func NewAEAD(key []byte) (*AEAD, error) {
	// Small enough to be inlined, so that an AEAD that does not leave the caller
	// stays on its stack.
	return new(AEAD).init(registry.ChaCha20Poly1305, key)
}

// NewAEADX is NewX with the type that is behind it.
func NewAEADX(key []byte) (*AEAD, error) {
	return new(AEAD).init(registry.XChaCha20Poly1305, key)
}
