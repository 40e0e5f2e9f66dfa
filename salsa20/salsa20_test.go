package salsa20_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	xsalsa20 "golang.org/x/crypto/salsa20"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/salsa20"
)

var key, nonce = [32]byte(twintest.Random(1, 32)), twintest.Random(2, 24)

func TestNonceSizes(t *testing.T) {
	for n := range 33 {
		for _, length := range []int{0, 1, 100} {
			a, b := make([]byte, length), make([]byte, length)
			text := twintest.SamePanic(t, fmt.Sprintf("nonce of %d bytes", n),
				func() { salsa20.XORKeyStream(a, a, make([]byte, n), &key) },
				func() { xsalsa20.XORKeyStream(b, b, make([]byte, n), &key) })
			if (text == "") != (n == 8 || n == 24) || !bytes.Equal(a, b) {
				t.Errorf("nonce of %d bytes, length %d: panic %q, or wrong", n, length, text)
			}
		}
	}
}

func TestShortOutput(t *testing.T) {
	for _, n := range []int{1, 64, 65, 300} {
		for _, short := range []int{0, n / 2, n - 1} {
			dst := make([]byte, n)
			text := twintest.SamePanic(t, fmt.Sprintf("%d bytes into %d", n, short),
				func() { salsa20.XORKeyStream(dst[:short], make([]byte, n), nonce, &key) },
				func() { xsalsa20.XORKeyStream(make([]byte, short), make([]byte, n), nonce, &key) })
			if text == "" || !bytes.Equal(dst, make([]byte, n)) {
				t.Errorf("%d bytes into %d: panic %q, dst %x", n, short, text, dst)
			}
		}
	}
}

func TestOverlap(t *testing.T) {
	for _, n := range []int{0, 1, 7, 64, 65, 80, 300} {
		for k := -80; k <= 80; k++ {
			a, b := twintest.Random(3, n+160), twintest.Random(3, n+160)
			before := bytes.Clone(a)
			text := twintest.SamePanic(t, fmt.Sprintf("%d bytes, out %d after in", n, k),
				func() { salsa20.XORKeyStream(a[80+k:][:n], a[80:][:n], nonce[:8], &key) },
				func() { xsalsa20.XORKeyStream(b[80+k:][:n], b[80:][:n], nonce[:8], &key) })
			if text != "" {
				b = before
			}
			if !bytes.Equal(a, b) {
				t.Fatalf("%d bytes, out %d after in: wrong bytes", n, k)
			}
		}
	}
}

func TestLongerOutput(t *testing.T) {
	for n := range 131 {
		for _, longer := range []int{0, 1, 15, 64, 100} {
			in := twintest.Random(4, n)
			buf := bytes.Repeat([]byte{0xaa}, n+200)
			want := bytes.Clone(buf)
			salsa20.XORKeyStream(buf[:n+longer:n+longer], in, nonce, &key)
			xsalsa20.XORKeyStream(want[:n], in, nonce, &key)
			if !bytes.Equal(buf, want) {
				t.Fatalf("%d bytes into %d: %x, want %x", n, n+longer, buf, want)
			}
		}
	}
}

// TestChunks compares a Cipher called in patterns with one call of x/crypto.
func TestChunks(t *testing.T) {
	for i, lengths := range twintest.Chunks() {
		for _, size := range []int{8, 24} {
			src := twintest.Random(byte(i), twintest.Sum(lengths))
			c, err := salsa20.NewRounds(20, key[:], nonce[:size])
			if err != nil {
				t.Fatal(err)
			}
			got, want := make([]byte, len(src)), make([]byte, len(src))
			xsalsa20.XORKeyStream(want, src, nonce[:size], &key)
			at := 0
			for _, n := range lengths {
				c.XORKeyStream(got[at:], src[at:at+n])
				at += n
				if !bytes.Equal(got[:at], want[:at]) {
					t.Fatalf("pattern %d: wrong before byte %d", i, at)
				}
			}
		}
	}
}

func TestCipherPanics(t *testing.T) {
	c, err := salsa20.NewRounds(12, key[:], nonce[:8])
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 20)
	for want, f := range map[string]func(){
		"salsa20: output smaller than input": func() { c.XORKeyStream(buf[:9], buf[:10]) },
		"salsa20: invalid buffer overlap":    func() { c.XORKeyStream(buf[1:], buf[:10]) },
	} {
		if got := twintest.Panic(f); got != want || !bytes.Equal(buf, make([]byte, 20)) {
			t.Errorf("panic %q, want %q; buffer %x", got, want, buf)
		}
	}
}

func TestNewRoundsErrors(t *testing.T) {
	for _, rounds := range []int{-1, 0, 7, 10, 16, 22} {
		if _, err := salsa20.NewRounds(rounds, key[:], nonce[:8]); err == nil {
			t.Errorf("%d rounds: no error", rounds)
		}
	}
	for n := range 33 {
		for _, rounds := range []int{8, 12, 20} {
			if _, err := salsa20.NewRounds(rounds, key[:], make([]byte, n)); (err == nil) != (n == 8 || n == 24) {
				t.Errorf("%d rounds, nonce of %d bytes: %v", rounds, n, err)
			}
			if _, err := salsa20.NewRounds(rounds, make([]byte, n), nonce[:8]); (err == nil) != (n == 32) {
				t.Errorf("%d rounds, key of %d bytes: %v", rounds, n, err)
			}
		}
	}
}

func TestVectors(t *testing.T) {
	ran := map[int]int{}
	for _, v := range vectors.Salsa {
		if len(v.Key) != 64 || v.Counter > 1<<57 {
			continue // 128-bit keys and such offsets are not in the API
		}
		c, err := salsa20.NewRounds(v.Rounds, vectors.Bytes(v.Key), vectors.Bytes(v.Nonce))
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		if _, err := c.Seek(int64(64*v.Counter), io.SeekStart); err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		got := v.Message()
		c.XORKeyStream(got, got)
		if want := vectors.Bytes(v.Ciphertext); !bytes.Equal(got, want) {
			t.Errorf("%s (%s): %x, want %x", v.Name, v.Source, got, want)
		}
		ran[v.Rounds]++
	}
	for _, v := range vectors.Digests {
		if v.Cipher != "salsa" || len(v.Key) != 64 {
			continue
		}
		c, err := salsa20.NewRounds(v.Rounds, vectors.Bytes(v.Key), vectors.Bytes(v.Nonce))
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		stream := make([]byte, v.Length)
		c.XORKeyStream(stream, stream)
		var digest [64]byte
		for i, b := range stream {
			digest[i%64] ^= b
		}
		if !bytes.Equal(digest[:], vectors.Bytes(v.XOR)) {
			t.Errorf("%s (%s): %x, want %s", v.Name, v.Source, digest, v.XOR)
		}
		ran[v.Rounds]++
	}
	for _, rounds := range []int{8, 12, 20} {
		if ran[rounds] == 0 {
			t.Errorf("no vector of %d rounds", rounds)
		}
	}
}

// TestSeek moves about the keystream, across 2^32 blocks included.
func TestSeek(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, rounds := range []int{8, 12, 20} {
		c, err := salsa20.NewRounds(rounds, key[:], nonce[:8])
		if err != nil {
			t.Fatal(err)
		}
		for i := range 150 {
			offset := r.Int64N(2000)
			switch i % 3 {
			case 1:
				offset += 1<<38 - 1000
			case 2:
				offset = r.Int64N(1<<63 - 2000)
			}
			if got, err := c.Seek(offset, io.SeekStart); got != offset || err != nil {
				t.Fatalf("Seek to %d: %d, %v", offset, got, err)
			}
			n := r.IntN(1500)
			buf := make([]byte, n)
			c.XORKeyStream(buf[:n/3], buf[:n/3])
			c.XORKeyStream(buf[n/3:], buf[n/3:])
			if !bytes.Equal(buf, keystream(rounds, offset, n)) {
				t.Fatalf("%d rounds, %d bytes from %d: wrong", rounds, n, offset)
			}
			if at, err := c.Seek(0, io.SeekCurrent); at != offset+int64(n) || err != nil {
				t.Fatalf("position %d, %v, want %d", at, err, offset+int64(n))
			}
		}
	}
}

// keystream returns the n bytes of reference keystream from an offset on, for a
// nonce of 8 bytes.
func keystream(rounds int, offset int64, n int) []byte {
	state := vectors.State("salsa", rounds, key[:], nonce[:8], uint64(offset)/64)
	within := int(offset % 64)
	whole := make([]byte, (within+n+63)&^63)
	reference.XORSalsa(whole, whole, &state, rounds)
	return whole[within:][:n]
}

// TestNonceLayout changes one bit of each byte of the nonce and wants other
// keystream each time.
func TestNonceLayout(t *testing.T) {
	for _, size := range []int{8, 24} {
		seen := map[uint64]int{}
		for i := range size {
			n := bytes.Clone(nonce[:size])
			n[i] ^= 0x10
			buf := make([]byte, 8)
			salsa20.XORKeyStream(buf, buf, n, &key)
			first := binary.LittleEndian.Uint64(buf)
			if other, ok := seen[first]; ok {
				t.Errorf("nonce of %d bytes: bytes %d and %d give the same keystream", size, i, other)
			}
			seen[first] = i
		}
	}
}
