package avx512

import (
	"math/bits"
	"testing"
)

// bound is the largest value of each limb.
type bound [3]uint64

// sum adds upper bounds, and fails if they do not fit a word.
func sum(t *testing.T, terms ...uint64) uint64 {
	t.Helper()
	var total uint64
	for _, v := range terms {
		var carry uint64
		if total, carry = bits.Add64(total, v, 0); carry != 0 {
			t.Fatalf("a sum of %x leaves its word", terms)
		}
	}
	return total
}

// shift shifts an upper bound to the left, and fails if bits are lost.
func shift(t *testing.T, v uint64, n int) uint64 {
	t.Helper()
	if bits.Len64(v)+n > 64 {
		t.Fatalf("%x << %d leaves its word", v, n)
	}
	return v << n
}

// low and high bound the halves of a product of VPMADD52, whose factors must be
// below 2^52.
func low(t *testing.T, a, b uint64) uint64 {
	t.Helper()
	if a >= 1<<52 || b >= 1<<52 {
		t.Fatalf("%x * %x: a factor has more than 52 bits", a, b)
	}
	if hi, lo := bits.Mul64(a, b); hi == 0 && lo < 1<<52 {
		return lo
	}
	return 1<<52 - 1
}

func high(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi<<12 | lo>>52
}

// products bounds what ifmaProducts adds to the sums.
func products(t *testing.T, lows, highs *bound, a, b bound) {
	t.Helper()
	s1, s2 := 20*b[1], 20*b[2]
	for limb, row := range [3][3]uint64{{b[0], s2, s1}, {b[1], b[0], s2}, {b[2], b[1], b[0]}} {
		for i, factor := range row {
			lows[limb] = sum(t, lows[limb], low(t, a[i], factor))
			highs[limb] = sum(t, highs[limb], high(a[i], factor))
		}
	}
}

// fold bounds the sums D after ifmaFold.
func fold(t *testing.T, lows, highs bound) bound {
	t.Helper()
	return bound{
		sum(t, lows[0], shift(t, highs[2], 10), shift(t, highs[2], 12)),
		sum(t, lows[1], shift(t, highs[0], 8)),
		sum(t, lows[2], shift(t, highs[1], 8)),
	}
}

// TestBounds follows the largest limbs through the recurrence of the kernels.
func TestBounds(t *testing.T) {
	const mask42, mask44 = 1<<42 - 1, 1<<44 - 1
	// Powers above r^4 come from a reduction.
	power := bound{mask44 + 1<<15, mask44 + 1<<15, 1<<43 - 1}
	message := bound{mask44, mask44, 1<<41 - 1}
	state := bound{mask44, mask44, 1<<43 - 1} // of H < 2^131
	var first bound
	for i := range first {
		first[i] = sum(t, message[i], state[i])
	}
	for _, k := range []int{1, 2, 4} {
		h := first
		for range 10 {
			lows, highs := message, bound{}
			for range k - 1 {
				// The fused kernel adds the state to the first of these groups.
				products(t, &lows, &highs, first, power)
			}
			products(t, &lows, &highs, h, power)
			d := fold(t, lows, highs)
			h = bound{
				max(h[0], sum(t, mask44, d[2]>>42, shift(t, d[2]>>42, 2))),
				max(h[1], sum(t, mask44, d[0]>>44)),
				max(h[2], sum(t, mask42, d[1]>>44)),
			}
			for i, v := range h {
				if v >= 1<<45 {
					t.Fatalf("x%d: limb %d can reach %x", 8*k, i, v)
				}
			}
		}
		var lows, highs bound
		products(t, &lows, &highs, h, power)
		for i, v := range fold(t, lows, highs) {
			if hi, lo := bits.Mul64(v, 8); hi != 0 || lo >= 1<<62 {
				t.Errorf("x%d: eight lanes of limb %d leave their word", 8*k, i)
			}
		}
	}
}
