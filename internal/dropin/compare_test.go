package dropin_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	xchacha20 "golang.org/x/crypto/chacha20"
	xaead "golang.org/x/crypto/chacha20poly1305"
	xsecretbox "golang.org/x/crypto/nacl/secretbox"
	//lint:ignore SA1019 an independent oracle
	xpoly1305 "golang.org/x/crypto/poly1305"
	xsalsa20 "golang.org/x/crypto/salsa20"

	"github.com/quarterround/quarterround/chacha20"
	"github.com/quarterround/quarterround/chacha20poly1305"
	"github.com/quarterround/quarterround/nacl/secretbox"
	"github.com/quarterround/quarterround/poly1305"
	"github.com/quarterround/quarterround/salsa20"
)

// lengths are all short ones and some around the limits of pieces and plans.
func lengths() []int {
	var all []int
	for n := range 1100 {
		if !testing.Short() || n < 70 || n%64 < 2 || n%37 == 0 {
			all = append(all, n)
		}
	}
	return append(all, 2047, 2048, 2049, 4095, 4096, 8191, 16383, 16384, 16385, 16448, 65535, 65536, 65537, 140000)
}

func random(r *rand.ChaCha8, n int) []byte {
	b := make([]byte, n)
	r.Read(b)
	return b
}

func TestSameBytesAsXCrypto(t *testing.T) {
	r := rand.NewChaCha8([32]byte{1})
	key := [32]byte(random(r, 32))
	nonce := [24]byte(random(r, 24))
	for _, n := range lengths() {
		msg := random(r, n)
		additional := random(r, n%97)

		for _, size := range []int{12, 24} {
			c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:size])
			if err != nil {
				t.Fatal(err)
			}
			x, _ := xchacha20.NewUnauthenticatedCipher(key[:], nonce[:size])
			got, want := make([]byte, n), make([]byte, n)
			cut := n / 3
			c.XORKeyStream(got[:cut], msg[:cut])
			c.XORKeyStream(got[cut:], msg[cut:])
			x.XORKeyStream(want, msg)
			equal(t, "chacha20", n, got, want)
		}
		for _, size := range []int{8, 24} {
			got, want := make([]byte, n), make([]byte, n)
			salsa20.XORKeyStream(got, msg, nonce[:size], &key)
			xsalsa20.XORKeyStream(want, msg, nonce[:size], &key)
			equal(t, "salsa20", n, got, want)
		}
		var got, want [16]byte
		poly1305.Sum(&got, msg, &key)
		xpoly1305.Sum(&want, msg, &key)
		equal(t, "poly1305", n, got[:], want[:])
		mac := poly1305.New(&key)
		for rest := msg; len(rest) > 0; {
			piece := min(len(rest), 1+len(rest)%41)
			mac.Write(rest[:piece])
			rest = rest[piece:]
		}
		equal(t, "poly1305 in pieces", n, mac.Sum(nil), want[:])

		a, err := chacha20poly1305.New(key[:])
		if err != nil {
			t.Fatal(err)
		}
		x, _ := xaead.New(key[:])
		sealed := a.Seal(nil, nonce[:12], msg, additional)
		equal(t, "chacha20poly1305", n, sealed, x.Seal(nil, nonce[:12], msg, additional))
		opened, err := a.Open(nil, nonce[:12], sealed, additional)
		if err != nil {
			t.Fatalf("chacha20poly1305: %d bytes: %v", n, err)
		}
		equal(t, "chacha20poly1305 open", n, opened, msg)
		ax, _ := chacha20poly1305.NewX(key[:])
		xx, _ := xaead.NewX(key[:])
		equal(t, "xchacha20poly1305", n, ax.Seal(nil, nonce[:], msg, additional), xx.Seal(nil, nonce[:], msg, additional))

		box := secretbox.Seal(nil, msg, &nonce, &key)
		equal(t, "secretbox", n, box, xsecretbox.Seal(nil, msg, &nonce, &key))
		opened, ok := secretbox.Open(nil, box, &nonce, &key)
		if !ok {
			t.Fatalf("secretbox: %d bytes: not opened", n)
		}
		equal(t, "secretbox open", n, opened, msg)
	}
}

func equal(t *testing.T, what string, n int, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: %d bytes: got %x, want %x", what, n, got, want)
	}
}
