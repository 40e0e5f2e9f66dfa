package poly26

import (
	"fmt"
	"math/big"
	"math/bits"
	"testing"

	"github.com/quarterround/quarterround/internal/polytest"
)

// bound is an upper bound of each limb of a number, or of each sum.
type bound [5]uint64

// checked computes with upper bounds and records the first overflow.
type checked struct {
	err error
}

func (c *checked) add(x, y uint64) uint64 {
	s, carry := bits.Add64(x, y, 0)
	c.fail(carry != 0, "sum %#x + %#x", x, y)
	return s
}

func (c *checked) mul(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	c.fail(hi != 0 || x>>32 != 0 || y>>32 != 0, "product %#x * %#x", x, y)
	return lo
}

func (c *checked) word(x uint64) uint64 {
	c.fail(x>>32 != 0, "word %#x", x)
	return x
}

func (c *checked) fail(failed bool, format string, args ...any) {
	if failed && c.err == nil {
		c.err = fmt.Errorf("overflow: "+format, args...)
	}
}

// product adds to sums the product of numbers below x and y.
func (c *checked) product(sums, x, y bound) bound {
	for i := range 5 {
		for j := range 5 {
			if i <= j {
				sums[j] = c.add(sums[j], c.mul(x[i], y[j-i]))
			} else {
				sums[j] = c.add(sums[j], c.mul(x[i], c.word(5*y[5+j-i])))
			}
		}
	}
	return sums
}

// carry is the carry of the vector kernels, 3-4-0-1-2-3-4, on bounds.
func (c *checked) carry(d bound) bound {
	d[4] = c.add(d[4], d[3]>>26)
	d[3] = min(d[3], mask26)
	t := c.word(d[4] >> 26)
	d[4] = min(d[4], mask26)
	d[0] = c.add(d[0], c.mul(t, 5))
	for i := range 4 {
		d[i+1] = c.add(d[i+1], d[i]>>26)
		d[i] = min(d[i], mask26)
	}
	c.word(d[4])
	return d
}

var (
	limbsOfBlock = bound{mask26, mask26, mask26, mask26, 1<<25 - 1}
	limbsOfInput = bound{1 << 27, 1 << 27, 1 << 27, 1 << 27, 1 << 27}
)

// powersBound is the bound of the limbs of any power that multiplyLanes makes.
func powersBound(c *checked) bound {
	power := bound{mask26, mask26, mask26, mask26, 1<<22 - 1}
	for range 10 {
		power = c.carry(c.product(bound{}, power, power))
	}
	return power
}

// TestLaneBounds runs the recurrence of the vector kernels on intervals: no sum
// leaves 64 bits, no factor 32, and the limbs of h stay where the comments say.
func TestLaneBounds(t *testing.T) {
	for _, pairs := range []int{1, 2, 4} {
		var c checked
		power := powersBound(&c)
		h := limbsOfInput
		for range 10 {
			first := limbsOfBlock
			for i := range first {
				first[i] = c.word(first[i] + h[i])
			}
			sums := c.product(bound{}, first, power)
			for range pairs - 1 {
				sums = c.product(sums, limbsOfBlock, power)
			}
			h = c.carry(sums)
			for i, limit := range (bound{mask26, mask26, mask26, mask26, 1<<26 + 1<<9}) {
				if h[i] > limit {
					t.Errorf("%d pairs: limb %d of h may be %#x", pairs, i, h[i])
				}
			}
			if power[4] > 1<<26+1<<9 {
				t.Errorf("limb 4 of a power may be %#x", power[4])
			}
		}
		if c.err != nil {
			t.Errorf("%d pairs: %v", pairs, c.err)
		}
	}
}

// TestEndBounds does the same for the last pair, after which lanes are added up.
func TestEndBounds(t *testing.T) {
	var c checked
	power := powersBound(&c)
	first := limbsOfBlock
	for i := range first {
		first[i] = c.word(first[i] + limbsOfInput[i])
	}
	lane := c.product(bound{}, first, power)
	var sums bound
	for i := range sums {
		sums[i] = c.add(lane[i], lane[i])
	}
	h := c.carry(sums)
	if h[4] > 1<<26+1<<9 {
		t.Errorf("limb 4 of h may be %#x", h[4])
	}
	if c.err != nil {
		t.Error(c.err)
	}
}

// TestBoundsCanFail checks the checker: with 64 pairs between two carries the
// carry out of the top sum no longer fits.
func TestBoundsCanFail(t *testing.T) {
	var c checked
	power := powersBound(&c)
	sums := c.product(bound{}, limbsOfInput, power)
	for range 63 {
		sums = c.product(sums, limbsOfBlock, power)
	}
	c.carry(sums)
	if c.err == nil {
		t.Error("no overflow found")
	}
}

// TestAddLane compares both ways to add a lane with limbs added one by one.
func TestAddLane(t *testing.T) {
	limits := []uint32{0, 1, mask26 - 1, mask26, 1 << 26, 1<<26 + 1<<9, 1 << 27}
	for _, h := range [][3]uint64{{}, {^uint64(0), ^uint64(0), 7}, {^uint64(4), ^uint64(0), 3}} {
		for i := range 7 * 7 * 7 {
			x := [5]uint32{limits[i%7], limits[i/7%7], limits[i/49], limits[i/7%7], limits[i%7]}
			got := h
			addLimbs64(&got, uint64(x[0]), uint64(x[1]), uint64(x[2]), uint64(x[3]), uint64(x[4]))
			checkAddLane(t, &h, &x, &got)
			got = h
			addLimbs32(&got, x[0], x[1], x[2], x[3], x[4])
			checkAddLane(t, &h, &x, &got)
		}
	}
}

func checkAddLane(t *testing.T, h *[3]uint64, x *[5]uint32, got *[3]uint64) {
	t.Helper()
	if got[2] > 4 {
		t.Fatalf("%x + %x: %x", *h, *x, *got)
	}
	want := polytest.Int(h[:]...)
	for i, limb := range x {
		want.Add(want, new(big.Int).Lsh(big.NewInt(int64(limb)), uint(26*i)))
	}
	prime := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))
	if v := polytest.Int(got[:]...); v.Mod(v, prime).Cmp(want.Mod(want, prime)) != 0 {
		t.Fatalf("%x + %x: got %x, want %x", *h, *x, v, want)
	}
}
