package quarterround_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/registry"
)

func library(t testing.TB) *quarterround.Library {
	t.Helper()
	l, err := quarterround.Auto()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAuto(t *testing.T) {
	a, b := library(t), library(t)
	if a.Selection() != b.Selection() {
		t.Error("two calls of Auto, two selections")
	}
}

// TestArguments gives each constructor keys and nonces of all sizes, and
// algorithms of all kinds.
func TestArguments(t *testing.T) {
	l := library(t)
	for _, a := range registry.Algorithms() {
		isStream := !a.IsAEAD() && !a.IsMAC()
		for size := range 65 {
			if _, err := l.AEAD(a, make([]byte, size)); (err == nil) != (a.IsAEAD() && size == 32) {
				t.Errorf("AEAD(%v, key of %d bytes): %v", a, size, err)
			}
			if _, err := l.Stream(a, make([]byte, size), nonceOf(a)); (err == nil) != (isStream && size == 32) {
				t.Errorf("Stream(%v, key of %d bytes): %v", a, size, err)
			}
		}
		for size := range 33 {
			valid := false
			switch {
			case a == registry.XChaCha20 || a == registry.XSalsa20:
				valid = size == 24
			case a.Cipher() == registry.ChaCha:
				valid = size == 8 || size == 12
			case a.Cipher() == registry.Salsa:
				valid = size == 8
			}
			_, err := l.Stream(a, key, make([]byte, size))
			if (err == nil) != (isStream && valid) {
				t.Errorf("Stream(%v, nonce of %d bytes): %v", a, size, err)
			}
			if err != nil && !strings.Contains(err.Error(), a.String()) {
				t.Errorf("Stream(%v): %q does not name the algorithm", a, err)
			}
		}
	}
	for size := range 65 {
		if _, err := l.MAC(make([]byte, size)); (err == nil) != (size == 32) {
			t.Errorf("MAC(key of %d bytes): %v", size, err)
		}
	}
}

func TestStreamVectors(t *testing.T) {
	l := library(t)
	ran := map[registry.Algorithm]int{}
	for _, v := range append(append([]vectors.Stream{}, vectors.ChaCha...), vectors.Salsa...) {
		a, ok := algorithmOf(&v)
		if !ok {
			continue
		}
		s, err := l.Stream(a, vectors.Bytes(v.Key), vectors.Bytes(v.Nonce))
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		if _, err := s.Seek(int64(64*v.Counter), io.SeekStart); err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		got := v.Message()
		s.XORKeyStream(got, got)
		if !bytes.Equal(got, vectors.Bytes(v.Ciphertext)) {
			t.Errorf("%v: %s (%s): %x", a, v.Name, v.Source, got)
		}
		ran[a]++
	}
	for _, a := range registry.Algorithms() {
		if !a.IsAEAD() && !a.IsMAC() && ran[a] == 0 {
			t.Errorf("no vector of %v", a)
		}
	}
}

// algorithmOf returns the algorithm of a vector; ok is false if the API does not
// reach it.
func algorithmOf(v *vectors.Stream) (a registry.Algorithm, ok bool) {
	if len(v.Key) != 64 || v.Counter > 1<<57 {
		return 0, false
	}
	name := map[string]string{"chacha": "chacha%d", "salsa": "salsa20r%d"}[v.Cipher]
	name = fmt.Sprintf(name, v.Rounds)
	if name == "salsa20r20" {
		name = "salsa20"
	}
	if len(v.Nonce) == 48 {
		name = "x" + name
	}
	return registry.ParseAlgorithm(name)
}

func TestAEADVectors(t *testing.T) {
	l := library(t)
	for _, v := range vectors.AEADs {
		a, ok := registry.ParseAlgorithm(v.Algorithm)
		if !ok {
			t.Fatalf("%s: algorithm %q", v.Name, v.Algorithm)
		}
		c, err := l.AEAD(a, vectors.Bytes(v.Key))
		if err != nil {
			t.Fatal(err)
		}
		additional := vectors.Bytes(v.AdditionalData)
		sealed := c.Seal(nil, vectors.Bytes(v.Nonce), vectors.Bytes(v.Plaintext), additional)
		if !bytes.Equal(sealed, vectors.Bytes(v.Sealed)) {
			t.Errorf("%v: %s (%s): %x", a, v.Name, v.Source, sealed)
		}
		opened, err := c.Open(nil, vectors.Bytes(v.Nonce), sealed, additional)
		if err != nil || !bytes.Equal(opened, vectors.Bytes(v.Plaintext)) {
			t.Errorf("%v: %s: %x, %v", a, v.Name, opened, err)
		}
	}
}

// TestBox is about what only XSalsa20-Poly1305 as a cipher.AEAD does.
func TestBox(t *testing.T) {
	c, err := library(t).AEAD(registry.XSalsa20Poly1305, key)
	if err != nil {
		t.Fatal(err)
	}
	if c.NonceSize() != 24 || c.Overhead() != 16 {
		t.Errorf("sizes %d and %d", c.NonceSize(), c.Overhead())
	}
	for n := range 33 {
		if text := twintest.Panic(func() { c.Seal(nil, make([]byte, n), nil, nil) }); (text == "") != (n == 24) {
			t.Errorf("Seal with a nonce of %d bytes: panic %q", n, text)
		}
		if text := twintest.Panic(func() { c.Open(nil, make([]byte, n), nil, nil) }); (text == "") != (n == 24) {
			t.Errorf("Open with a nonce of %d bytes: panic %q", n, text)
		}
	}
	sealed := c.Seal([]byte("prefix"), nonce, []byte("message"), nil)
	if !bytes.HasPrefix(sealed, []byte("prefix")) {
		t.Error("the prefix is gone")
	}
	sealed = sealed[6:]
	room := make([]byte, 90)
	for name, f := range map[string]func(){
		"additional data":     func() { c.Seal(nil, nonce, nil, []byte{1}) },
		"additional data ":    func() { c.Open(nil, nonce, sealed, []byte{1}) },
		"overlap":             func() { c.Seal(room[:0], nonce, room[:7], nil) },
		"overlap with output": func() { c.Open(sealed[:0], nonce, sealed, nil) },
	} {
		if text := twintest.Panic(f); !strings.Contains(text, strings.Fields(name)[0]) {
			t.Errorf("%s: panic %q", name, text)
		}
	}
	for n := range 17 {
		if got, err := c.Open(nil, nonce, make([]byte, n), nil); err == nil || got != nil {
			t.Errorf("%d bytes: %x, %v", n, got, err)
		}
	}
	for bit := range 8 * len(sealed) {
		sealed[bit/8] ^= 1 << (bit % 8)
		dst := make([]byte, 7)
		if _, err := c.Open(dst[:0], nonce, sealed, nil); err == nil || !bytes.Equal(dst, make([]byte, 7)) {
			t.Errorf("bit %d changed: %v, dst %x", bit, err, dst)
		}
		sealed[bit/8] ^= 1 << (bit % 8)
	}
}

func TestMAC(t *testing.T) {
	for _, v := range vectors.Poly1305 {
		m, err := library(t).MAC(vectors.Bytes(v.Key))
		if err != nil {
			t.Fatal(err)
		}
		message := vectors.Bytes(v.Message)
		for i := range message {
			m.Write(message[i : i+1])
		}
		if got := m.Sum([]byte{9}); got[0] != 9 || !bytes.Equal(got[1:], vectors.Bytes(v.Tag)) || !m.Verify(got[1:]) || m.Verify(got) || m.Verify(nil) {
			t.Errorf("%s (%s): %x", v.Name, v.Source, got)
		}
		if twintest.Panic(func() { m.Write(nil) }) == "" {
			t.Error("Write after Sum: no panic")
		}
	}
	m, err := library(t).MAC(key)
	if err != nil {
		t.Fatal(err)
	}
	m.Verify(nil)
	if twintest.Panic(func() { m.Write(nil) }) == "" {
		t.Error("Write after Verify: no panic")
	}
}

func TestStreamPanics(t *testing.T) {
	l := library(t)
	for _, a := range registry.Algorithms() {
		if a.IsAEAD() || a.IsMAC() {
			continue
		}
		s, err := l.Stream(a, key, nonceOf(a))
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		for _, f := range []func(){
			func() { s.XORKeyStream(buf[:9], buf[:10]) },
			func() { s.XORKeyStream(buf[1:], buf[:50]) },
		} {
			if text := twintest.Panic(f); !strings.HasPrefix(text, a.String()+": ") || !bytes.Equal(buf, make([]byte, 100)) {
				t.Errorf("%v: panic %q, buffer %x", a, text, buf)
			}
		}
	}
}
