package avx2

import (
	"math/bits"
	"testing"
)

// bound is the largest value of each limb.
type bound [5]uint64

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

// product bounds a product of VPMULUDQ, whose factors must be below 2^32.
func product(t *testing.T, a, b uint64) uint64 {
	t.Helper()
	if a >= 1<<32 || b >= 1<<32 {
		t.Fatalf("%x * %x: a factor has more than 32 bits", a, b)
	}
	return a * b
}

// products bounds the sums after avx2Products of all limbs of a.
func products(t *testing.T, d *bound, a, b bound) {
	t.Helper()
	for i := range a {
		for j := range d {
			factor := b[(j-i+5)%5]
			if j < i {
				factor *= 5
			}
			d[j] = sum(t, d[j], product(t, a[i], factor))
		}
	}
}

// carry bounds the limbs after avx2Carry.
func carry(t *testing.T, d bound) bound {
	t.Helper()
	const mask = 1<<26 - 1
	step := func(from, to int, factor uint64) {
		t.Helper()
		hi, lo := bits.Mul64(d[from]>>26, factor)
		if hi != 0 {
			t.Fatalf("the carry out of limb %d leaves its word", from)
		}
		d[to] = sum(t, d[to], lo)
		d[from] = min(d[from], mask)
	}
	step(3, 4, 1)
	step(0, 1, 1)
	step(4, 0, 5)
	step(1, 2, 1)
	step(0, 1, 1)
	step(2, 3, 1)
	step(3, 4, 1)
	return d
}

// TestBounds follows the largest limbs through the recurrence of the kernel.
func TestBounds(t *testing.T) {
	const mask = 1<<26 - 1
	// The top limb of a power below 4*2^128 + 2^64 has 26 bits and a carry.
	power := bound{mask, mask, mask, mask, 1<<26 + 1<<4}
	message := bound{mask, mask, mask, mask, 1<<25 - 1}
	state := bound{mask, mask, mask, mask, 1<<27 - 1} // of H < 2^131
	var first bound
	for i := range first {
		first[i] = sum(t, message[i], state[i])
	}
	h := first
	for range 10 {
		for groups := 1; groups <= 2; groups++ {
			d := message
			if groups == 2 {
				products(t, &d, first, power) // general registers may have absorbed blocks before it
			}
			products(t, &d, h, power)
			for i, v := range carry(t, d) {
				if v >= 1<<26+1<<12 {
					t.Fatalf("limb %d can reach %x after a reduction", i, v)
				}
				h[i] = max(h[i], v)
			}
		}
	}
	var d bound
	products(t, &d, h, power)
	for i, v := range d {
		if v >= 1<<62/4 {
			t.Errorf("four lanes of D%d can reach 4 * %x", i, v)
		}
	}
}
