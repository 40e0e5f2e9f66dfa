//go:build gc && !purego && (arm || arm64)

package poly26

import (
	"math/big"
	"math/rand/v2"
	"runtime"
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
	kerneltest.Need(t, &neonKernels()[1])
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
	table  [tableWords + pairWords]uint32
	powers [4]*big.Int // of the table, highest first
	pair   [2]*big.Int
	msg    []byte
}

// randomCase returns one of a number of blocks.
func randomCase(random *rand.Rand, blocks int) *laneCase {
	c := &laneCase{lanes: randomLanes(random, acceptedLimb), msg: make([]byte, 16*blocks)}
	for p := range c.powers {
		c.powers[p] = putNumber(random, c.table[powerWords*p:], 1)
	}
	for p := range c.pair {
		c.pair[p] = putNumber(random, c.table[tableWords+p:], 2)
	}
	fill := random.IntN(3)
	for i := range c.msg {
		c.msg[i] = [3]byte{0xff, 0, byte(random.Uint32())}[fill]
	}
	return c
}

// putNumber writes random limbs and five times all but the first to every step-th word
// of the table.
func putNumber(random *rand.Rand, table []uint32, step int) *big.Int {
	var limbs [5]uint32
	for i := range limbs {
		limbs[i] = randomLimb(random, returnedLimb)
		table[step*i] = limbs[i]
		if i > 0 {
			table[step*(4+i)] = 5 * limbs[i]
		}
	}
	return number(limbs)
}

// absorbed returns what the lanes are after as many of the blocks as fill iterations over
// the last powers of the table, given their number, and the rest of the message: for each
// iteration, h = (h + b) p + b' p' + ..., where lane 0 has the even blocks and lane 1
// the odd ones.
func (c *laneCase) absorbed(h [2]*big.Int, msg []byte, powers int) ([2]*big.Int, []byte) {
	for ; len(msg) >= 32*powers; msg = msg[32*powers:] {
		for k := range h {
			sum := new(big.Int)
			for i, p := range c.powers[len(c.powers)-powers:] {
				b := block(msg[32*i+16*k:])
				if i == 0 {
					b.Add(b, h[k])
				}
				sum.Add(sum, b.Mul(b, p))
			}
			h[k] = sum.Mod(sum, prime)
		}
	}
	return h, msg
}

// start returns the numbers in the lanes.
func (c *laneCase) start() [2]*big.Int {
	return [2]*big.Int{number(c.lanes.lane(0)), number(c.lanes.lane(1))}
}

// ended returns the sum of the lanes after the rest of a message, two blocks at least.
func (c *laneCase) ended(h [2]*big.Int, msg []byte) *big.Int {
	last := len(msg) - 32
	h, _ = c.absorbed(h, msg[:last], 1)
	sum := new(big.Int)
	for k := range h {
		b := block(msg[last+16*k:])
		b.Add(b, h[k])
		sum.Add(sum, b.Mul(b, c.pair[k]))
	}
	return sum.Mod(sum, prime)
}

// block returns the first block of msg with 2^128 added.
func block(msg []byte) *big.Int {
	limbs := []uint64{0, 0, 1}
	for i := range 16 {
		limbs[i/8] |= uint64(msg[i]) << (8 * (i % 8))
	}
	return polytest.Int(limbs...)
}

// compareH fails if h is not what is wanted modulo 2^130-5, or is too large.
func compareH(t *testing.T, what string, h *[3]uint64, want *big.Int) {
	t.Helper()
	if got := polytest.Int(h[:]...); got.BitLen() > 131 || got.Mod(got, prime).Cmp(want) != 0 {
		t.Fatalf("%s: h is %x, want %x", what, *h, want)
	}
}

// randomH returns an accumulator below 2^131, the largest often.
func randomH(random *rand.Rand) [3]uint64 {
	if random.IntN(3) == 0 {
		return [3]uint64{^uint64(0), ^uint64(0), 7}
	}
	return [3]uint64{random.Uint64(), random.Uint64(), random.Uint64N(8)}
}

func TestBlocksAtLimits(t *testing.T) {
	kerneltest.Need(t, &neonKernels()[1])
	widths := []struct {
		name   string
		w      width
		powers int // multiplied by in an iteration
	}{{"x2", widthX2, 1}, {"x4", widthX4, 2}, {"x8", widthX8, 4}, {"x8-a7", widthX8A7, 4}}
	if runtime.GOARCH == "arm64" {
		widths = widths[1:3]
	}
	random := rand.New(rand.NewPCG(35, 36))
	for _, w := range widths {
		for round := range 1200 {
			n := 1 + round%14
			c := randomCase(random, 2*n)
			h := randomH(random)
			start := [2]*big.Int{polytest.Int(h[:]...), new(big.Int)}
			looped := (n - 1) / w.powers * w.powers // pairs
			lanes, _ := c.absorbed(start, c.msg[:32*looped], w.powers)
			want := c.ended(lanes, c.msg[32*looped:])
			neonBlocks(&h, &c.table[0], &c.msg[0], n, w.w)
			compareH(t, w.name, &h, want)
		}
	}
}

func TestEndAtLimits(t *testing.T) {
	kerneltest.Need(t, &neonKernels()[1])
	random := rand.New(rand.NewPCG(37, 38))
	for round := range 600 {
		n := 1 + round%4
		c := randomCase(random, 2*n)
		want := c.ended(c.start(), c.msg)
		var h [3]uint64
		neonEnd(&h, &c.lanes, &c.table[tableWords-powerWords], &c.msg[0], n)
		compareH(t, "neonEnd", &h, want)
	}
}

func TestHybridAtLimits(t *testing.T) {
	kerneltest.Need(t, &neonKernels()[1])
	random := rand.New(rand.NewPCG(33, 34))
	for round := range 600 {
		n := 1 + round%4
		c := randomCase(random, 8*n)
		h, r := randomH(random), polytest.Clamp([2]uint64{^uint64(0), ^uint64(0)})
		tail := make([]byte, 16*(2*n+hybridAhead))
		wantH := polytest.Absorb(&h, &r, tail)
		want, _ := c.absorbed(c.start(), c.msg, 4)
		neonHybrid(&c.lanes, &c.table[0], &c.msg[0], n, &h, &r, &tail[0])
		compareH(t, "neonHybrid", &h, wantH)
		compareLanes(t, "neonHybrid", &c.lanes, want)
	}
}
