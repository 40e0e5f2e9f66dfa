package main

import "fmt"

// In the lane layout a vector holds the same word of four blocks, block i in
// lane i. Nothing turns during the rounds; a 4x4 transposition at the end
// gives rows.

// lane names word w of group g of four blocks.
func lane(g, w int) string { return fmt.Sprintf("x%d_%d", g, w) }

// A quarterIndex lists the words of a quarter round.
type quarterIndex [4]int

// chachaIndex lists the quarter rounds of a ChaCha double round, salsaIndex
// those of a Salsa20 double round, in the order of their definition.
var (
	chachaIndex = [2][4]quarterIndex{
		{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}},
		{{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}},
	}
	salsaIndex = [2][4]quarterIndex{
		{{0, 4, 8, 12}, {5, 9, 13, 1}, {10, 14, 2, 6}, {15, 3, 7, 11}},
		{{0, 1, 2, 3}, {5, 6, 7, 4}, {10, 11, 8, 9}, {15, 12, 13, 14}},
	}
)

// laneDouble is a double round of the four blocks of group g, with the given
// number of quarter rounds interleaved.
func (t isa) laneDouble(cipher string, g, together int) []string {
	index := chachaIndex
	if cipher == "salsa" {
		index = salsaIndex
	}
	var code []string
	for half := range 2 {
		for first := 0; first < 4; first += together {
			var streams [][]string
			for i := first; i < first+together; i++ {
				q := index[half][i]
				s := fmt.Sprintf("t%d_%d", g, i)
				a, b, c, d := lane(g, q[0]), lane(g, q[1]), lane(g, q[2]), lane(g, q[3])
				if cipher == "salsa" {
					streams = append(streams, t.salsaQuarter(a, b, c, d, s))
				} else {
					streams = append(streams, t.chachaQuarter(a, b, c, d, s, "k"))
				}
			}
			code = append(code, interleave(streams...)...)
		}
	}
	return code
}

// counterIndex returns the state word of the low half of the counter.
func counterIndex(cipher string) int {
	if cipher == "salsa" {
		return 8
	}
	return 12
}

// loadLanes loads the state into the lanes of group g, whose first block has
// the given number within the step.
func (t isa) loadLanes(cipher string, g, first int) []string {
	var code []string
	c := counterIndex(cipher)
	for w := range 16 {
		switch w {
		case c:
			code = append(code, fmt.Sprintf("add %s, %s, #8", t.x("state"), t.x("state")))
		case c + 1:
		default:
			code = append(code, t.loadLane(lane(g, w), "state"))
		}
	}
	code = append(code, fmt.Sprintf("sub %s, %s, #64", t.x("state"), t.x("state")))
	return append(code, t.counterLanes(lane(g, c), lane(g, c+1), g, first)...)
}

// counterLanes sets low and high to the two words of the counters of four
// blocks, the first of which has the given number.
func (t isa) counterLanes(low, high string, g, first int) []string {
	var code []string
	var suffix [4]string
	for i := range 4 {
		if first+i > 0 {
			suffix[i] = itoa(first + i)
			code = append(code, t.addCounter(suffix[i], "", first+i)...)
		}
	}
	if t.arm() {
		for i, half := range []string{"l", "h"} {
			code = append(code,
				fmt.Sprintf("vmov d$%s.%s, r%%low%s, r%%low%s", low, half, suffix[2*i], suffix[2*i+1]),
				fmt.Sprintf("vmov d$%s.%s, r%%high%s, r%%high%s", high, half, suffix[2*i], suffix[2*i+1]))
		}
		return code
	}
	s := [2]string{fmt.Sprintf("n%d_0", g), fmt.Sprintf("n%d_1", g)}
	for i := range 4 {
		code = append(code, fmt.Sprintf("mov v$%s.d[%d], x%%low%s", s[i/2], i%2, suffix[i]))
	}
	return append(code,
		fmt.Sprintf("uzp1 v$%s.4s, v$%s.4s, v$%s.4s", low, s[0], s[1]),
		fmt.Sprintf("uzp2 v$%s.4s, v$%s.4s, v$%s.4s", high, s[0], s[1]))
}

// transpose turns four vectors, in place, so that lane i of x[j] becomes lane j
// of x[i]. s prefixes the names of temporaries.
func (t isa) transpose(x [4]string, s string) []string {
	if t.arm() {
		return []string{
			fmt.Sprintf("vtrn.32 q$%s, q$%s", x[0], x[1]), fmt.Sprintf("vtrn.32 q$%s, q$%s", x[2], x[3]),
			fmt.Sprintf("vswp d$%s.h, d$%s.l", x[0], x[2]), fmt.Sprintf("vswp d$%s.h, d$%s.l", x[1], x[3]),
		}
	}
	zip := func(op, kind, d, a, b string) string {
		return fmt.Sprintf("%s v$%s.%s, v$%s.%s, v$%s.%s", op, d, kind, a, kind, b, kind)
	}
	a, b, c, d := s+"a", s+"b", s+"c", s+"d"
	return []string{
		zip("trn1", "4s", a, x[0], x[1]), zip("trn2", "4s", b, x[0], x[1]),
		zip("trn1", "4s", c, x[2], x[3]), zip("trn2", "4s", d, x[2], x[3]),
		zip("trn1", "2d", x[0], a, c), zip("trn1", "2d", x[1], b, d),
		zip("trn2", "2d", x[2], a, c), zip("trn2", "2d", x[3], b, d),
	}
}

// finishLanes transposes group g, adds the state, whose rows are s0 to s3 with
// the counter of the group's first block, and XORs. It leaves the counter of the
// next block in row s3 (for Salsa20 s2); one is {1, 0}.
func (t isa) finishLanes(cipher string, g int) []string {
	var code []string
	for r := range 4 {
		code = append(code, t.transpose([4]string{lane(g, 4*r), lane(g, 4*r+1), lane(g, 4*r+2), lane(g, 4*r+3)}, fmt.Sprintf("y%d_%d", g, r))...)
	}
	counterRow := "s" + itoa(counterIndex(cipher)/4)
	for i := range 4 {
		for r := range 4 {
			x, m := lane(g, 4*r+i), fmt.Sprintf("m%d_%d_%d", g, i, r)
			code = append(code, t.add(x, x, "s"+itoa(r)))
			code = append(code, t.xorRow(x, m)...)
		}
		code = append(code, t.add64(counterRow, counterRow, "one"))
	}
	return code
}

// laneKernel is groups of four blocks in the lane layout.
func (t isa) laneKernel(name, cipher string, groups, together int, model machine) *kernel {
	k := &kernel{
		isa: t, name: name, cipher: cipher, blocks: 4 * groups, model: model,
		words: t.counterWords(),
	}
	c := counterIndex(cipher)
	k.setup = t.loadCounter(c)
	if cipher == "chacha" {
		k.setup = append(k.setup, t.rotate8Indices("k")...)
		k.constants = []string{"k"}
	}
	k.begin = []string{t.startCount()}
	k.end = t.loadState("s0", "s1", "s2", "s3")
	k.end = append(k.end, t.setCounterRow("s"+itoa(c/4), ""))
	k.end = append(k.end, t.one("one")...)
	var bodies [][]string
	for g := range groups {
		k.begin = append(k.begin, t.loadLanes(cipher, g, 4*g)...)
		bodies = append(bodies, t.laneDouble(cipher, g, together))
		k.end = append(k.end, t.finishLanes(cipher, g)...)
	}
	k.end = append(k.end, t.addCounter("", "", 4*groups)...)
	k.rounds = []loop{{body: append(interleave(bodies...), t.countDown())}}
	k.end = append(k.end, t.advance(4*groups))
	return k
}
