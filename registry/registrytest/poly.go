package registrytest

import (
	"math/big"
	"math/bits"

	"github.com/quarterround/quarterround/registry"
)

// prime is 2^130 - 5.
var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))

// Clamping masks of RFC 8439 section 2.5, least significant limb first.
const (
	clampLow  = 0x0ffffffc0fffffff
	clampHigh = 0x0ffffffc0ffffffc
)

// reduce returns h mod 2^130-5 for h below 2^180.
func reduce(h [3]uint64) [3]uint64 {
	for range 2 {
		q := h[2] >> 2
		h[2] &= 3
		// q < 2^50, so that 5q fits.
		var c uint64
		h[0], c = bits.Add64(h[0], 5*q, 0)
		h[1], c = bits.Add64(h[1], 0, c)
		h[2] += c
	}
	// h < 2^130: subtract p once if h + 5 reaches 2^130.
	t0, c := bits.Add64(h[0], 5, 0)
	t1, c := bits.Add64(h[1], 0, c)
	t2 := h[2] + c
	if t2 >= 4 {
		return [3]uint64{t0, t1, t2 & 3}
	}
	return h
}

// bigFromLimbs returns the number with these limbs, least significant first.
func bigFromLimbs(limbs []uint64) *big.Int {
	n := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(limbs[i]))
	}
	return n
}

// limbsFromBig is the inverse for numbers below 2^192.
func limbsFromBig(n *big.Int) (limbs [3]uint64) {
	mask := new(big.Int).SetUint64(1<<64 - 1)
	for i := range limbs {
		limbs[i] = new(big.Int).And(new(big.Int).Rsh(n, uint(64*i)), mask).Uint64()
	}
	return limbs
}

// bigAbsorb returns h after each of the whole blocks of msg, starting with the
// h before the first, all fully reduced, computed by math/big.
func bigAbsorb(h [3]uint64, r [2]uint64, msg []byte) [][3]uint64 {
	acc, mul := bigFromLimbs(h[:]), bigFromLimbs(r[:])
	all := [][3]uint64{limbsFromBig(new(big.Int).Mod(acc, prime))}
	var block [17]byte
	for ; len(msg) >= registry.MACBlockSize; msg = msg[registry.MACBlockSize:] {
		block[0] = 1
		for i := range registry.MACBlockSize {
			block[1+i] = msg[registry.MACBlockSize-1-i]
		}
		acc.Add(acc, new(big.Int).SetBytes(block[:]))
		acc.Mul(acc, mul).Mod(acc, prime)
		all = append(all, limbsFromBig(acc))
	}
	return all
}
