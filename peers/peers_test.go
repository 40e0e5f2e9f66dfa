package peers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

// lengths are on both sides of block and step sizes.
var lengths = []int{0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300, 511, 512, 513, 576, 1000, 1024, 1350, 2049, 4096, 16384, 70000}

// TestSameBytes compares each peer with ours.
func TestSameBytes(t *testing.T) {
	for _, l := range append(C(), XCrypto()) {
		t.Run(l.Name, func(t *testing.T) {
			if l.Missing != "" {
				testenv.Missing(t, fmt.Sprintf("%s (Debian package %s)", l.Missing, l.Package))
			}
			for _, algorithm := range Algorithms {
				if l.Has(algorithm) {
					t.Run(algorithm, func(t *testing.T) { compare(t, l, algorithm) })
				}
			}
		})
	}
}

func compare(t *testing.T, l *Library, algorithm string) {
	random := rand.NewChaCha8([32]byte{1})
	key := new([32]byte)
	random.Read(key[:])
	ours, theirs := Ours().New(algorithm, key), l.New(algorithm, key)
	for _, n := range lengths {
		in, nonce := Input(algorithm, key, n, random)
		size, _ := Sizes(algorithm, n)
		want, got := make([]byte, size), make([]byte, size)
		if !ours(want, in, nonce, 1) || !theirs(got, in, nonce, 2) {
			t.Fatalf("refused at %d bytes", n)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("other bytes than ours at %d bytes", n)
		}
		if size != n+TagSize && len(in) == n+TagSize { // opening
			in[0] ^= 1
			if ours(want, in, nonce, 1) || theirs(got, in, nonce, 1) {
				t.Errorf("forgery accepted at %d bytes", n)
			}
		}
	}
}
