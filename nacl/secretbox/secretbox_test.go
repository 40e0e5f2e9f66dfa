package secretbox_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	xsecretbox "golang.org/x/crypto/nacl/secretbox"

	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/nacl/secretbox"
)

var key, nonce = [32]byte(twintest.Random(1, 32)), [24]byte(twintest.Random(2, 24))

// lengths are where the buffers, frames and kernels on the way of a message
// change.
var lengths = []int{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 96, 97, 224, 225, 992, 993, 1500, 5000}

func TestVectors(t *testing.T) {
	ran := 0
	for _, v := range vectors.AEADs {
		if v.Algorithm != "xsalsa20poly1305" {
			continue
		}
		key, nonce := [32]byte(vectors.Bytes(v.Key)), [24]byte(vectors.Bytes(v.Nonce))
		if got := secretbox.Seal(nil, vectors.Bytes(v.Plaintext), &nonce, &key); !bytes.Equal(got, vectors.Bytes(v.Sealed)) {
			t.Errorf("%s (%s): %x, want %s", v.Name, v.Source, got, v.Sealed)
		}
		got, ok := secretbox.Open(nil, vectors.Bytes(v.Sealed), &nonce, &key)
		if !ok || !bytes.Equal(got, vectors.Bytes(v.Plaintext)) {
			t.Errorf("%s (%s): open: %x, %v", v.Name, v.Source, got, ok)
		}
		ran++
	}
	if ran == 0 {
		t.Error("no vector")
	}
}

func TestOverlap(t *testing.T) {
	for _, n := range []int{0, 1, 16, 64, 80, 200, 1100} {
		message := twintest.Random(4, n)
		box := xsecretbox.Seal(nil, message, &nonce, &key)
		for k := -80; k <= 80; k++ {
			what := fmt.Sprintf("%d bytes, output %d after input", n, k)
			a, b := twintest.Random(3, n+200), twintest.Random(3, n+200)
			twintest.SamePanic(t, "Seal: "+what,
				func() { secretbox.Seal(a[80+k:][:0:n+16], a[80:][:n], &nonce, &key) },
				func() { xsecretbox.Seal(b[80+k:][:0:n+16], b[80:][:n], &nonce, &key) })
			if !bytes.Equal(a, b) {
				t.Fatalf("Seal: %s: wrong bytes", what)
			}
			for _, wrong := range []byte{0, 1} {
				copy(a[80:], box)
				a[80] ^= wrong
				copy(b, a)
				var gotOK, wantOK bool
				twintest.SamePanic(t, "Open: "+what,
					func() { _, gotOK = secretbox.Open(a[80+k:][:0:n], a[80:][:n+16], &nonce, &key) },
					func() { _, wantOK = xsecretbox.Open(b[80+k:][:0:n], b[80:][:n+16], &nonce, &key) })
				if gotOK != wantOK || !bytes.Equal(a, b) {
					t.Fatalf("Open: %s: wrong bytes, or %v and not %v", what, gotOK, wantOK)
				}
			}
		}
	}
}

func TestAppend(t *testing.T) {
	for _, n := range lengths {
		message := twintest.Random(7, n)
		want := xsecretbox.Seal([]byte("prefix"), message, &nonce, &key)
		for _, spare := range []int{0, n + 15, n + 16, n + 60} {
			buf := bytes.Repeat([]byte{0xaa}, 6+spare)
			copy(buf, "prefix")
			got := secretbox.Seal(buf[:6], message, &nonce, &key)
			checkAppended(t, fmt.Sprintf("Seal %d bytes with room for %d", n, spare), buf, got, want)
		}
		for _, spare := range []int{0, n - 1, n, n + 40} {
			buf := bytes.Repeat([]byte{0xaa}, 6+max(0, spare))
			copy(buf, "prefix")
			got, ok := secretbox.Open(buf[:6], want[6:], &nonce, &key)
			if !ok {
				t.Fatalf("%d bytes: not opened", n)
			}
			checkAppended(t, fmt.Sprintf("Open %d bytes with room for %d", n, spare), buf, got, slices.Concat([]byte("prefix"), message))
		}
	}
}

func checkAppended(t *testing.T, what string, buf, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: %x, want %x", what, got, want)
	}
	used := 6
	if len(want) <= len(buf) {
		used = len(want)
		if &got[0] != &buf[0] {
			t.Errorf("%s: the spare capacity was not used", what)
		}
	}
	for i, b := range buf[used:] {
		if b != 0xaa {
			t.Fatalf("%s: byte %d behind the result was written", what, i)
		}
	}
}

func TestShortBox(t *testing.T) {
	for n := range 17 {
		got, ok := secretbox.Open([]byte("prefix"), make([]byte, n), &nonce, &key)
		if got != nil || ok {
			t.Errorf("%d bytes: %x, %v", n, got, ok)
		}
	}
}

// TestFailedOpenWritesNothing differs from the AEADs, as x/crypto does: out is
// left as it was.
func TestFailedOpenWritesNothing(t *testing.T) {
	for _, n := range lengths {
		box := secretbox.Seal(nil, make([]byte, n), &nonce, &key)
		for _, at := range []int{0, 15, len(box) - 1} {
			box[at] ^= 0x80
			buf := bytes.Repeat([]byte{7}, n+60)
			got, ok := secretbox.Open(buf[:5], box, &nonce, &key)
			if got != nil || ok || !bytes.Equal(buf, bytes.Repeat([]byte{7}, n+60)) {
				t.Errorf("%d bytes: %x, %v, out %x", n, got, ok, buf)
			}
			box[at] ^= 0x80
		}
	}
}

// TestEveryBitCounts flips each bit of box, key and nonce.
func TestEveryBitCounts(t *testing.T) {
	for _, n := range []int{0, 1, 16, 65, 200} {
		key, nonce := key, nonce
		box := secretbox.Seal(nil, twintest.Random(11, n), &nonce, &key)
		for part, b := range map[string][]byte{"box": box, "key": key[:], "nonce": nonce[:]} {
			for bit := range 8 * len(b) {
				b[bit/8] ^= 1 << (bit % 8)
				if got, ok := secretbox.Open(nil, box, &nonce, &key); got != nil || ok {
					t.Fatalf("%d bytes: bit %d of the %s changed: opened", n, bit, part)
				}
				b[bit/8] ^= 1 << (bit % 8)
			}
		}
		for cut := 1; cut <= min(16, len(box)); cut++ {
			if _, ok := secretbox.Open(nil, box[:len(box)-cut], &nonce, &key); ok {
				t.Fatalf("%d bytes: opened without the last %d", n, cut)
			}
		}
	}
}
