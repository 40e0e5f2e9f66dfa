package cipher_test

import (
	"bytes"
	"strings"
	"testing"

	xaead "golang.org/x/crypto/chacha20poly1305"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// TestBrief seals and opens brief messages, and some that just are not, with
// additional data that fits before the data, just does not, or is long.
func TestBrief(t *testing.T) {
	a := registry.ChaCha20Poly1305
	sel, err := registry.Select(registry.WithOverride(a.String() + "=wide/chacha-x4," + a.String() + "=generic/poly1305"))
	if err != nil {
		t.Fatal(err)
	}
	source := sel.Source(a)
	if source.Plan().Brief(192, 1<<20) == nil || source.Plan().Brief(193, 0) != nil {
		t.Fatal("messages of 192 bytes are not the longest that are brief")
	}
	key, nonce := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 12)
	ours := new(cipher.AEAD)
	ours.Init(source, a, key)
	theirs, err := xaead.New(key)
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 300)
	for i := range text {
		text[i] = byte(i * 7)
	}
	for _, additional := range []int{0, 1, 13, 15, 16, 17, 48, 49, 63, 64, 65, 80, 81, 127, 128, 300} {
		for n := range 200 {
			want := theirs.Seal(nil, nonce, text[:n], text[:additional])
			got := ours.Seal(nil, nonce, text[:n], text[:additional])
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, %d additional: sealed %x, want %x", n, additional, got, want)
			}
			opened, err := ours.Open(got[:0], nonce, got, text[:additional])
			if err != nil || !bytes.Equal(opened, text[:n]) {
				t.Fatalf("%d bytes, %d additional: %v", n, additional, err)
			}
			out := bytes.Repeat([]byte{3}, n)
			want[len(want)-1-n%16] ^= 1
			if _, err := ours.Open(out[:0], nonce, want, text[:additional]); err == nil || !bytes.Equal(out, make([]byte, n)) {
				t.Fatalf("%d bytes, %d additional: forgery: %v, output %x", n, additional, err, out)
			}
		}
	}
}

// TestBriefLevels has a MAC whose powers pay from a length on, and a force by
// length: what is beyond is not brief.
func TestBriefLevels(t *testing.T) {
	a := registry.ChaCha20Poly1305
	for _, test := range []struct {
		override      string
		n, additional int
		want          bool
	}{
		{"A=generic", 0, 0, true},
		{"A=generic", 64, 1 << 20, true},
		{"A=wide/chacha-x4,A=wide/poly1305-x4", 0, 0, false}, // always with powers
		{"A@>1024=generic", 0, 0, false},                     // not one plan for all lengths
		{"", 0, 0, true},
		{"", 0, 1 << 20, false}, // powers pay
	} {
		sel, err := registry.Select(registry.WithOverride(strings.ReplaceAll(test.override, "A", a.String())))
		if err != nil {
			t.Fatal(err)
		}
		if got := sel.Source(a).Plan().Brief(test.n, test.additional) != nil; got != test.want {
			t.Errorf("%q: %d bytes, %d additional: brief is %v", test.override, test.n, test.additional, got)
		}
	}
}
