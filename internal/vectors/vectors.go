// Package vectors holds the published test vectors of the algorithms, as facts
// with their source. Byte strings are in hexadecimal; Bytes decodes them.
package vectors

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/quarterround/quarterround/internal/reference"
)

// A Stream is a vector of a stream cipher.
type Stream struct {
	// Name says which vector of the source it is, Source where it is published.
	Name, Source string
	// Cipher is "chacha" or "salsa"; Rounds is 8, 12 or 20.
	Cipher string
	Rounds int
	// Key has 16 or 32 bytes. Nonce has 8 bytes (64-bit counter), 12 bytes
	// (ChaCha only, 32-bit counter) or 24 bytes (XChaCha20 and XSalsa20).
	Key, Nonce string
	// Counter is the number of the block that the plaintext starts with.
	Counter uint64
	// Plaintext is empty if it is all zeros, so that Ciphertext is keystream.
	Plaintext, Ciphertext string
}

// State returns the 16 words of the cipher's matrix for the first block.
func (v *Stream) State() [16]uint32 {
	return State(v.Cipher, v.Rounds, Bytes(v.Key), Bytes(v.Nonce), v.Counter)
}

// Message returns the plaintext, which is as long as the ciphertext.
func (v *Stream) Message() []byte {
	if v.Plaintext == "" {
		return make([]byte, len(v.Ciphertext)/2)
	}
	return Bytes(v.Plaintext)
}

// A Digest is a vector of a stream cipher that gives, instead of the
// keystream, the XOR of its 64-byte blocks.
type Digest struct {
	Name, Source string
	Cipher       string
	Rounds       int
	Key, Nonce   string
	// Length is the length of the keystream in bytes, a multiple of 64.
	Length int
	XOR    string
}

// State returns the 16 words of the cipher's matrix for block 0.
func (v *Digest) State() [16]uint32 {
	return State(v.Cipher, v.Rounds, Bytes(v.Key), Bytes(v.Nonce), 0)
}

// A Derivation is a vector of HChaCha or HSalsa: Output is the 32-byte key
// derived from the key and the 16-byte input.
type Derivation struct {
	Name, Source       string
	Cipher             string
	Rounds             int
	Key, Input, Output string
}

// A MAC is a vector of Poly1305 under a 32-byte one-time key.
type MAC struct {
	Name, Source      string
	Key, Message, Tag string
}

// An AEAD is a vector of an authenticated cipher.
type AEAD struct {
	Name, Source string
	// Algorithm is "chacha20poly1305", "xchacha20poly1305" or
	// "xsalsa20poly1305" (secretbox).
	Algorithm                             string
	Key, Nonce, AdditionalData, Plaintext string
	// Sealed is the ciphertext with the tag as the algorithm places it: at the
	// end, except for xsalsa20poly1305, where it comes first.
	Sealed string
}

// Bytes decodes a string of hexadecimal digits. It panics if s is not one.
func Bytes(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic("vectors: " + err.Error())
	}
	return b
}

// State returns the 16 words of the matrix of the cipher ("chacha" or "salsa")
// for a key of 16 or 32 bytes and a nonce of 8, 12 (chacha) or 24 bytes. It
// panics on other lengths.
func State(cipher string, rounds int, key, nonce []byte, counter uint64) [16]uint32 {
	if len(nonce) == 24 {
		key = derive(cipher, rounds, key, nonce[:16])
		nonce = nonce[16:]
	}
	input := make([]byte, 0, 16)
	switch {
	case cipher == "chacha" && len(nonce) == 12:
		input = append(binary.LittleEndian.AppendUint32(input, uint32(counter)), nonce...)
	case cipher == "chacha" && len(nonce) == 8:
		input = append(binary.LittleEndian.AppendUint64(input, counter), nonce...)
	case cipher == "salsa" && len(nonce) == 8:
		input = binary.LittleEndian.AppendUint64(append(input, nonce...), counter)
	default:
		panic("vectors: cipher or nonce length")
	}
	return matrix(cipher, key, input)
}

// matrix arranges constants, key and the 16 bytes of nonce and counter.
func matrix(cipher string, key, input []byte) (m [16]uint32) {
	constants := words([]byte("expand 32-byte k"))
	if len(key) == 16 {
		constants = words([]byte("expand 16-byte k"))
		key = append(key[:16:16], key...)
	}
	k, in := words(key), words(input)
	if cipher == "chacha" {
		copy(m[0:], constants)
		copy(m[4:], k)
		copy(m[12:], in)
		return m
	}
	for i, c := range constants {
		m[5*i] = c
	}
	copy(m[1:], k[:4])
	copy(m[6:], in)
	copy(m[11:], k[4:])
	return m
}

// derive returns the subkey of the extended-nonce construction.
func derive(cipher string, rounds int, key, input []byte) []byte {
	m := matrix(cipher, key, input)
	sub := reference.HSalsa(&m, rounds)
	if cipher == "chacha" {
		sub = reference.HChaCha(&m, rounds)
	}
	var out []byte
	for _, w := range sub {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// words reads little-endian words.
func words(b []byte) []uint32 {
	w := make([]uint32, len(b)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}
