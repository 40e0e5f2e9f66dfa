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

// A laneOrder says how the eight quarter rounds of a double round overlap:
// groups of them run side by side, and each group starts lag instructions after
// the one before, across double rounds too.
type laneOrder struct {
	groups [2][][]int // by half round
	lag    int
	// unroll is the number of double rounds in the loop body, 1 or 2.
	unroll int
}

var (
	// inPairs needs few registers. A pair begins with what the pair before the
	// last one made, and every other pair reuses the words c of the one before.
	inPairs = [2][][]int{{{0, 2}, {1, 3}}, {{1, 3}, {0, 2}}}
	// salsaPairs is the same for Salsa20, where quarter round i of a half needs
	// the last result of quarter round i of the half before.
	salsaPairs = [2][][]int{{{0, 2}, {1, 3}}, {{0, 2}, {1, 3}}}
	// outerPairs is another such order.
	outerPairs = [2][][]int{{{0, 3}, {1, 2}}, {{0, 3}, {1, 2}}}
	// oneByOne spills less than pairs do: with a short lag three or four quarter
	// rounds are under way, of which each is at another point.
	oneByOne = [2][][]int{{{0}, {3}, {1}, {2}}, {{0}, {3}, {1}, {2}}}
	// inFours runs a half round at once.
	inFours = [2][][]int{{{0, 1, 2, 3}}, {{0, 1, 2, 3}}}
)

// laneRounds is the loop body for the four blocks of group g.
func (t isa) laneRounds(cipher string, g int, order laneOrder) []string {
	index := chachaIndex
	if cipher == "salsa" {
		index = salsaIndex
	}
	var body stagger
	start := 0
	for range order.unroll {
		for half, groups := range order.groups {
			for _, group := range groups {
				for _, i := range group {
					for n, text := range t.laneQuarter(cipher, g, index[half][i], fmt.Sprintf("t%d_%d", g, i)) {
						body.add(start+n, text)
					}
				}
				start += order.lag
			}
		}
	}
	return body.lines()
}

// laneQuarter is one quarter round of group g.
func (t isa) laneQuarter(cipher string, g int, q quarterIndex, s string) []string {
	a, b, c, d := lane(g, q[0]), lane(g, q[1]), lane(g, q[2]), lane(g, q[3])
	if cipher == "salsa" {
		return t.salsaQuarter(a, b, c, d, s)
	}
	return t.chachaQuarter(a, b, c, d, s, "k")
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

// finishLanes transposes group g, adds the state and XORs. Its first block has
// the given number within the step.
func (t isa) finishLanes(cipher string, g, first int) []string {
	if t.arm() {
		return t.finishRows(cipher, g, first)
	}
	return t.finishPairs(cipher, g, first)
}

// finishPairs does so two rows at a time.
func (t isa) finishPairs(cipher string, g, first int) []string {
	var code []string
	for r := 0; r < 4; r += 2 {
		s := [2]string{fmt.Sprintf("s%d_%d", g, r), fmt.Sprintf("s%d_%d", g, r+1)}
		code = append(code, t.loadPair(s[0], s[1], "state", 16*r))
		var rows [2][4]string
		for j := range 2 {
			x := [4]string{lane(g, 4*(r+j)), lane(g, 4*(r+j)+1), lane(g, 4*(r+j)+2), lane(g, 4*(r+j)+3)}
			rows[j] = x
			code = append(code, t.transpose(x, fmt.Sprintf("y%d_%d", g, r+j))...)
			if r+j == counterIndex(cipher)/4 {
				code = append(code, t.addCounterRows(x, s[j], g, first)...)
				continue
			}
			for _, v := range x {
				code = append(code, t.add(v, v, s[j]))
			}
		}
		for i := range 4 {
			m := fmt.Sprintf("m%d_%d_%d", g, i, r)
			code = append(code, t.xorPair(rows[0][i], rows[1][i], m, m+"n", 64*(first+i)+16*r)...)
		}
	}
	return code
}

// finishRows does so row by row.
func (t isa) finishRows(cipher string, g, first int) []string {
	code := []string{fmt.Sprintf("mov %s, #64", t.x("stride"))}
	for r := range 4 {
		s := fmt.Sprintf("s%d_%d", g, r)
		x := [4]string{lane(g, 4*r), lane(g, 4*r+1), lane(g, 4*r+2), lane(g, 4*r+3)}
		code = append(code, t.transpose(x, fmt.Sprintf("y%d_%d", g, r))...)
		code = append(code, t.loadWords(s, "state"))
		if r == counterIndex(cipher)/4 {
			code = append(code, t.addCounterRows(x, s, g, first)...)
		} else {
			for _, v := range x {
				code = append(code, t.add(v, v, s))
			}
		}
		for i, v := range x {
			m := fmt.Sprintf("m%d_%d_%d", g, i, r)
			code = append(code, t.loadStride(m, "src"), t.eor(m, m, v), t.storeStride(m, "dst"))
		}
		back := 256 - 16
		if r == 3 {
			back = 64 - 16
			code = append(code, fmt.Sprintf("sub %s, %s, #64", t.x("state"), t.x("state")))
		}
		for _, p := range []string{"src", "dst"} {
			code = append(code, fmt.Sprintf("sub %s, %s, #%d", t.x(p), t.x(p), back))
		}
	}
	return code
}

// addCounterRows adds row s of the state, whose low half is the counter, to the
// rows x of four successive blocks of group g, the first of which has the given
// number within the step.
func (t isa) addCounterRows(x [4]string, s string, g, first int) []string {
	one := fmt.Sprintf("one%d", g)
	code := t.one(one)
	suffix := ""
	if first > 0 {
		suffix = fmt.Sprintf("g%d", g)
		code = append(code, t.addCounter(suffix, "", first)...)
	}
	code = append(code, t.setCounterRow(s, suffix))
	for i, v := range x {
		if i > 0 {
			code = append(code, t.add64(s, s, one))
		}
		code = append(code, t.add(v, v, s))
	}
	return code
}

// laneKernel is groups of four blocks in the lane layout, after the given number
// of scalar blocks.
func (t isa) laneKernel(name, cipher string, groups, scalars int, order laneOrder, model machine) *kernel {
	k := &kernel{
		isa: t, name: name, cipher: cipher, blocks: 4 * groups, unroll: order.unroll, model: model,
		words: t.counterWords(),
	}
	c := counterIndex(cipher)
	k.setup = t.loadCounter(c)
	if cipher == "chacha" {
		k.setup = append(k.setup, t.rotate8Indices("k")...)
		if t.arm() {
			k.framed = []string{"k"}
		} else {
			k.constants = []string{"k"}
		}
	}
	k.begin = []string{t.startCount()}
	var bodies [][]string
	for g := range groups {
		k.begin = append(k.begin, t.loadLanes(cipher, g, scalars+4*g)...)
		bodies = append(bodies, t.laneRounds(cipher, g, order))
		k.end = append(k.end, t.finishLanes(cipher, g, scalars+4*g)...)
	}
	k.rounds = []loop{{body: append(interleave(bodies...), t.countDown(2*order.unroll))}}
	k.end = append(k.end, t.addCounter("", "", scalars+4*groups)...)
	k.end = append(k.end, t.advance(scalars+4*groups)...)
	return k
}
