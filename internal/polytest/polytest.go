// Package polytest checks Poly1305 kernels against arithmetic in math/big and
// against the reference routine.
package polytest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// prime is 2^130 - 5.
var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))

// Int returns the number whose little-endian limbs are given.
func Int(limbs ...uint64) *big.Int {
	x := new(big.Int)
	for _, limb := range slices.Backward(limbs) {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(limb))
	}
	return x
}

// Absorb returns h after the 16-byte blocks of msg, reduced modulo 2^130-5.
func Absorb(h *[3]uint64, r *[2]uint64, msg []byte) *big.Int {
	x, y := Int(h[:]...), Int(r[:]...)
	for ; len(msg) >= 16; msg = msg[16:] {
		block := append(slices.Clone(msg[:16]), 1)
		slices.Reverse(block)
		x.Add(x, new(big.Int).SetBytes(block))
		x.Mul(x, y).Mod(x, prime)
	}
	return x
}

// Clamp clears the bits of r that RFC 8439 section 2.5 clears.
func Clamp(r [2]uint64) [2]uint64 {
	return [2]uint64{r[0] & 0x0ffffffc0fffffff, r[1] & 0x0ffffffc0ffffffc}
}

// extremes are accumulators at the edges of what a kernel must accept, up to
// 2^131 - 1.
var extremes = [][3]uint64{
	{},
	{1, 0, 0},
	{^uint64(0), ^uint64(0), 0},
	{^uint64(0) - 4, ^uint64(0), 3}, // 2^130 - 5
	{^uint64(0), ^uint64(0), 3},
	{0, 0, 4},
	{^uint64(0), ^uint64(0), 7},
}

// multipliers are clamped values of r at the edges.
var multipliers = [][2]uint64{
	{},
	{1, 0},
	{2, 0},
	{0, 0x0ffffffc0ffffffc},
	{0x0ffffffc0fffffff, 0x0ffffffc0ffffffc},
	{0x03ffffff, 0x0ffffffc00000000},
}

// Check runs the kernel over every number of blocks from 1 to 70 and some
// more, from random and extreme accumulators, with random and extreme keys and
// messages, and compares value, bound and untouched fields. Messages start at
// odd addresses.
func Check(t *testing.T, k *registry.Kernel) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 8))
	counts := []int{127, 128, 129, 255, 256, 257, 1024}
	for n := 1; n <= 70; n++ {
		counts = append(counts, n)
	}
	for _, n := range counts {
		for round := range 8 {
			h, r := extremes[random.IntN(len(extremes))], multipliers[random.IntN(len(multipliers))]
			if round%2 == 1 {
				h = [3]uint64{random.Uint64(), random.Uint64(), random.Uint64N(8)}
				r = Clamp([2]uint64{random.Uint64(), random.Uint64()})
			}
			compare(t, k, h, r, message(random, n, round))
		}
	}
	for _, h := range extremes {
		for _, r := range multipliers {
			for n := 1; n <= 9; n++ {
				compare(t, k, h, r, message(random, n, 0))
			}
		}
	}
}

// message returns n blocks at an odd address: all ones, all zeros or random.
func message(random *rand.Rand, n, round int) []byte {
	b := make([]byte, 16*n+1)[1:]
	for i := range b {
		switch {
		case round%8 < 4:
			b[i] = 0xff
		case round%8 > 4:
			b[i] = byte(random.Uint32())
		}
	}
	return b
}

// compare runs the kernel once against both oracles.
func compare(t *testing.T, k *registry.Kernel, h [3]uint64, r [2]uint64, msg []byte) {
	t.Helper()
	var powers *registry.Powers
	if k.Setup != nil {
		powers = new(registry.Powers)
		k.Setup(powers, &r)
	}
	state := registry.MACState{H: h, R: r, S: [2]uint64{1, 2}}
	k.Absorb(&state, powers, msg)
	if state.H[2] > 7 {
		t.Fatalf("%s: %d blocks, h=%x r=%x: returned h=%x, not below 2^131", k.Name, len(msg)/16, h, r, state.H)
	}
	if state.R != r || state.S != [2]uint64{1, 2} {
		t.Fatalf("%s: %d blocks: changed r or s", k.Name, len(msg)/16)
	}
	got, want := new(big.Int).Mod(Int(state.H[:]...), prime), Absorb(&h, &r, msg)
	if got.Cmp(want) != 0 {
		t.Fatalf("%s: %d blocks, h=%x r=%x: got %x, want %x", k.Name, len(msg)/16, h, r, got, want)
	}
	reference.Poly1305(&h, &r, msg)
	if want.Mod(Int(h[:]...), prime); got.Cmp(want) != 0 {
		t.Fatalf("%s: %d blocks: got %x, reference gives %x", k.Name, len(msg)/16, got, want)
	}
}

// CheckCrossing changes from each kernel to each other one in the middle of a
// message.
func CheckCrossing(t *testing.T, kernels []registry.Kernel) {
	t.Helper()
	random := rand.New(rand.NewPCG(9, 10))
	for round := range 300 {
		h := [3]uint64{random.Uint64(), random.Uint64(), random.Uint64N(8)}
		r := Clamp([2]uint64{random.Uint64(), random.Uint64()})
		msg := message(random, 1+random.IntN(60), round)
		want := Absorb(&h, &r, msg)
		state := registry.MACState{H: h, R: r}
		for rest := msg; len(rest) > 0; {
			k := &kernels[random.IntN(len(kernels))]
			if k.Absorb == nil {
				continue
			}
			var powers *registry.Powers
			if k.Setup != nil {
				powers = new(registry.Powers)
				k.Setup(powers, &r)
			}
			n := 16 * (1 + random.IntN(len(rest)/16))
			k.Absorb(&state, powers, rest[:n])
			rest = rest[n:]
		}
		if got := new(big.Int).Mod(Int(state.H[:]...), prime); got.Cmp(want) != 0 {
			t.Fatalf("round %d: got %x, want %x", round, got, want)
		}
	}
}

// CheckAllocations fails if a call of the kernel allocates.
func CheckAllocations(t *testing.T, k *registry.Kernel) {
	t.Helper()
	state, powers, msg := new(registry.MACState), new(registry.Powers), make([]byte, 16*37)
	allocs := testing.AllocsPerRun(10, func() {
		if k.Setup != nil {
			k.Setup(powers, &state.R)
		}
		k.Absorb(state, powers, msg)
	})
	if allocs != 0 {
		t.Errorf("%s: %v allocations", k.Name, allocs)
	}
}

// Benchmark measures the kernels side by side with a whole one-shot routine of
// another library, at 64 bytes to 1 MiB.
func Benchmark(b *testing.B, backend string, kernels []registry.Kernel, other string, sum func(msg []byte)) {
	for _, size := range []int{64, 1 << 10, 16 << 10, 1 << 20} {
		msg := make([]byte, size)
		b.Run(fmt.Sprintf("backend=%s/size=%d", other, size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				sum(msg)
			}
		})
		for i := range kernels {
			k := &kernels[i]
			if k.Absorb == nil {
				continue
			}
			b.Run(fmt.Sprintf("backend=%s.%s/size=%d", backend, k.Name, size), func(b *testing.B) {
				state, powers := &registry.MACState{R: multipliers[4]}, new(registry.Powers)
				if k.Setup != nil {
					k.Setup(powers, &state.R)
				}
				b.SetBytes(int64(size))
				for b.Loop() {
					k.Absorb(state, powers, msg)
				}
			})
		}
	}
}
