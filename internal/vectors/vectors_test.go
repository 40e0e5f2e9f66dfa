package vectors

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/nacl/secretbox"
	"golang.org/x/crypto/poly1305" //lint:ignore SA1019 an independent oracle
	"golang.org/x/crypto/salsa20"
	"golang.org/x/crypto/salsa20/salsa" //lint:ignore SA1019 an independent oracle
)

// referenceXOR encrypts src by the reference routines, at any length.
func referenceXOR(cipher string, rounds int, state [16]uint32, src []byte) []byte {
	buf := make([]byte, (len(src)+63)/64*64)
	copy(buf, src)
	if cipher == "chacha" {
		reference.XORChaCha(buf, buf, &state, rounds)
	} else {
		reference.XORSalsa(buf, buf, &state, rounds)
	}
	return buf[:len(src)]
}

func TestReferenceStreams(t *testing.T) {
	for _, v := range append(append([]Stream{}, ChaCha...), Salsa...) {
		got := referenceXOR(v.Cipher, v.Rounds, v.State(), v.Message())
		if !bytes.Equal(got, Bytes(v.Ciphertext)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, got)
		}
	}
}

func TestReferenceDigests(t *testing.T) {
	for _, v := range Digests {
		stream := referenceXOR(v.Cipher, v.Rounds, v.State(), make([]byte, v.Length))
		if got := fold(stream); !bytes.Equal(got, Bytes(v.XOR)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, got)
		}
	}
}

func fold(stream []byte) []byte {
	sum := make([]byte, 64)
	for i, b := range stream {
		sum[i%64] ^= b
	}
	return sum
}

func TestReferenceDerivations(t *testing.T) {
	for _, v := range Derivations {
		if got := derive(v.Cipher, v.Rounds, Bytes(v.Key), Bytes(v.Input)); !bytes.Equal(got, Bytes(v.Output)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, got)
		}
	}
}

// TestChaCha20 checks the 20-round ChaCha vectors with 12- and 24-byte nonces
// against golang.org/x/crypto.
func TestChaCha20(t *testing.T) {
	checked := 0
	for _, v := range ChaCha {
		nonce := Bytes(v.Nonce)
		if v.Rounds != 20 || len(nonce) == 8 || len(v.Key) != 64 {
			continue
		}
		c, err := chacha20.NewUnauthenticatedCipher(Bytes(v.Key), nonce)
		if err != nil {
			t.Fatal(err)
		}
		c.SetCounter(uint32(v.Counter))
		got := v.Message()
		c.XORKeyStream(got, got)
		if !bytes.Equal(got, Bytes(v.Ciphertext)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, got)
		}
		checked++
	}
	if checked < 10 {
		t.Errorf("only %d vectors checked", checked)
	}
}

// TestSalsa20 checks the 20-round Salsa20 vectors against golang.org/x/crypto.
func TestSalsa20(t *testing.T) {
	for _, v := range Salsa {
		if v.Rounds != 20 || len(v.Key) != 64 {
			continue
		}
		got, key, nonce := v.Message(), [32]byte(Bytes(v.Key)), Bytes(v.Nonce)
		if len(nonce) == 24 {
			salsa20.XORKeyStream(got, got, nonce, &key)
		} else {
			var counter [16]byte
			copy(counter[:], nonce)
			binary.LittleEndian.PutUint64(counter[8:], v.Counter)
			salsa.XORKeyStream(got, got, &counter, &key)
		}
		if !bytes.Equal(got, Bytes(v.Ciphertext)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, got)
		}
	}
}

func TestDigestsSalsa20(t *testing.T) {
	for _, v := range Digests {
		key := [32]byte(Bytes(v.Key))
		stream := make([]byte, v.Length)
		salsa20.XORKeyStream(stream, stream, Bytes(v.Nonce), &key)
		if got := fold(stream); !bytes.Equal(got, Bytes(v.XOR)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, got)
		}
	}
}

func TestPoly1305(t *testing.T) {
	for _, v := range Poly1305 {
		key := [32]byte(Bytes(v.Key))
		var tag [16]byte
		poly1305.Sum(&tag, Bytes(v.Message), &key)
		if !bytes.Equal(tag[:], Bytes(v.Tag)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, tag)
		}
	}
}

func TestAEADs(t *testing.T) {
	for _, v := range AEADs {
		if got := seal(t, &v); !bytes.Equal(got, Bytes(v.Sealed)) {
			t.Errorf("%s, %s: got %x", v.Source, v.Name, got)
		}
	}
}

func seal(t *testing.T, v *AEAD) []byte {
	key, nonce, plaintext := Bytes(v.Key), Bytes(v.Nonce), Bytes(v.Plaintext)
	switch v.Algorithm {
	case "xsalsa20poly1305":
		k, n := [32]byte(key), [24]byte(nonce)
		return secretbox.Seal(nil, plaintext, &n, &k)
	case "chacha20poly1305":
		c, err := chacha20poly1305.New(key)
		if err != nil {
			t.Fatal(err)
		}
		return c.Seal(nil, nonce, plaintext, Bytes(v.AdditionalData))
	case "xchacha20poly1305":
		c, err := chacha20poly1305.NewX(key)
		if err != nil {
			t.Fatal(err)
		}
		return c.Seal(nil, nonce, plaintext, Bytes(v.AdditionalData))
	}
	t.Fatalf("unknown algorithm %q", v.Algorithm)
	return nil
}

// TestSources keeps the set from shrinking unnoticed.
func TestSources(t *testing.T) {
	count := map[string]int{}
	for _, v := range append(append([]Stream{}, ChaCha...), Salsa...) {
		count[v.Source]++
	}
	for _, v := range Poly1305 {
		count[v.Source]++
	}
	for _, v := range AEADs {
		count[v.Source]++
	}
	for source, want := range map[string]int{
		"RFC 8439 section 2.3.2": 1, "RFC 8439 section 2.4.2": 1, "RFC 8439 section 2.5.2": 1,
		"RFC 8439 section 2.6.2": 1, "RFC 8439 section 2.8.2": 1, "RFC 8439 section A.1": 5,
		"RFC 8439 section A.2": 2, "RFC 8439 section A.3": 11, "RFC 8439 section A.4": 3, "RFC 8439 section A.5": 1,
		"draft-strombergson-chacha-test-vectors-01": 21,
	} {
		if count[source] < want {
			t.Errorf("%s: %d vectors, want %d", source, count[source], want)
		}
	}
}
