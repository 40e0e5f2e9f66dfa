//go:build gc && !purego && (arm || arm64)

package poly26

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quarterround/quarterround/internal/kerneltest"
	"github.com/quarterround/quarterround/internal/polytest"
)

// Limits on limbs: what the routines accept of an accumulator, and of powers and of
// what they return.
const (
	acceptedLimb = 1 << 27
	returnedLimb = 1<<26 + 1<<9
)

var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))

// randomLimb returns a limb at or below limit, often at it or at another edge.
func randomLimb(random *rand.Rand, limit uint32) uint32 {
	edges := []uint32{limit, limit - 1, mask26, mask26 - 1, 1 << 26, 0, 1}
	if i := random.IntN(2 * len(edges)); i < len(edges) {
		return min(limit, edges[i])
	}
	return random.Uint32N(limit + 1)
}

func randomLanes(random *rand.Rand, limit uint32) (l lanes26) {
	for i := range l {
		l[i] = randomLimb(random, limit)
	}
	return l
}

// number returns the value of five limbs.
func number(limbs [5]uint32) *big.Int {
	x := new(big.Int)
	for i, limb := range limbs {
		x.Add(x, new(big.Int).Lsh(big.NewInt(int64(limb)), uint(26*i)))
	}
	return x
}

func (l *lanes26) lane(k int) [5]uint32 {
	return [5]uint32{l[k], l[2+k], l[4+k], l[6+k], l[8+k]}
}

// compareLanes fails if a lane is not what is wanted modulo 2^130-5, or a limb is too
// large.
func compareLanes(t *testing.T, what string, got *lanes26, want [2]*big.Int) {
	t.Helper()
	for k := range 2 {
		limbs := got.lane(k)
		for i, limb := range limbs {
			if i < 4 && limb > mask26 || limb > returnedLimb {
				t.Fatalf("%s: limb %d of lane %d is %#x", what, i, k, limb)
			}
		}
		if x := number(limbs); x.Mod(x, prime).Cmp(want[k].Mod(want[k], prime)) != 0 {
			t.Fatalf("%s: lane %d is %x, want %x", what, k, x, want[k])
		}
	}
}

func TestMultiplyLanesAtLimits(t *testing.T) {
	kerneltest.Need(t, &neonKernels()[0])
	random := rand.New(rand.NewPCG(31, 32))
	for range 2000 {
		x, y := randomLanes(random, acceptedLimb), randomLanes(random, acceptedLimb)
		want := [2]*big.Int{}
		for k := range want {
			want[k] = new(big.Int).Mul(number(x.lane(k)), number(y.lane(k)))
		}
		got := x
		multiplyLanes(&got, &y)
		compareLanes(t, "product", &got, want)
	}
}

// A laneCase is one call of a routine on lanes: accumulator, message and, instead of
// powers of r, any numbers with limbs as large as those of powers may be.
type laneCase struct {
	lanes  lanes26
	table  [tableWords]uint32
	powers []*big.Int // highest first
	msg    []byte
}

// randomCase returns one for n iterations of 4*groups blocks.
func randomCase(random *rand.Rand, groups, n int) *laneCase {
	c := &laneCase{lanes: randomLanes(random, acceptedLimb), msg: make([]byte, 64*groups*n)}
	for p := range 2 * groups {
		var limbs [5]uint32
		w := c.table[powerWords*p:]
		for i := range limbs {
			limbs[i] = randomLimb(random, returnedLimb)
			w[i] = limbs[i]
			if i > 0 {
				w[4+i] = 5 * limbs[i]
			}
		}
		c.powers = append(c.powers, number(limbs))
	}
	fill := random.IntN(3)
	for i := range c.msg {
		c.msg[i] = [3]byte{0xff, 0, byte(random.Uint32())}[fill]
	}
	return c
}

// want returns what the lanes are afterwards: for each iteration, h = (h + b) p + b' p'
// + ..., where lane 0 has the even blocks and lane 1 the odd ones.
func (c *laneCase) want() (h [2]*big.Int) {
	for k := range h {
		h[k] = number(c.lanes.lane(k))
		msg := c.msg
		for len(msg) > 0 {
			sum := new(big.Int)
			for i, p := range c.powers {
				b := new(big.Int)
				if i == 0 {
					b.Set(h[k])
				}
				b.Add(b, block(msg[32*i+16*k:]))
				sum.Add(sum, b.Mul(b, p))
			}
			h[k] = sum.Mod(sum, prime)
			msg = msg[32*len(c.powers):]
		}
	}
	return h
}

// block returns the first block of msg with 2^128 added.
func block(msg []byte) *big.Int {
	limbs := []uint64{0, 0, 1}
	for i := range 16 {
		limbs[i/8] |= uint64(msg[i]) << (8 * (i % 8))
	}
	return polytest.Int(limbs...)
}

func TestLanesAtLimits(t *testing.T) {
	kerneltest.Need(t, &neonKernels()[0])
	type routine struct {
		name   string
		groups int
		run    func(c *laneCase, n int)
	}
	wide := func(w width) func(c *laneCase, n int) {
		return func(c *laneCase, n int) { vectorX8(&c.lanes, &c.table[0], &c.msg[0], n, w) }
	}
	routines := []routine{
		{"neonX4", 1, func(c *laneCase, n int) { neonX4(&c.lanes, &c.table[0], &c.msg[0], n) }},
		{"neonX8", 2, wide(widthX8)},
		{"neonX8A7", 2, wide(widthX8A7)},
		{"neonHybrid", 2, func(c *laneCase, n int) {
			h, r, tail := [3]uint64{^uint64(0), ^uint64(0), 7}, [2]uint64{0x0ffffffc0fffffff, 0x0ffffffc0ffffffc}, make([]byte, 16*(2*n+hybridAhead))
			want := polytest.Absorb(&h, &r, tail)
			neonHybrid(&c.lanes, &c.table[0], &c.msg[0], n, &h, &r, &tail[0])
			if got := polytest.Int(h[:]...); h[2] > 7 || got.Mod(got, prime).Cmp(want) != 0 {
				t.Fatalf("neonHybrid: scalar part is %x, want %x", h, want)
			}
		}},
	}
	random := rand.New(rand.NewPCG(33, 34))
	for _, r := range routines {
		for round := range 600 {
			n := 1 + round%4
			c := randomCase(random, r.groups, n)
			want := c.want()
			r.run(c, n)
			compareLanes(t, r.name, &c.lanes, want)
		}
	}
}
