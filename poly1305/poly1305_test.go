package poly1305_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"unsafe"

	//lint:ignore SA1019 an independent oracle
	xpoly1305 "golang.org/x/crypto/poly1305"

	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/poly1305"
)

var key = [32]byte(twintest.Random(1, 32))

var _ io.Writer = (*poly1305.MAC)(nil)

func TestVectors(t *testing.T) {
	for _, v := range vectors.Poly1305 {
		key, message, want := [32]byte(vectors.Bytes(v.Key)), vectors.Bytes(v.Message), [16]byte(vectors.Bytes(v.Tag))
		var got [16]byte
		poly1305.Sum(&got, message, &key)
		if got != want {
			t.Errorf("%s (%s): %x, want %x", v.Name, v.Source, got, want)
		}
		if !poly1305.Verify(&want, message, &key) {
			t.Errorf("%s (%s): not verified", v.Name, v.Source)
		}
	}
}

// TestEdges are values at which final reduction, clamping or the addition of s
// have gone wrong elsewhere.
func TestEdges(t *testing.T) {
	ones := bytes.Repeat([]byte{0xff}, 1024)
	two := [32]byte{2}
	twoAndOnes := two
	copy(twoAndOnes[16:], ones)
	for _, tt := range []struct {
		name string
		key  [32]byte
		msg  []byte
		tag  [16]byte
	}{
		{"h is p or more at the end", two, ones[:16], [16]byte{3}},
		{"s is added modulo 2^128", twoAndOnes, append([]byte{2}, make([]byte, 15)...), [16]byte{3}},
	} {
		var got [16]byte
		poly1305.Sum(&got, tt.msg, &tt.key)
		if got != tt.tag {
			t.Errorf("%s: %x, want %x", tt.name, got, tt.tag)
		}
	}
	for _, fill := range []byte{0, 0xff} {
		key := [32]byte(bytes.Repeat([]byte{0xff}, 32))
		for n := range ones {
			msg := bytes.Repeat([]byte{fill}, n)
			var got, want [16]byte
			poly1305.Sum(&got, msg, &key)
			xpoly1305.Sum(&want, msg, &key)
			if got != want {
				t.Fatalf("key of ones, %d bytes %#x: %x, want %x", n, fill, got, want)
			}
		}
	}
}

// TestChunks writes in patterns, with a Sum of the same bytes from x/crypto after
// each write.
func TestChunks(t *testing.T) {
	for i, lengths := range twintest.Chunks() {
		msg := twintest.Random(byte(i), twintest.Sum(lengths))
		mac := poly1305.New(&key)
		at := 0
		for j, n := range lengths {
			piece := msg[at : at+n]
			at += n
			if got, err := mac.Write(piece); got != n || err != nil {
				t.Fatalf("Write: %d, %v", got, err)
			}
			if j%17 == 0 { // Sum of a copy, to go on writing
				copied := *mac
				if got, want := copied.Sum(nil), sumOfXCrypto(msg[:at]); !bytes.Equal(got, want) {
					t.Fatalf("pattern %d, %d bytes: %x, want %x", i, at, got, want)
				}
			}
		}
		got, want := mac.Sum([]byte("prefix")), sumOfXCrypto(msg)
		if !bytes.Equal(got, append([]byte("prefix"), want...)) || !bytes.Equal(mac.Sum(nil), want) {
			t.Errorf("pattern %d: %x, want %x twice", i, got[6:], want)
		}
	}
}

func sumOfXCrypto(msg []byte) []byte {
	var tag [16]byte
	xpoly1305.Sum(&tag, msg, &key)
	return tag[:]
}

// A finisher has what ends a MAC.
type finisher interface {
	Sum(b []byte) []byte
	Verify(expected []byte) bool
}

func TestWriteAfterSum(t *testing.T) {
	for name, finish := range map[string]func(m finisher){
		"Sum":    func(m finisher) { m.Sum(nil) },
		"Verify": func(m finisher) { m.Verify(nil) },
	} {
		for _, n := range []int{0, 1, 16} {
			ours, theirs := poly1305.New(&key), xpoly1305.New(&key)
			ours.Write([]byte("abc"))
			theirs.Write([]byte("abc"))
			finish(ours)
			finish(theirs)
			text := twintest.SamePanic(t, fmt.Sprintf("%d bytes after %s", n, name),
				func() { ours.Write(make([]byte, n)) }, func() { theirs.Write(make([]byte, n)) })
			if text == "" {
				t.Errorf("%d bytes after %s: no panic", n, name)
			}
			if !bytes.Equal(ours.Sum(nil), theirs.Sum(nil)) {
				t.Errorf("the tag after a refused Write has changed")
			}
		}
	}
}

func TestVerify(t *testing.T) {
	for _, n := range []int{0, 1, 16, 100, 1000} {
		msg := twintest.Random(2, n)
		var tag [16]byte
		poly1305.Sum(&tag, msg, &key)
		mac := poly1305.New(&key)
		mac.Write(msg)
		for bit := range 128 {
			tag[bit/8] ^= 1 << (bit % 8)
			if poly1305.Verify(&tag, msg, &key) || mac.Verify(tag[:]) {
				t.Errorf("%d bytes: verified with bit %d of the tag changed", n, bit)
			}
			tag[bit/8] ^= 1 << (bit % 8)
		}
		for size := range 33 {
			claimed := make([]byte, size)
			copy(claimed, tag[:])
			if got := mac.Verify(claimed); got != (size == 16) {
				t.Errorf("%d bytes: tag of %d bytes: %v", n, size, got)
			}
		}
		if !poly1305.Verify(&tag, msg, &key) {
			t.Errorf("%d bytes: not verified", n)
		}
	}
	if size := poly1305.New(&key).Size(); size != 16 {
		t.Errorf("Size: %d", size)
	}
}

// TestStateSize keeps the state small: the room for powers of r, which only long
// messages need, is apart from it.
func TestStateSize(t *testing.T) {
	if size := unsafe.Sizeof(poly1305.MAC{}); size > 128 {
		t.Errorf("a MAC takes %d bytes", size)
	}
}
