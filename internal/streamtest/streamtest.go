// Package streamtest checks stream kernels against the reference routines and
// published vectors.
package streamtest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

var features = map[string]bool{
	"sse2":     cpu.X86.HasSSE2,
	"ssse3":    cpu.X86.HasSSSE3,
	"avx2":     cpu.X86.HasAVX2,
	"avx512f":  cpu.X86.HasAVX512F,
	"avx512vl": cpu.X86.HasAVX512VL,
}

// Run tests each kernel that this CPU can run.
func Run(t *testing.T, kernels []registry.Kernel) {
	for _, k := range kernels {
		t.Run(k.Name, func(t *testing.T) {
			if k.XOR == nil {
				t.Skip("not compiled")
			}
			for _, f := range k.Features {
				if !features[f] {
					t.Skipf("this CPU lacks %s", f)
				}
			}
			check(t, &k)
		})
	}
}

// check runs k over lengths up to past twice the widest step, all rounds, all
// alignments, in place and not, with the carry of either half of the counter in
// each lane.
func check(t *testing.T, k *registry.Kernel) {
	random := rand.NewChaCha8([32]byte{1})
	for blocks := k.Blocks; blocks <= max(40, 3*k.Blocks); blocks += k.Blocks {
		for trial := range 2 * k.Blocks {
			rounds := []int{8, 12, 20}[trial%3]
			var state [16]uint32
			for i := range state {
				state[i] = uint32(random.Uint64())
			}
			if trial < k.Blocks {
				c := k.Cipher.CounterWord()
				state[c] = -uint32(trial + 1)
				if trial%2 == 0 {
					state[c+1] = 1<<32 - 1
				}
			}
			one(t, k, random, state, blocks, rounds, trial%16, trial/2%16)
		}
	}
}

const guard = 128

// one compares one call with the reference, apart and in place.
func one(t *testing.T, k *registry.Kernel, random *rand.ChaCha8, state [16]uint32, blocks, rounds, srcOffset, dstOffset int) {
	n := blocks * registry.BlockSize
	buffer := make([]byte, guard+16+n+guard)
	random.Read(buffer)
	src := buffer[guard+srcOffset:][:n:n]
	want := make([]byte, n)
	if k.Cipher == registry.ChaCha {
		reference.XORChaCha(want, src, &state, rounds)
	} else {
		reference.XORSalsa(want, src, &state, rounds)
	}
	before, saved := bytes.Clone(buffer), state
	target := make([]byte, guard+16+n+guard)
	dst := target[guard+dstOffset:][:n:n]
	k.XOR(dst, src, &state, rounds)
	if state != saved || !bytes.Equal(buffer, before) {
		t.Fatal("state or source was written to")
	}
	compare(t, dst, want, blocks, rounds)
	clear(dst)
	if !bytes.Equal(target, make([]byte, len(target))) {
		t.Fatal("written outside dst")
	}
	k.XOR(src, src, &state, rounds)
	compare(t, src, want, blocks, rounds)
	copy(src, before[guard+srcOffset:])
	if !bytes.Equal(buffer, before) {
		t.Fatal("written outside dst, in place")
	}
}

func compare(t *testing.T, got, want []byte, blocks, rounds int) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%d blocks, %d rounds: byte %d is %#x, want %#x", blocks, rounds, i, got[i], want[i])
		}
	}
}
