package salsa_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	//lint:ignore SA1019 an independent oracle
	xsalsa "golang.org/x/crypto/salsa20/salsa"

	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/salsa20/salsa"
)

var key = [32]byte(twintest.Random(1, 32))

func TestSigma(t *testing.T) {
	if salsa.Sigma != xsalsa.Sigma {
		t.Errorf("%q", salsa.Sigma)
	}
}

// TestCounter starts before each kind of carry; past 2^64 the counter wraps.
func TestCounter(t *testing.T) {
	for _, end := range []uint64{0, 1 << 8, 1 << 32, 7 << 32} {
		for before := range uint64(35) {
			var counter [16]byte
			copy(counter[:], "nonce678")
			binary.LittleEndian.PutUint64(counter[8:], end-before)
			saved := counter
			for _, n := range []int{1, 64, 65, 700, 40 * 64} {
				in := twintest.Random(2, n)
				got, want := make([]byte, n), make([]byte, n)
				salsa.XORKeyStream(got, in, &counter, &key)
				xsalsa.XORKeyStream(want, in, &counter, &key)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d bytes, %d blocks before %#x: wrong", n, before, end)
				}
			}
			if counter != saved {
				t.Fatal("the counter was changed")
			}
		}
	}
}

func TestBadLengths(t *testing.T) {
	var counter [16]byte
	for n := range 4 {
		for short := range 4 {
			// Both panic by an index, but x/crypto's portable code at another one
			// than its assembly.
			ours := outOfRange(func() { salsa.XORKeyStream(make([]byte, short), make([]byte, n), &counter, &key) })
			theirs := outOfRange(func() { xsalsa.XORKeyStream(make([]byte, short), make([]byte, n), &counter, &key) })
			if ours != theirs || ours != (n > short) {
				t.Errorf("%d bytes into %d: index out of range %v, x/crypto %v", n, short, ours, theirs)
			}
		}
	}
	for n := range 131 {
		got := bytes.Repeat([]byte{0xaa}, n+70)
		want := bytes.Clone(got)
		in := twintest.Random(3, n)
		salsa.XORKeyStream(got[:n:n], in, &counter, &key)
		xsalsa.XORKeyStream(want, in, &counter, &key)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: wrong, or written beyond", n)
		}
	}
}

func TestHSalsa20(t *testing.T) {
	for i := range byte(50) {
		in, k, c := [16]byte(twintest.Random(i, 16)), [32]byte(twintest.Random(i+50, 32)), [16]byte(twintest.Random(i+100, 16))
		var got, want [32]byte
		salsa.HSalsa20(&got, &in, &k, &c)
		xsalsa.HSalsa20(&want, &in, &k, &c)
		if got != want {
			t.Fatalf("%x, want %x", got, want)
		}
		salsa.HSalsa20(&k, &in, &k, &c)
		if k != want {
			t.Fatal("wrong where out is the key")
		}
	}
	for _, v := range vectors.Derivations {
		if v.Cipher != "salsa" || v.Rounds != 20 || len(v.Key) != 64 {
			continue
		}
		in, k := [16]byte(vectors.Bytes(v.Input)), [32]byte(vectors.Bytes(v.Key))
		var got [32]byte
		salsa.HSalsa20(&got, &in, &k, &salsa.Sigma)
		if !bytes.Equal(got[:], vectors.Bytes(v.Output)) {
			t.Errorf("%s (%s): %x, want %s", v.Name, v.Source, got, v.Output)
		}
	}
}

func TestCore208(t *testing.T) {
	for i := range byte(50) {
		in := [64]byte(twintest.Random(i, 64))
		var got, want [64]byte
		salsa.Core208(&got, &in)
		xsalsa.Core208(&want, &in)
		if got != want {
			t.Fatalf("%x, want %x", got, want)
		}
		salsa.Core208(&in, &in)
		if in != want {
			t.Fatal("wrong in place")
		}
	}
}

// outOfRange reports whether f panics because of an index out of range.
func outOfRange(f func()) (panicked bool) {
	defer func() {
		r := recover()
		panicked = r != nil && strings.Contains(fmt.Sprint(r), "index out of range")
	}()
	f()
	return false
}
