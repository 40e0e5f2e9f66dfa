package polyasm

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
)

var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))

func toBig(limbs []uint64) *big.Int {
	x := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(limbs[i]))
	}
	return x
}

// absorb is the definition of RFC 8439 section 2.5.1 over math/big.
func absorb(h, r *big.Int, msg []byte) *big.Int {
	h = new(big.Int).Set(h)
	for ; len(msg) >= 16; msg = msg[16:] {
		block := toBig([]uint64{binary.LittleEndian.Uint64(msg), binary.LittleEndian.Uint64(msg[8:]), 1})
		h.Add(h, block).Mul(h, r).Mod(h, prime)
	}
	return h
}

// extremes are accumulators at and around the limits of the contract.
var extremes = [][3]uint64{
	{},
	{^uint64(0), ^uint64(0), 7}, // 2^131 - 1
	{^uint64(0), ^uint64(0), 3}, // 2^130 - 1
	{^uint64(4), ^uint64(0), 3}, // the prime
	{^uint64(5), ^uint64(0), 3},
	{0, 0, 4},
	{0, 0, 7},
	{^uint64(0), 0, 0},
	{1, 0, 0},
}

const clampLow, clampHigh = 0x0ffffffc0fffffff, 0x0ffffffc0ffffffc

var multipliers = [][2]uint64{
	{clampLow, clampHigh},
	{0, 0}, {1, 0}, {0, 4},
	{clampLow, 0}, {0, clampHigh},
	{0x0123456789abcdef & clampLow, 0xfedcba9876543210 & clampHigh},
}

func ones(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 0xff
	}
	return b
}

func random(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func check(t *testing.T, name string, h, start *[3]uint64, r *[2]uint64, msg []byte) {
	t.Helper()
	if h[2] > 7 {
		t.Fatalf("%s: h = %x is above 2^131", name, *h)
	}
	want := absorb(toBig(start[:]), toBig(r[:]), msg)
	if got := new(big.Int).Mod(toBig(h[:]), prime); got.Cmp(want) != 0 {
		t.Fatalf("%s: start %x r %x, %d blocks: got %x, want %x", name, *start, *r, len(msg)/16, got, want)
	}
}

func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 70; n++ {
		for _, msg := range [][]byte{ones(16 * n), make([]byte, 16*n), random(rng, 16*n+1)[1:]} {
			for i, start := range extremes {
				for j, r := range multipliers {
					if n > 8 && (i+j+n)%7 != 0 {
						continue // long messages: each accumulator and multiplier, not each pair
					}
					h := start
					Blocks(&h, &r, msg)
					check(t, "Blocks", &h, &start, &r, msg)
				}
			}
		}
	}
}

func TestMultiply(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := append([][3]uint64{}, extremes...)
	for range 40 {
		values = append(values, [3]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64() & 7})
	}
	for _, x := range values {
		for _, y := range values {
			got := Multiply(&x, &y)
			want := new(big.Int).Mul(toBig(x[:]), toBig(y[:]))
			checkFolded(t, "product", &got, want)
			got = Add(&x, &y)
			checkFolded(t, "sum", &got, want.Add(toBig(x[:]), toBig(y[:])))
		}
	}
}

func checkFolded(t *testing.T, name string, got *[3]uint64, want *big.Int) {
	t.Helper()
	v := toBig(got[:])
	if v.Cmp(new(big.Int).Add(prime, big.NewInt(1<<10+5))) >= 0 {
		t.Fatalf("%s %x is not below 2^130 + 2^10", name, *got)
	}
	if v.Mod(v, prime).Cmp(want.Mod(want, prime)) != 0 {
		t.Fatalf("%s: got %x, want %x", name, v, want)
	}
}

// The scalar assembly leaves off where the reference goes on, and the reverse,
// at every block boundary.
func TestSwitchWithReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	msg := random(rng, 16*20)
	r := multipliers[0]
	for k := 16; k < len(msg); k += 16 {
		start := extremes[1]
		h := start
		Blocks(&h, &r, msg[:k])
		reference.Poly1305(&h, &r, msg[k:])
		check(t, "assembly, reference", &h, &start, &r, msg)
		h = start
		reference.Poly1305(&h, &r, msg[:k])
		Blocks(&h, &r, msg[k:])
		check(t, "reference, assembly", &h, &start, &r, msg)
	}
}
