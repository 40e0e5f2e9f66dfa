package polyasm

import (
	"math/big"
	"testing"
)

// bounds computes with upper bounds of numbers and fails where one leaves its word.
type bounds struct{ t *testing.T }

func power(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// below returns the largest number below 2^n.
func below(n uint) *big.Int { return new(big.Int).Sub(power(n), big.NewInt(1)) }

func sum(terms ...*big.Int) *big.Int {
	s := new(big.Int)
	for _, v := range terms {
		s.Add(s, v)
	}
	return s
}

func product(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }

func shift(x *big.Int, n uint) *big.Int { return new(big.Int).Rsh(x, n) }

func fiveQuarters(x *big.Int) *big.Int { return sum(x, shift(x, 2)) }

func (b bounds) fits(what string, v *big.Int, bits int) {
	b.t.Helper()
	if v.BitLen() > bits {
		b.t.Errorf("%s can reach %x: %d bits, more than %d", what, v, v.BitLen(), bits)
	}
}

// TestBounds64 follows the recurrence of blocks64 on intervals: sums without a carry
// stay in their words, and h below 2^131.
func TestBounds64(t *testing.T) {
	b := bounds{t}
	word, r, one := below(64), below(60), big.NewInt(1)
	s := fiveQuarters(r)
	high := func(x, y *big.Int) *big.Int { return shift(product(x, y), 64) }
	top := big.NewInt(7 + 1 + 1) // h[2] on entry, with the 2^128 of a block and a carry
	for range 10 {
		b.fits("d1 before its first sum with a carry", sum(high(word, r), high(word, s), product(top, s), one), 64)
		// The next block adds its 2^128, and column 1 has three carries at most.
		d2 := sum(high(word, r), high(word, r), product(top, r), one, big.NewInt(3))
		b.fits("d2", d2, 64)
		c := sum(d2, shift(d2, 2))
		b.fits("5c", c, 64)
		h := sum(product(big.NewInt(3), power(128)), below(128), c)
		b.fits("h", h, 131)
		top = shift(h, 128)
	}
}

// TestBounds32 does the same for blocks32; a block's bounds do not depend on the one
// before it.
func TestBounds32(t *testing.T) {
	b := bounds{t}
	word, r := below(32), below(28)
	s := fiveQuarters(r)
	b.fits("s", s, 32)
	// Of the top limb 3 is left; the block adds 2^128, and there are two carries.
	h4 := big.NewInt(3 + 1 + 1 + 1)
	carry := new(big.Int)
	for j := range 4 {
		d := new(big.Int)
		for i := range 4 {
			if i <= j {
				d = sum(d, product(word, r))
			} else {
				d = sum(d, product(word, s))
			}
		}
		if j > 0 {
			d = sum(d, product(h4, s))
		}
		b.fits("column", d, 63)
		d = sum(d, carry)
		b.fits("column with carry", d, 64)
		carry = shift(d, 32)
	}
	d4 := sum(product(h4, r), carry)
	b.fits("d4", d4, 32)
	b.fits("5/4 d4", sum(d4, shift(d4, 2)), 32)
}

// TestBoundsCanFail checks the checker.
func TestBoundsCanFail(t *testing.T) {
	fake := new(testing.T)
	bounds{fake}.fits("2^64", power(64), 64)
	if !fake.Failed() {
		t.Error("2^64 passes as a word")
	}
}
