package dropin_test

import (
	"fmt"
	"testing"

	"github.com/quarterround/quarterround/chacha20"
	"github.com/quarterround/quarterround/chacha20poly1305"
	"github.com/quarterround/quarterround/nacl/secretbox"
	"github.com/quarterround/quarterround/poly1305"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/salsa20"
)

// room is the largest message of the allocation tests; its buffers still fit on
// a stack.
const room = 16 << 10

// TestNoAllocations declares keys and buffers inside the measured functions: if
// any of them escaped, each run would allocate.
func TestNoAllocations(t *testing.T) {
	// Else an algorithm is measured in the background after its first MiB, and the
	// allocations of that are counted here.
	if _, err := registry.Auto(); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 64, 100, 200, 256, 300, 600, 1000, 1350, 4096, room} {
		check := func(name string, f func()) {
			t.Run(fmt.Sprintf("%s/size=%d", name, n), func(t *testing.T) {
				if allocs := testing.AllocsPerRun(20, f); allocs != 0 {
					t.Errorf("%v allocations", allocs)
				}
			})
		}
		check("chacha20", func() {
			var key [32]byte
			var nonce [12]byte
			var dst, src [room]byte
			c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:])
			if err != nil {
				panic(err)
			}
			c.XORKeyStream(dst[:n], src[:n])
		})
		for _, size := range []int{8, 24} {
			check("salsa20", func() {
				var key [32]byte
				var nonce [24]byte
				var dst, src [room]byte
				salsa20.XORKeyStream(dst[:n], src[:n], nonce[:size], &key)
			})
		}
		check("poly1305", func() {
			var key [32]byte
			var msg [room]byte
			var tag [16]byte
			poly1305.Sum(&tag, msg[:n], &key)
			if !poly1305.Verify(&tag, msg[:n], &key) {
				panic("not verified")
			}
		})
		check("secretbox", func() {
			var key [32]byte
			var nonce [24]byte
			var msg [room]byte
			var box, opened [room + secretbox.Overhead]byte
			sealed := secretbox.Seal(box[:0], msg[:n], &nonce, &key)
			if _, ok := secretbox.Open(opened[:0], sealed, &nonce, &key); !ok {
				panic("not opened")
			}
		})
		for name, constructor := range map[string]func([]byte) (*chacha20poly1305.AEAD, error){
			"chacha20poly1305": chacha20poly1305.NewAEAD, "xchacha20poly1305": chacha20poly1305.NewAEADX,
		} {
			a, err := constructor(make([]byte, 32))
			if err != nil {
				t.Fatal(err)
			}
			check(name, func() {
				var nonce [24]byte
				var msg [room]byte
				var additional [13]byte
				var sealed, opened [room + chacha20poly1305.Overhead]byte
				box := a.Seal(sealed[:0], nonce[:a.NonceSize()], msg[:n], additional[:])
				if _, err := a.Open(opened[:0], nonce[:a.NonceSize()], box, additional[:]); err != nil {
					panic(err)
				}
			})
		}
		check("chacha20poly1305 handle", func() {
			var key [32]byte
			a, err := chacha20poly1305.NewAEAD(key[:])
			if err != nil || a.Overhead() != 16 {
				panic(err)
			}
		})
	}
}
