package ssse3

import (
	"math/big"
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

func TestFused(t *testing.T) { kerneltest.Each(t, fusedKernels(), kerneltest.Fused) }

func TestFusedConformance(t *testing.T) {
	registrytest.TestBackend(t, &registry.Backend{Name: "ssse3", Kernels: fusedKernels()})
}

// TestMACBounds takes the largest accumulator and multiplier through the sums of a
// block of the fused kernels, and checks that none without a carry leaves its word.
// After it the top word is at most 3 and a carry, less than on entry.
func TestMACBounds(t *testing.T) {
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	high := func(a, b *big.Int) *big.Int { return new(big.Int).Rsh(new(big.Int).Mul(a, b), 64) }
	sum := func(terms ...*big.Int) *big.Int {
		s := new(big.Int)
		for _, v := range terms {
			s.Add(s, v)
		}
		return s
	}
	full := new(big.Int).Sub(word, big.NewInt(1)) // h0 and h1
	r := new(big.Int).Lsh(big.NewInt(1), 60)      // r0 and r1
	q := new(big.Int).Add(r, new(big.Int).Rsh(r, 2))
	one := big.NewInt(1)

	h2 := big.NewInt(7) // h < 2^131
	h2.Add(h2, big.NewInt(2))
	middle := sum(high(full, r), high(full, q), new(big.Int).Mul(h2, q), one)
	if middle.Cmp(word) >= 0 {
		t.Errorf("the middle word can reach %x", middle)
	}
	top := sum(high(full, r), high(full, r), new(big.Int).Mul(h2, r), one, one)
	if top.Cmp(word) >= 0 {
		t.Errorf("the top word can reach %x", top)
	}
	folded := sum(top, new(big.Int).Rsh(top, 2)) // 5 times the top word div 4
	if folded.Cmp(word) >= 0 {
		t.Errorf("what is folded can reach %x", folded)
	}
}
