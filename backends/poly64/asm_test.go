package poly64

import (
	"math/big"
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
)

func TestAssembly(t *testing.T) { kerneltest.Each(t, asmKernels(), kerneltest.MAC) }

// TestMulxBounds follows the largest values through the recurrence of the mulx
// kernel, and checks that no sum without a carry leaves its word.
func TestMulxBounds(t *testing.T) {
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	shift60 := func(a int64) *big.Int { return new(big.Int).Lsh(big.NewInt(a), 60) }
	fits := func(what string, v *big.Int) {
		t.Helper()
		if v.Cmp(word) >= 0 {
			t.Errorf("%s can reach %x", what, v)
		}
	}
	high := func(a, b *big.Int) *big.Int { return new(big.Int).Rsh(new(big.Int).Mul(a, b), 64) }
	sum := func(terms ...*big.Int) *big.Int {
		s := new(big.Int)
		for _, v := range terms {
			s.Add(s, v)
		}
		return s
	}
	times := func(a int64, b *big.Int) *big.Int { return new(big.Int).Mul(big.NewInt(a), b) }

	r := shift60(1)                              // r0 and r1
	q := new(big.Int).Rsh(times(5, r), 2)        // 5*r1/4
	t01 := new(big.Int).Sub(word, big.NewInt(1)) // t0 and t1
	three := big.NewInt(3)
	t2 := big.NewInt(9) // with the first block
	for range 10 {
		// The fused kernel of backend avx2 adds a block before the product.
		t2.Add(t2, big.NewInt(2))
		c := new(big.Int).Rsh(t2, 2)
		fits("c*5", times(5, c))
		fits("5*r", times(5, r))
		fits("E1 before its last sum", sum(high(t01, r), high(t01, q), big.NewInt(1)))
		fits("hi(c*5*r0) + u*q", sum(high(c, times(5, r)), new(big.Int).Mul(three, q)))
		e2 := sum(high(t01, r), high(t01, r), high(c, times(5, r)), new(big.Int).Mul(three, r), big.NewInt(5))
		fits("E2", e2)
		if e2.Cmp(t2) > 0 {
			t2 = e2
		}
	}
	if limit := shift60(8); t2.Cmp(limit) >= 0 {
		t.Errorf("t2 can reach %x, the proof says %x", t2, limit)
	}
	final := sum(new(big.Int).Lsh(three, 128), new(big.Int).Lsh(big.NewInt(1), 128), times(5, new(big.Int).Rsh(t2, 2)))
	if final.BitLen() > 131 {
		t.Errorf("the result can have %d bits", final.BitLen())
	}
}
