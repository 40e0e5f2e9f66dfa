package chacha20_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	xchacha20 "golang.org/x/crypto/chacha20"

	"github.com/quarterround/quarterround/chacha20"
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
)

var key, nonce = twintest.Random(1, 32), twintest.Random(2, 24)

// pair returns a stream of this package and one of x/crypto that agree.
func pair(t testing.TB) (*chacha20.Cipher, *xchacha20.Cipher) {
	t.Helper()
	ours, err := chacha20.NewUnauthenticatedCipher(key, nonce[:12])
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := xchacha20.NewUnauthenticatedCipher(key, nonce[:12])
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

func TestSizes(t *testing.T) {
	for keySize := range 65 {
		for nonceSize := range 33 {
			what := fmt.Sprintf("key of %d bytes, nonce of %d", keySize, nonceSize)
			c, err := chacha20.NewUnauthenticatedCipher(make([]byte, keySize), make([]byte, nonceSize))
			_, want := xchacha20.NewUnauthenticatedCipher(make([]byte, keySize), make([]byte, nonceSize))
			twintest.SameError(t, what, err, want)
			if (c == nil) != (err != nil) {
				t.Errorf("%s: %v and %v", what, c, err)
			}
			got, err := chacha20.HChaCha20(make([]byte, keySize), make([]byte, nonceSize))
			derived, want := xchacha20.HChaCha20(make([]byte, keySize), make([]byte, nonceSize))
			twintest.SameError(t, "HChaCha20: "+what, err, want)
			if !bytes.Equal(got, derived) {
				t.Errorf("HChaCha20: %s: %x, want %x", what, got, derived)
			}
		}
	}
}

func TestShortOutput(t *testing.T) {
	for _, n := range []int{1, 2, 64, 65, 300} {
		for _, short := range []int{0, n / 2, n - 1} {
			ours, theirs := pair(t)
			dst := bytes.Repeat([]byte{0xaa}, n)
			text := twintest.SamePanic(t, fmt.Sprintf("%d bytes into %d", n, short),
				func() { ours.XORKeyStream(dst[:short], make([]byte, n)) },
				func() { theirs.XORKeyStream(make([]byte, short), make([]byte, n)) })
			if text == "" || !bytes.Equal(dst, bytes.Repeat([]byte{0xaa}, n)) {
				t.Errorf("%d bytes into %d: panic %q, dst %x", n, short, text, dst)
			}
		}
	}
}

func TestOverlap(t *testing.T) {
	for _, n := range []int{0, 1, 7, 64, 65, 80, 300} {
		for k := -80; k <= 80; k++ {
			ours, theirs := pair(t)
			a, b := twintest.Random(3, n+160), twintest.Random(3, n+160)
			before := bytes.Clone(a)
			text := twintest.SamePanic(t, fmt.Sprintf("%d bytes, dst %d after src", n, k),
				func() { ours.XORKeyStream(a[80+k:][:n], a[80:][:n]) },
				func() { theirs.XORKeyStream(b[80+k:][:n], b[80:][:n]) })
			if text != "" {
				b = before
			}
			if !bytes.Equal(a, b) {
				t.Fatalf("%d bytes, dst %d after src: wrong bytes", n, k)
			}
		}
	}
}

// TestLongerOutput looks at what lies behind the output, inside and outside of
// dst.
func TestLongerOutput(t *testing.T) {
	for n := range 131 {
		for _, longer := range []int{0, 1, 15, 64, 100} {
			ours, theirs := pair(t)
			src := twintest.Random(4, n)
			buf := bytes.Repeat([]byte{0xaa}, n+200)
			want := bytes.Clone(buf)
			ours.XORKeyStream(buf[:n+longer:n+longer], src)
			theirs.XORKeyStream(want[:n], src)
			if !bytes.Equal(buf, want) {
				t.Fatalf("%d bytes into %d: %x, want %x", n, n+longer, buf, want)
			}
		}
	}
}

func TestChunks(t *testing.T) {
	for i, lengths := range twintest.Chunks() {
		src := twintest.Random(byte(i), twintest.Sum(lengths))
		ours, theirs := pair(t)
		got, want := make([]byte, len(src)), make([]byte, len(src))
		theirs.XORKeyStream(want, src)
		at := 0
		for _, n := range lengths {
			ours.XORKeyStream(got[at:], src[at:at+n])
			at += n
			if !bytes.Equal(got[:at], want[:at]) {
				t.Fatalf("pattern %d: wrong before byte %d", i, at)
			}
		}
	}
}

func TestCounterEnd(t *testing.T) {
	for n := range 200 {
		for _, blocks := range []uint32{1, 2, 3} {
			ours, theirs := pair(t)
			ours.SetCounter(-blocks)
			theirs.SetCounter(-blocks)
			a, b := bytes.Repeat([]byte{7}, n), bytes.Repeat([]byte{7}, n)
			twintest.SamePanic(t, fmt.Sprintf("%d bytes, %d blocks left", n, blocks),
				func() { ours.XORKeyStream(a, a) }, func() { theirs.XORKeyStream(b, b) })
			if !bytes.Equal(a, b) {
				t.Fatalf("%d bytes, %d blocks left: %x, want %x", n, blocks, a, b)
			}
		}
	}
}

// TestNothingWrittenAtTheEnd asks for more than the last block still has: not
// even what it has may be written.
func TestNothingWrittenAtTheEnd(t *testing.T) {
	ours, theirs := pair(t)
	ours.SetCounter(1<<32 - 1)
	theirs.SetCounter(1<<32 - 1)
	ours.XORKeyStream(make([]byte, 10), make([]byte, 10))
	theirs.XORKeyStream(make([]byte, 10), make([]byte, 10))
	dst := make([]byte, 55)
	twintest.SamePanic(t, "55 of 54 bytes",
		func() { ours.XORKeyStream(dst, make([]byte, 55)) },
		func() { theirs.XORKeyStream(make([]byte, 55), make([]byte, 55)) })
	if !bytes.Equal(dst, make([]byte, 55)) {
		t.Error("something was written before the panic")
	}
	ours.XORKeyStream(dst[:54], dst[:54]) // still there
	for range 2 {
		if text := twintest.Panic(func() { ours.XORKeyStream(dst[:1], dst[:1]) }); text != "chacha20: counter overflow" {
			t.Errorf("after the end: panic %q", text)
		}
		ours.XORKeyStream(nil, nil)
		for _, counter := range []uint32{0, 1, 1<<32 - 1} {
			twintest.SamePanic(t, "SetCounter after the end",
				func() { ours.SetCounter(counter) }, func() { theirs.SetCounter(counter) })
		}
	}
}

// TestSetCounter does the same random calls on both.
func TestSetCounter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		ours, theirs := pair(t)
		counter := uint32(0)
		for range 20 {
			if r.IntN(2) == 0 {
				n := r.IntN(300)
				a, b := make([]byte, n), make([]byte, n)
				ours.XORKeyStream(a, a)
				theirs.XORKeyStream(b, b)
				if !bytes.Equal(a, b) {
					t.Fatal("wrong bytes")
				}
				counter += uint32(n / 64)
				continue
			}
			target := counter + uint32(r.IntN(7)) - 3
			if int32(target) < 0 {
				target = 0
			}
			text := twintest.SamePanic(t, "SetCounter", func() { ours.SetCounter(target) }, func() { theirs.SetCounter(target) })
			if text == "" {
				counter = target
			}
		}
	}
}

func TestSetCounterAfterPart(t *testing.T) {
	ours, theirs := pair(t)
	one := make([]byte, 10)
	ours.XORKeyStream(one, one)
	theirs.XORKeyStream(one, one)
	if twintest.SamePanic(t, "back to a block in use", func() { ours.SetCounter(0) }, func() { theirs.SetCounter(0) }) == "" {
		t.Error("no panic")
	}
	ours, theirs = pair(t)
	ours.XORKeyStream(make([]byte, 64), make([]byte, 64))
	theirs.XORKeyStream(make([]byte, 64), make([]byte, 64))
	if text := twintest.SamePanic(t, "to the next block", func() { ours.SetCounter(1) }, func() { theirs.SetCounter(1) }); text != "" {
		t.Error(text)
	}
}

// TestVectors runs the published vectors of all rounds and nonce sizes.
func TestVectors(t *testing.T) {
	ran := map[int]int{}
	for _, v := range vectors.ChaCha {
		if len(v.Key) != 64 {
			continue // 128-bit keys are not in the API
		}
		c, err := chacha20.NewRounds(v.Rounds, vectors.Bytes(v.Key), vectors.Bytes(v.Nonce))
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		if v.Counter > 1<<57 {
			continue // beyond what an offset of 63 bits reaches
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
	if ran[8] == 0 || ran[12] == 0 || ran[20] == 0 {
		t.Errorf("vectors by rounds: %v", ran)
	}
	for _, v := range vectors.Derivations {
		if v.Cipher != "chacha" || v.Rounds != 20 {
			continue
		}
		got, err := chacha20.HChaCha20(vectors.Bytes(v.Key), vectors.Bytes(v.Input))
		if err != nil || !bytes.Equal(got, vectors.Bytes(v.Output)) {
			t.Errorf("%s (%s): %x %v, want %s", v.Name, v.Source, got, err, v.Output)
		}
	}
}

func TestNewRoundsErrors(t *testing.T) {
	for _, rounds := range []int{-1, 0, 7, 10, 16, 22} {
		if _, err := chacha20.NewRounds(rounds, key, nonce[:12]); err == nil {
			t.Errorf("%d rounds: no error", rounds)
		}
	}
	for n := range 33 {
		for _, rounds := range []int{8, 12, 20} {
			_, err := chacha20.NewRounds(rounds, key, make([]byte, n))
			if want := n == 8 || n == 12 || n == 24; (err == nil) != want {
				t.Errorf("%d rounds, nonce of %d bytes: %v", rounds, n, err)
			}
			if _, err := chacha20.NewRounds(rounds, make([]byte, n), nonce[:12]); (err == nil) != (n == 32) {
				t.Errorf("%d rounds, key of %d bytes: %v", rounds, n, err)
			}
		}
	}
}

// keystream returns the n bytes of reference keystream from an offset on, for a
// nonce of 8 bytes.
func keystream(rounds int, offset int64, n int) []byte {
	block := uint64(offset) / 64
	state := vectors.State("chacha", rounds, key, nonce[:8], block)
	within := int(offset % 64)
	whole := make([]byte, (within+n+63)&^63)
	reference.XORChaCha(whole, whole, &state, rounds)
	return whole[within:][:n]
}

// TestSeek moves about the keystream of a 64-bit counter, across 2^32 blocks
// included.
func TestSeek(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, rounds := range []int{8, 12, 20} {
		c, err := chacha20.NewRounds(rounds, key, nonce[:8])
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
			at, err := c.Seek(0, io.SeekCurrent)
			if at != offset+int64(n) || err != nil {
				t.Fatalf("position %d, %v, want %d", at, err, offset+int64(n))
			}
		}
	}
}

// TestBeyond32Bits crosses 2^32 blocks at each place in a step of any width: the
// carry goes into the high word of the counter, not back to block 0.
func TestBeyond32Bits(t *testing.T) {
	for before := int64(1); before <= 33; before++ {
		c, err := chacha20.NewRounds(20, key, nonce[:8])
		if err != nil {
			t.Fatal(err)
		}
		offset := (1<<32 - before) * 64
		if _, err := c.Seek(offset, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 40*64)
		c.XORKeyStream(got[:20], got[:20])
		c.XORKeyStream(got[20:], got[20:])
		if !bytes.Equal(got, keystream(20, offset, len(got))) {
			t.Fatalf("%d blocks before 2^32: wrong", before)
		}
	}
}

func TestSeekErrors(t *testing.T) {
	c, _ := pair(t)
	for _, tt := range []struct {
		offset int64
		whence int
	}{{-1, io.SeekStart}, {1<<38 + 1, io.SeekStart}, {1<<63 - 1, io.SeekStart}, {-1, io.SeekCurrent}, {1<<63 - 1, io.SeekCurrent}, {0, io.SeekEnd}, {0, 7}} {
		if at, err := c.Seek(tt.offset, tt.whence); err == nil {
			t.Errorf("Seek(%d, %d) = %d without an error", tt.offset, tt.whence, at)
		}
	}
	if _, err := c.Seek(1<<38, io.SeekStart); err != nil {
		t.Errorf("to the very end: %v", err)
	}
	if text := twintest.Panic(func() { c.XORKeyStream(make([]byte, 1), make([]byte, 1)) }); text != "chacha20: counter overflow" {
		t.Errorf("at the very end: panic %q", text)
	}
	if _, err := c.Seek(5, io.SeekStart); err != nil {
		t.Errorf("back from the end: %v", err)
	}
}

// TestBackFromTheEnd seeks back after the last block that a 32-bit counter allows:
// what the counter carries then must not stay in the nonce.
func TestBackFromTheEnd(t *testing.T) {
	for _, size := range []int{12, 24} {
		for _, rounds := range []int{8, 12, 20} {
			fresh, err := chacha20.NewRounds(rounds, key, nonce[:size])
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, 300)
			fresh.XORKeyStream(want, want)
			for _, left := range []int64{0, 1, 64, 1000} {
				c, _ := chacha20.NewRounds(rounds, key, nonce[:size])
				if _, err := c.Seek(1<<38-left, io.SeekStart); err != nil {
					t.Fatal(err)
				}
				c.XORKeyStream(make([]byte, left), make([]byte, left))
				if _, err := c.Seek(0, io.SeekStart); err != nil {
					t.Fatal(err)
				}
				got := make([]byte, len(want))
				c.XORKeyStream(got, got)
				if !bytes.Equal(got, want) {
					t.Errorf("%d-byte nonce, %d rounds: wrong keystream after the last %d bytes", size, rounds, left)
				}
			}
		}
	}
}

// TestLastBlocks32 computes the last blocks of a 32-bit counter in one call: what
// a wide kernel computes beyond them must not show.
func TestLastBlocks32(t *testing.T) {
	for blocks := 1; blocks <= 40; blocks++ {
		ours, theirs := pair(t)
		ours.SetCounter(uint32(-blocks))
		theirs.SetCounter(uint32(-blocks))
		got, want := make([]byte, 64*blocks), make([]byte, 64*blocks)
		ours.XORKeyStream(got, got)
		theirs.XORKeyStream(want, want)
		if !bytes.Equal(got, want) {
			t.Fatalf("last %d blocks: wrong", blocks)
		}
	}
}

// TestNonceLayout changes one bit of each byte of the nonce and wants other
// keystream each time.
func TestNonceLayout(t *testing.T) {
	for _, size := range []int{8, 12, 24} {
		seen := map[uint64]int{}
		for i := range size {
			n := bytes.Clone(nonce[:size])
			n[i] ^= 0x10
			c, err := chacha20.NewRounds(20, key, n)
			if err != nil {
				t.Fatal(err)
			}
			buf := make([]byte, 8)
			c.XORKeyStream(buf, buf)
			first := binary.LittleEndian.Uint64(buf)
			if other, ok := seen[first]; ok {
				t.Errorf("nonce of %d bytes: bytes %d and %d give the same keystream", size, i, other)
			}
			seen[first] = i
		}
	}
}
