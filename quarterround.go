// Package quarterround encrypts and authenticates with ChaCha, Salsa20 and
// Poly1305. It holds many implementations of them, proves each one on the CPU at
// hand, measures it, and uses the fastest for each algorithm and message length.
//
// [Auto] makes that choice, once per process. Programs that want the API of
// golang.org/x/crypto import the packages chacha20, chacha20poly1305, poly1305,
// salsa20 and nacl/secretbox of this module instead. What was chosen and why is
// printed by the command cmd/select; the environment variable QUARTERROUND
// chooses something else, see registry.EnvironmentVariable.
package quarterround

import (
	stdcipher "crypto/cipher"
	"fmt"
	"io"

	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// A Library makes ciphers that follow one selection of kernels. It and the AEADs
// it makes are safe for concurrent use; streams and MACs are not.
type Library struct {
	selection *registry.Selection
}

// Auto returns the library of this process, with every built-in backend linked:
// see registry.Auto.
func Auto() (*Library, error) {
	selection, err := registry.Auto()
	if err != nil {
		return nil, err
	}
	return &Library{selection}, nil
}

// New returns a library that follows the given selection.
func New(selection *registry.Selection) *Library { return &Library{selection} }

// Selection returns which kernels were chosen, and why.
func (l *Library) Selection() *registry.Selection { return l.selection }

// A Stream is a stream cipher under one key and nonce. Seek moves to any byte of
// the keystream; using keystream twice reveals the data.
type Stream interface {
	stdcipher.Stream
	io.Seeker
}

// Stream returns the stream cipher of algorithm a under a 32-byte key. The nonce
// of xchacha20 and xsalsa20 is 24 bytes, that of the other Salsa20 algorithms 8
// bytes, and that of the other ChaCha algorithms 12 bytes with a 32-bit block
// counter (RFC 8439) or 8 bytes with a 64-bit one. Other sizes, and algorithms
// that are not stream ciphers, are errors.
func (l *Library) Stream(a registry.Algorithm, key, nonce []byte) (Stream, error) {
	if a.Cipher() == registry.NoCipher || a.IsAEAD() {
		return nil, fmt.Errorf("quarterround: %v is not a stream cipher", a)
	}
	extended := a == registry.XChaCha20 || a == registry.XSalsa20
	if extended != (len(nonce) == cipher.NonceSizeX) {
		return nil, fmt.Errorf("quarterround: %v: %w", a, cipher.ErrNonceSize)
	}
	s := new(cipher.Stream)
	if err := s.Init(l.selection.Source(a), a, key, nonce, a.String()); err != nil {
		return nil, fmt.Errorf("quarterround: %v: %w", a, err)
	}
	return s, nil
}

// AEAD returns the AEAD of algorithm a under a 32-byte key: chacha20poly1305
// (12-byte nonce), xchacha20poly1305 or xsalsa20poly1305 (24-byte nonce; NaCl's
// secretbox, which has its tag in front and takes no additional data). A key of
// another size, and algorithms that are not AEADs, are errors.
func (l *Library) AEAD(a registry.Algorithm, key []byte) (stdcipher.AEAD, error) {
	if !a.IsAEAD() {
		return nil, fmt.Errorf("quarterround: %v is not an AEAD", a)
	}
	if len(key) != cipher.KeySize {
		return nil, fmt.Errorf("quarterround: %v: %w", a, cipher.ErrKeySize)
	}
	if a == registry.XSalsa20Poly1305 {
		c := new(cipher.BoxAEAD)
		c.Init(l.selection.Source(a), key)
		return c, nil
	}
	c := new(cipher.AEAD)
	c.Init(l.selection.Source(a), a, key)
	return c, nil
}

// A MAC is a Poly1305 computation under a one-time key. After Sum or Verify
// nothing may be written.
type MAC struct {
	mac       cipher.MAC
	finalized bool
}

// MAC returns the Poly1305 MAC of nothing yet under a one-time key of 32 bytes;
// another size is an error.
func (l *Library) MAC(key []byte) (*MAC, error) {
	if len(key) != cipher.KeySize {
		return nil, fmt.Errorf("quarterround: poly1305: %w", cipher.ErrKeySize)
	}
	m := new(MAC)
	m.mac.Init(l.selection.Source(registry.Poly1305), (*[32]byte)(key))
	return m, nil
}

// Write adds p to the message. It never returns an error; it panics after Sum or
// Verify.
func (m *MAC) Write(p []byte) (int, error) {
	if m.finalized {
		panic("quarterround: write to MAC after Sum or Verify")
	}
	m.mac.Write(p)
	return len(p), nil
}

// Sum appends the tag, 16 bytes, to b.
func (m *MAC) Sum(b []byte) []byte {
	m.finalized = true
	var tag [cipher.TagSize]byte
	m.mac.Tag().Put(tag[:])
	return append(b, tag[:]...)
}

// Verify reports in constant time whether tag is that of what was written.
func (m *MAC) Verify(tag []byte) bool {
	m.finalized = true
	return m.mac.Tag().Equal(tag)
}
