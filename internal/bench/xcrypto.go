package bench

import (
	stdcipher "crypto/cipher"
	"fmt"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/nacl/secretbox"
	"golang.org/x/crypto/poly1305" //lint:ignore SA1019 it is there to be compared with
	"golang.org/x/crypto/salsa20"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"
)

// XCrypto returns golang.org/x/crypto as a peer, timed by a clock.
func XCrypto(clock measure.Clock) *Peer {
	return &Peer{
		Name: "x/crypto",
		Has: func(a registry.Algorithm, mode string) bool {
			switch a {
			case registry.ChaCha12, registry.ChaCha8, registry.Salsa20r12, registry.Salsa20r8:
				return false
			}
			return mode != board.SetUp
		},
		Timer: func(a registry.Algorithm, mode string, in *Input) (measure.Timer, error) {
			message, err := xcryptoMessage(a, mode, in)
			return clock.Timer(message), err
		},
	}
}

// xcryptoMessage returns a routine that does one whole message.
func xcryptoMessage(a registry.Algorithm, mode string, in *Input) (func(), error) {
	opens := mode == board.Decrypt
	switch a {
	case registry.ChaCha20, registry.XChaCha20:
		_, err := chacha20.NewUnauthenticatedCipher(in.Key[:], in.Nonce)
		return func() {
			c, _ := chacha20.NewUnauthenticatedCipher(in.Key[:], in.Nonce) // it was right just now
			c.XORKeyStream(in.Out[:in.Length], in.Plaintext)
		}, err
	case registry.Salsa20, registry.XSalsa20:
		return func() { salsa20.XORKeyStream(in.Out[:in.Length], in.Plaintext, in.Nonce, &in.Key) }, nil
	case registry.Poly1305:
		return func() { poly1305.Sum((*[16]byte)(in.Out), in.Plaintext, &in.Key) }, nil
	case registry.ChaCha20Poly1305:
		aead, err := chacha20poly1305.New(in.Key[:])
		return aeadMessage(aead, opens, in), err
	case registry.XChaCha20Poly1305:
		aead, err := chacha20poly1305.NewX(in.Key[:])
		return aeadMessage(aead, opens, in), err
	case registry.XSalsa20Poly1305:
		nonce := (*[24]byte)(in.Nonce)
		if opens {
			return func() { secretbox.Open(in.Out[:0], in.Sealed, nonce, &in.Key) }, nil
		}
		return func() { secretbox.Seal(in.Out[:0], in.Plaintext, nonce, &in.Key) }, nil
	}
	return nil, fmt.Errorf("x/crypto has no %v", a)
}

func aeadMessage(aead stdcipher.AEAD, opens bool, in *Input) func() {
	if opens {
		return func() { _, _ = aead.Open(in.Out[:0], in.Nonce, in.Sealed, nil) } // tests compare the result
	}
	return func() { aead.Seal(in.Out[:0], in.Nonce, in.Plaintext, nil) }
}
