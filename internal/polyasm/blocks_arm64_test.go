//go:build gc && !purego

package polyasm

import (
	"math/rand/v2"
	"testing"
)

func TestBlocksX2(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := 1; n <= 35; n += 1 + n/8 {
		for _, msg := range [][]byte{ones(32 * n), random(rng, 32*n+3)[3:]} {
			for i, start := range extremes {
				other := extremes[len(extremes)-1-i]
				for _, r := range multipliers {
					h := [2][3]uint64{start, other}
					BlocksX2(&h, &r, msg)
					check(t, "chain 0", &h[0], &start, &r, msg[:16*n])
					check(t, "chain 1", &h[1], &other, &r, msg[16*n:])
				}
			}
		}
	}
}
