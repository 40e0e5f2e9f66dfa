package kerneltest

import (
	"bytes"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// Streams runs Stream on each stream kernel, as Each does.
func Streams(t *testing.T, kernels []registry.Kernel) { Each(t, kernels, Stream) }

// Stream checks one stream kernel: rounds 8, 12 and 20; one to twelve steps; all
// offsets of src and dst from 0 to 15, and in place; the counter wrapping in
// every lane, in its low and in its high word; the state unchanged; and
// nothing read or written outside the slices.
func Stream(t *testing.T, k *registry.Kernel) {
	t.Run("steps", func(t *testing.T) {
		for _, rounds := range []int{8, 12, 20} {
			for steps := 1; steps <= 12; steps++ {
				checkStream(t, k, streamCase{steps: steps, rounds: rounds, counter: 1})
			}
		}
	})
	t.Run("offsets", func(t *testing.T) {
		for offset := range 16 {
			for _, inPlace := range []bool{false, true} {
				checkStream(t, k, streamCase{steps: 2, rounds: 8, dst: offset, src: offset * 7 % 16, inPlace: inPlace})
				checkStream(t, k, streamCase{steps: 1, rounds: 8, dst: offset, src: 0, inPlace: inPlace})
			}
		}
	})
	t.Run("counter", func(t *testing.T) {
		for _, top := range []uint64{1 << 32, 0, 6 << 32} {
			for back := range uint64(2*k.Blocks + 1) {
				checkStream(t, k, streamCase{steps: 2, rounds: 8, counter: top - back})
			}
		}
	})
	guard(t, k)
}

// A streamCase is one call of a stream kernel.
type streamCase struct {
	steps, rounds int
	counter       uint64
	dst, src      int // offsets of the buffers from an aligned address
	inPlace       bool
}

// canary is the number of bytes checked on either side of dst.
const canary = 32

// state returns a state without structure but for its counter.
func state(k *registry.Kernel, counter uint64) [16]uint32 {
	var s [16]uint32
	for i := range s {
		s[i] = 0x9e3779b9 * uint32(i+1)
	}
	c := k.Cipher.CounterWord()
	s[c], s[c+1] = uint32(counter), uint32(counter>>32)
	return s
}

// keystreamed returns src encrypted by the reference routine.
func keystreamed(k *registry.Kernel, src []byte, s *[16]uint32, rounds int) []byte {
	want := make([]byte, len(src))
	if k.Cipher == registry.Salsa {
		reference.XORSalsa(want, src, s, rounds)
	} else {
		reference.XORChaCha(want, src, s, rounds)
	}
	return want
}

func checkStream(t *testing.T, k *registry.Kernel, c streamCase) {
	t.Helper()
	n := c.steps * k.Step()
	s := state(k, c.counter)
	before := s
	in := make([]byte, n+16)
	for i := range in {
		in[i] = byte(i*167 + i>>8)
	}
	src := in[c.src : c.src+n]
	want := keystreamed(k, src, &s, c.rounds)

	out := bytes.Repeat([]byte{0xa5}, n+16+2*canary)
	dst := out[canary+c.dst : canary+c.dst+n]
	from := src
	if c.inPlace {
		copy(dst, src)
		from = dst
	}
	k.XOR(dst, from, &s, c.rounds)

	if s != before {
		t.Fatalf("%+v: state changed", c)
	}
	if i := difference(dst, want); i >= 0 {
		t.Fatalf("%+v: byte %d is %#02x, want %#02x", c, i, dst[i], want[i])
	}
	for i, b := range out {
		if (i < canary+c.dst || i >= canary+c.dst+n) && b != 0xa5 {
			t.Fatalf("%+v: wrote at %d, outside dst", c, i-canary-c.dst)
		}
	}
}

// difference returns the index of the first difference, or -1.
func difference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}
