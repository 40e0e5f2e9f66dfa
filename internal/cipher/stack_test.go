package cipher_test

import (
	"bytes"
	"testing"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

//go:noinline
func deep(depth int, f func()) {
	if depth == 0 {
		f()
		return
	}
	deep(depth-1, f)
}

// TestGrowingStack seals on goroutines with more and more of their stack in use, so
// that it grows, and moves, at every place: kernels written in Go must find their
// arguments all the same.
func TestGrowingStack(t *testing.T) {
	const depths = 150
	a := registry.XChaCha20Poly1305
	for _, force := range []string{"generic", "wide"} {
		sel, err := registry.Select(registry.WithOverride(a.String() + "=" + force))
		if err != nil {
			t.Fatal(err)
		}
		c := new(cipher.AEAD)
		c.Init(sel.Source(a), a, make([]byte, 32))
		nonce := make([]byte, c.NonceSize())
		for _, n := range []int{0, 129, 1350} {
			want := c.Seal(nil, nonce, make([]byte, n), nil)
			for depth := range depths {
				done := make(chan []byte)
				go deep(depth, func() { done <- c.Seal(nil, nonce, make([]byte, n), nil) })
				if !bytes.Equal(<-done, want) {
					t.Fatalf("%s, %d bytes: wrong at depth %d", force, n, depth)
				}
			}
		}
	}
}
