package chacha20poly1305_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"slices"
	"sync"
	"testing"

	xaead "golang.org/x/crypto/chacha20poly1305"

	"github.com/quarterround/quarterround/chacha20poly1305"
	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
)

var key, nonce = twintest.Random(1, 32), twintest.Random(2, 24)

// A twin is one AEAD of this package and the same of x/crypto.
type twin struct {
	name         string
	ours, theirs cipher.AEAD
}

func (tw *twin) nonce() []byte { return nonce[:tw.ours.NonceSize()] }

func twins(t testing.TB) []twin {
	t.Helper()
	must := func(a cipher.AEAD, err error) cipher.AEAD {
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	return []twin{
		{"New", must(chacha20poly1305.New(key)), must(xaead.New(key))},
		{"NewX", must(chacha20poly1305.NewX(key)), must(xaead.NewX(key))},
	}
}

// lengths are where the buffers, frames and kernels on the way of a message
// change.
var lengths = []int{0, 1, 15, 16, 17, 63, 64, 65, 191, 192, 193, 320, 960, 961, 1023, 1500, 5000}

func TestConstructors(t *testing.T) {
	for n := range 65 {
		what := fmt.Sprintf("key of %d bytes", n)
		a, err := chacha20poly1305.New(make([]byte, n))
		_, want := xaead.New(make([]byte, n))
		twintest.SameError(t, what, err, want)
		if (a == nil) != (err != nil) {
			t.Errorf("%s: %v and %v", what, a, err)
		}
		a, err = chacha20poly1305.NewX(make([]byte, n))
		_, want = xaead.NewX(make([]byte, n))
		twintest.SameError(t, what, err, want)
		if (a == nil) != (err != nil) {
			t.Errorf("%s: %v and %v", what, a, err)
		}
		for _, constructor := range []func([]byte) (*chacha20poly1305.AEAD, error){chacha20poly1305.NewAEAD, chacha20poly1305.NewAEADX} {
			if a, err := constructor(make([]byte, n)); (err == nil) != (n == 32) || (a == nil) != (err != nil) {
				t.Errorf("%s: %v, %v", what, a, err)
			}
		}
	}
	for _, tw := range twins(t) {
		if tw.ours.NonceSize() != tw.theirs.NonceSize() || tw.ours.Overhead() != tw.theirs.Overhead() {
			t.Errorf("%s: sizes %d and %d", tw.name, tw.ours.NonceSize(), tw.ours.Overhead())
		}
	}
}

func TestVectors(t *testing.T) {
	for _, v := range vectors.AEADs {
		constructor := chacha20poly1305.New
		switch v.Algorithm {
		case "chacha20poly1305":
		case "xchacha20poly1305":
			constructor = chacha20poly1305.NewX
		default:
			continue
		}
		a, err := constructor(vectors.Bytes(v.Key))
		if err != nil {
			t.Fatal(err)
		}
		additional, plaintext, sealed := vectors.Bytes(v.AdditionalData), vectors.Bytes(v.Plaintext), vectors.Bytes(v.Sealed)
		if got := a.Seal(nil, vectors.Bytes(v.Nonce), plaintext, additional); !bytes.Equal(got, sealed) {
			t.Errorf("%s (%s): %x, want %x", v.Name, v.Source, got, sealed)
		}
		got, err := a.Open(nil, vectors.Bytes(v.Nonce), sealed, additional)
		if err != nil || !bytes.Equal(got, plaintext) {
			t.Errorf("%s (%s): open: %x, %v", v.Name, v.Source, got, err)
		}
	}
}

func TestNonceSizes(t *testing.T) {
	for _, tw := range twins(t) {
		for n := range 33 {
			text := twintest.SamePanic(t, fmt.Sprintf("%s: Seal with a nonce of %d bytes", tw.name, n),
				func() { tw.ours.Seal(nil, make([]byte, n), nil, nil) }, func() { tw.theirs.Seal(nil, make([]byte, n), nil, nil) })
			if (text == "") != (n == tw.ours.NonceSize()) {
				t.Errorf("%s: nonce of %d bytes: panic %q", tw.name, n, text)
			}
			twintest.SamePanic(t, fmt.Sprintf("%s: Open with a nonce of %d bytes", tw.name, n),
				func() { tw.ours.Open(nil, make([]byte, n), nil, nil) }, func() { tw.theirs.Open(nil, make([]byte, n), nil, nil) })
		}
	}
}

// TestOverlap moves the output over the input, which is inside of one buffer.
func TestOverlap(t *testing.T) {
	for _, tw := range twins(t) {
		for _, n := range []int{0, 1, 16, 64, 80, 200, 1100} {
			for k := -80; k <= 80; k++ {
				what := fmt.Sprintf("%s: %d bytes, output %d after input", tw.name, n, k)
				a, b := twintest.Random(3, n+200), twintest.Random(3, n+200)
				before := bytes.Clone(a)
				text := twintest.SamePanic(t, "Seal: "+what,
					func() { tw.ours.Seal(a[80+k:][:0:n+16], tw.nonce(), a[80:][:n], nil) },
					func() { tw.theirs.Seal(b[80+k:][:0:n+16], tw.nonce(), b[80:][:n], nil) })
				if text != "" {
					b = before
				}
				if !bytes.Equal(a, b) {
					t.Fatalf("Seal: %s: wrong bytes", what)
				}
				testOpenOverlap(t, &tw, what, n, k)
			}
		}
	}
}

func testOpenOverlap(t *testing.T, tw *twin, what string, n, k int) {
	t.Helper()
	message := twintest.Random(4, n)
	a := make([]byte, n+200)
	tw.theirs.Seal(a[:80], tw.nonce(), message, nil)
	b := bytes.Clone(a)
	before := bytes.Clone(a)
	var got []byte
	var err error
	text := twintest.Panic(func() { got, err = tw.ours.Open(a[80+k:][:0:n], tw.nonce(), a[80:][:n+16], nil) })
	if want := twintest.Panic(func() { tw.theirs.Open(b[80+k:][:0:n], tw.nonce(), b[80:][:n+16], nil) }); text != want {
		t.Errorf("Open: %s: panic %q, x/crypto %q", what, text, want)
	}
	if text != "" {
		if !bytes.Equal(a, before) {
			t.Fatalf("Open: %s: written before the panic", what)
		}
		return
	}
	if err != nil || !bytes.Equal(got, message) {
		t.Fatalf("Open: %s: wrong bytes or %v", what, err)
	}
}

// TestOverlapAdditional lays the additional data over the output.
func TestOverlapAdditional(t *testing.T) {
	for _, tw := range twins(t) {
		for k := -80; k <= 80; k++ {
			what := fmt.Sprintf("%s: additional data %d after the output", tw.name, k)
			a, b := twintest.Random(5, 300), twintest.Random(5, 300)
			message := twintest.Random(6, 40)
			additional := 20
			twintest.SamePanic(t, "Seal: "+what,
				func() { tw.ours.Seal(a[80:][:0:56], tw.nonce(), message, a[80+k:][:additional]) },
				func() { tw.theirs.Seal(b[80:][:0:56], tw.nonce(), message, b[80+k:][:additional]) })
			if !bytes.Equal(a, b) {
				t.Fatalf("Seal: %s: wrong bytes", what)
			}
			sealed := tw.theirs.Seal(nil, tw.nonce(), message, b[80+k:][:additional])
			copy(a, b)
			twintest.SamePanic(t, "Open: "+what,
				func() { tw.ours.Open(a[80:][:0:40], tw.nonce(), sealed, a[80+k:][:additional]) },
				func() { tw.theirs.Open(b[80:][:0:40], tw.nonce(), sealed, b[80+k:][:additional]) })
			if !bytes.Equal(a, b) {
				t.Fatalf("Open: %s: wrong bytes", what)
			}
		}
	}
}

// TestAppend looks at the prefix, at spare capacity and at what lies behind the
// result.
func TestAppend(t *testing.T) {
	for _, tw := range twins(t) {
		for _, n := range lengths {
			message, additional := twintest.Random(7, n), twintest.Random(8, n%50)
			want := tw.theirs.Seal([]byte("prefix"), tw.nonce(), message, additional)
			for _, spare := range []int{0, n + 15, n + 16, n + 60} {
				buf := bytes.Repeat([]byte{0xaa}, 6+spare)
				copy(buf, "prefix")
				got := tw.ours.Seal(buf[:6], tw.nonce(), message, additional)
				checkAppended(t, fmt.Sprintf("%s: Seal %d bytes with room for %d", tw.name, n, spare), buf, got, want)
			}
			for _, spare := range []int{0, n - 1, n, n + 40} {
				buf := bytes.Repeat([]byte{0xaa}, 6+max(0, spare))
				copy(buf, "prefix")
				got, err := tw.ours.Open(buf[:6], tw.nonce(), want[6:], additional)
				if err != nil {
					t.Fatal(err)
				}
				checkAppended(t, fmt.Sprintf("%s: Open %d bytes with room for %d", tw.name, n, spare), buf, got, slices.Concat([]byte("prefix"), message))
			}
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

// TestShortCiphertext opens what is too short to be one, and what is just a tag.
func TestShortCiphertext(t *testing.T) {
	for _, tw := range twins(t) {
		for n := range 17 {
			dst := bytes.Repeat([]byte{7}, 40)
			got, err := tw.ours.Open(dst[:4], tw.nonce(), make([]byte, n), nil)
			_, want := tw.theirs.Open(nil, tw.nonce(), make([]byte, n), nil)
			twintest.SameError(t, fmt.Sprintf("%s: %d bytes", tw.name, n), err, want)
			if got != nil || err == nil || !bytes.Equal(dst, bytes.Repeat([]byte{7}, 40)) {
				t.Errorf("%s: %d bytes: %x, %v, dst %x", tw.name, n, got, err, dst)
			}
		}
	}
}

// TestFailedOpenIsZeroed compares what a failed Open leaves in dst: zeros where
// the plaintext would be, and nothing else.
func TestFailedOpenIsZeroed(t *testing.T) {
	for _, tw := range twins(t) {
		for _, n := range lengths {
			sealed := tw.ours.Seal(nil, tw.nonce(), twintest.Random(9, n), nil)
			sealed[len(sealed)-1] ^= 1
			a, b := bytes.Repeat([]byte{7}, n+60), bytes.Repeat([]byte{7}, n+60)
			got, err := tw.ours.Open(a[:5], tw.nonce(), sealed, nil)
			_, want := tw.theirs.Open(b[:5], tw.nonce(), sealed, nil)
			twintest.SameError(t, fmt.Sprintf("%s: %d bytes", tw.name, n), err, want)
			if got != nil || !bytes.Equal(a, b) {
				t.Errorf("%s: %d bytes: result %x, dst\n%x, x/crypto\n%x", tw.name, n, got, a, b)
			}
			// In place too.
			if got, err := tw.ours.Open(sealed[:0], tw.nonce(), sealed, nil); got != nil || err == nil {
				t.Errorf("%s: %d bytes in place: %x, %v", tw.name, n, got, err)
			}
			if !bytes.Equal(sealed[:n], make([]byte, n)) {
				t.Errorf("%s: %d bytes in place: not zeroed", tw.name, n)
			}
		}
	}
}

// TestEveryBitCounts flips each bit of tag, ciphertext, additional data and
// nonce.
func TestEveryBitCounts(t *testing.T) {
	for _, tw := range twins(t) {
		for _, n := range []int{0, 1, 16, 65, 200} {
			n, additional := bytes.Clone(tw.nonce()), twintest.Random(10, n%40+1)
			sealed := tw.ours.Seal(nil, n, twintest.Random(11, len(additional)*4), additional)
			for part, b := range map[string][]byte{"sealed": sealed, "additional data": additional, "nonce": n} {
				for bit := range 8 * len(b) {
					b[bit/8] ^= 1 << (bit % 8)
					if got, err := tw.ours.Open(nil, n, sealed, additional); got != nil || err == nil {
						t.Fatalf("%s: bit %d of the %s changed: opened", tw.name, bit, part)
					}
					b[bit/8] ^= 1 << (bit % 8)
				}
			}
			for cut := 1; cut <= 16; cut++ {
				if _, err := tw.ours.Open(nil, n, sealed[:len(sealed)-cut], additional); err == nil {
					t.Fatalf("%s: opened without the last %d bytes", tw.name, cut)
				}
			}
			if _, err := tw.ours.Open(nil, n, sealed, append(additional, 0)); err == nil {
				t.Fatalf("%s: opened with a zero after the additional data", tw.name)
			}
		}
	}
}

// TestAdditionalLengths takes additional data of every short length, around the
// sizes at which messages leave the buffers on the stack.
func TestAdditionalLengths(t *testing.T) {
	for _, tw := range twins(t) {
		for _, n := range []int{0, 5, 64, 200, 700, 3000} {
			message := twintest.Random(12, n)
			for additional := range 200 {
				a := twintest.Random(13, additional)
				got, want := tw.ours.Seal(nil, tw.nonce(), message, a), tw.theirs.Seal(nil, tw.nonce(), message, a)
				if !bytes.Equal(got, want) {
					t.Fatalf("%s: %d bytes and %d of additional data: %x, want %x", tw.name, n, additional, got, want)
				}
				if opened, err := tw.ours.Open(nil, tw.nonce(), want, a); err != nil || !bytes.Equal(opened, message) {
					t.Fatalf("%s: %d bytes and %d of additional data: not opened: %v", tw.name, n, additional, err)
				}
			}
		}
	}
}

func TestKeyCounts(t *testing.T) {
	a, err := chacha20poly1305.New(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	b, err := chacha20poly1305.New(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(a.Seal(nil, nonce[:12], nil, nil), b.Seal(nil, nonce[:12], nil, nil)) {
		t.Error("two keys, one result")
	}
}

// TestConcurrent uses one AEAD from many goroutines.
func TestConcurrent(t *testing.T) {
	for _, tw := range twins(t) {
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				n := bytes.Clone(tw.nonce())
				n[0] = byte(g)
				for _, length := range lengths {
					message := twintest.Random(byte(g), length)
					sealed := tw.ours.Seal(nil, n, message, n)
					if !bytes.Equal(sealed, tw.theirs.Seal(nil, n, message, n)) {
						t.Errorf("%s: %d bytes: wrong", tw.name, length)
					}
					if opened, err := tw.ours.Open(nil, n, sealed, n); err != nil || !bytes.Equal(opened, message) {
						t.Errorf("%s: %d bytes: not opened", tw.name, length)
					}
				}
			})
		}
		wg.Wait()
	}
}
