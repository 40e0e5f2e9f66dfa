package main

import "fmt"

// salsaStep is x ^= (a + b) <<< n. s names temporaries.
func (t isa) salsaStep(x, a, b string, n int, s string) []string {
	sum, turned := s+"s", s+"u"
	code := []string{t.add(sum, a, b)}
	code = append(code, t.rotate(turned, sum, n)...)
	return append(code, t.eor(x, x, turned))
}

// salsaQuarter is the quarter round on vectors: four quarter rounds of one
// block in the row layout, one of four blocks in the lane layout.
func (t isa) salsaQuarter(a, b, c, d, s string) []string {
	return concat(t.salsaStep(b, a, d, 7, s), t.salsaStep(c, b, a, 9, s), t.salsaStep(d, c, b, 13, s), t.salsaStep(a, d, c, 18, s))
}

// salsaRowDouble is a double round of one block whose diagonals are vectors:
// lane i of x[k] is the word in column i of row k+i.
func (t isa) salsaRowDouble(x [4]string, s string) []string {
	return concat(
		t.salsaQuarter(x[0], x[1], x[2], x[3], s),
		[]string{t.turn(x[1], x[1], 3), t.turn(x[2], x[2], 2), t.turn(x[3], x[3], 1)},
		t.salsaQuarter(x[0], x[3], x[2], x[1], s),
		[]string{t.turn(x[3], x[3], 3), t.turn(x[2], x[2], 2), t.turn(x[1], x[1], 1)},
	)
}

// salsaPairDouble is a double round of two blocks A and B where e[k] is
// A0 B0 A2 B2 and o[k] A1 B1 A3 B3 of their diagonals k. To turn a diagonal by
// one lane is to exchange the roles of e and o and turn one of them by two.
func (t isa) salsaPairDouble(e, o [4]string) []string {
	half := func(e, o [4]string) []string {
		return interleave(
			t.salsaQuarter(e[0], e[1], e[2], e[3], "te"),
			t.salsaQuarter(o[0], o[1], o[2], o[3], "to"),
		)
	}
	return concat(
		half(e, o),
		[]string{t.turn(o[1], o[1], 2), t.turn(e[2], e[2], 2), t.turn(o[2], o[2], 2), t.turn(e[3], e[3], 2)},
		half([4]string{e[0], o[3], e[2], o[1]}, [4]string{o[0], e[3], o[2], e[1]}),
		[]string{t.turn(e[3], e[3], 2), t.turn(e[2], e[2], 2), t.turn(o[2], o[2], 2), t.turn(o[1], o[1], 2)},
	)
}

// loadDiagonals loads the state so that lane i of p[k] is the word in column i
// of row k+i.
func (t isa) loadDiagonals(p [4]string) []string {
	var code []string
	for w := range 16 {
		lane := w % 4
		d := p[(w/4-lane+4)%4]
		code = append(code, t.loadOneLane(d, lane, "state"))
	}
	return append(code, fmt.Sprintf("sub %s, %s, #64", t.x("state"), t.x("state")))
}

// loadOneLane loads one 32-bit word into a lane and advances the pointer.
func (t isa) loadOneLane(d string, lane int, pointer string) string {
	if t.arm() {
		return fmt.Sprintf("vld1.32 {d$%s.%c[%d]}, [r%%%s]!", d, "lh"[lane/2], lane%2, pointer)
	}
	return fmt.Sprintf("ld1 {v$%s.s}[%d], [x%%%s], #4", d, lane, pointer)
}

// insertWord sets a lane of d from a general variable.
func (t isa) insertWord(d string, lane int, w string) string {
	if t.arm() {
		return fmt.Sprintf("vmov.32 d$%s.%c[%d], r%%%s", d, "lh"[lane/2], lane%2, w)
	}
	return fmt.Sprintf("mov v$%s.s[%d], w%%%s", d, lane, w)
}

// A counter is the 64-bit block counter in general variables: two on arm, one
// (and one for its high half) on arm64.

// loadCounter loads the counter from state words w and w+1.
func (t isa) loadCounter(w int) []string {
	if t.arm() {
		return []string{fmt.Sprintf("ldr r%%low, [r%%state, #%d]", 4*w), fmt.Sprintf("ldr r%%high, [r%%state, #%d]", 4*w+4)}
	}
	return []string{fmt.Sprintf("ldr w%%low, [x%%state, #%d]", 4*w), fmt.Sprintf("ldr w%%high, [x%%state, #%d]", 4*w+4), "orr x%low, x%low, x%high, lsl #32"}
}

// counterWords lists the variables of the counter.
func (t isa) counterWords() []string {
	if t.arm() {
		return []string{"low", "high"}
	}
	return []string{"low"}
}

// addCounter is to = from + n, where from and to are suffixes of the variables.
func (t isa) addCounter(to, from string, n int) []string {
	if t.arm() {
		return []string{fmt.Sprintf("adds r%%low%s, r%%low%s, #%d", to, from, n), fmt.Sprintf("adc r%%high%s, r%%high%s, #0", to, from)}
	}
	return []string{fmt.Sprintf("add x%%low%s, x%%low%s, #%d", to, from, n)}
}

// insertCounter sets lane 0 of lowRow and lane 1 of highRow to the counter with
// the given suffix.
func (t isa) insertCounter(lowRow, highRow, suffix string) []string {
	if t.arm() {
		return []string{t.insertWord(lowRow, 0, "low"+suffix), t.insertWord(highRow, 1, "high"+suffix)}
	}
	return []string{
		t.insertWord(lowRow, 0, "low"+suffix),
		fmt.Sprintf("lsr x%%high%s, x%%low%s, #32", suffix, suffix),
		t.insertWord(highRow, 1, "high"+suffix),
	}
}

// setCounterRow sets the low 64 bits of row to the counter with the suffix.
func (t isa) setCounterRow(row, suffix string) string {
	if t.arm() {
		return fmt.Sprintf("vmov d$%s.l, r%%low%s, r%%high%s", row, suffix, suffix)
	}
	return fmt.Sprintf("mov v$%s.d[0], x%%low%s", row, suffix)
}

// oddLanes sets m to the mask of lanes 1 and 3.
func (t isa) oddLanes(m string) string {
	if t.arm() {
		return fmt.Sprintf("vmov.i64 q$%s, #0xffffffff00000000", m)
	}
	return fmt.Sprintf("movi v$%s.2d, #0xffffffff00000000", m)
}

// selectLanes is d = s where the mask m is set.
func (t isa) selectLanes(d, s, m string) string {
	if t.arm() {
		return fmt.Sprintf("vbit q$%s, q$%s, q$%s", d, s, m)
	}
	return fmt.Sprintf("bit v$%s.16b, v$%s.16b, v$%s.16b", d, s, m)
}

// swapHigh exchanges the high halves of a and b.
func (t isa) swapHigh(a, b, s string) []string {
	if t.arm() {
		return []string{fmt.Sprintf("vswp d$%s.h, d$%s.h", a, b)}
	}
	return []string{
		t.copy(s, a),
		fmt.Sprintf("mov v$%s.d[1], v$%s.d[1]", a, b),
		fmt.Sprintf("mov v$%s.d[1], v$%s.d[1]", b, s),
	}
}

// transposePairs replaces a and b by a0 b0 a2 b2 and a1 b1 a3 b3.
func (t isa) transposePairs(a, b, s string) []string {
	if t.arm() {
		return []string{fmt.Sprintf("vtrn.32 q$%s, q$%s", a, b)}
	}
	return []string{
		t.copy(s, a),
		fmt.Sprintf("trn1 v$%s.4s, v$%s.4s, v$%s.4s", a, s, b),
		fmt.Sprintf("trn2 v$%s.4s, v$%s.4s, v$%s.4s", b, s, b),
	}
}

// diagonalsToRows turns diagonals x into rows, in place: first the high halves
// go to the row two below, then the odd lanes to the row one below.
func (t isa) diagonalsToRows(x [4]string, odd, s string) []string {
	return concat(
		t.swapHigh(x[0], x[2], s+"p"), t.swapHigh(x[1], x[3], s+"q"),
		[]string{
			t.copy(s+"r", x[0]),
			t.selectLanes(x[0], x[3], odd), t.selectLanes(x[3], x[2], odd),
			t.selectLanes(x[2], x[1], odd), t.selectLanes(x[1], s+"r", odd),
		},
	)
}

func diagonals(block int) [4]string {
	return [4]string{row(block, "a"), row(block, "b"), row(block, "c"), row(block, "d")}
}

// salsaRows is n blocks in the row layout; two blocks are paired.
func (t isa) salsaRows(name string, n int, model machine) *kernel {
	k := &kernel{
		isa: t, name: name, cipher: "salsa", blocks: n, unroll: 1, model: model,
		words: t.counterWords(),
	}
	p := [4]string{"p0", "p1", "p2", "p3"}
	k.setup = concat(t.loadDiagonals(p), t.loadCounter(8))
	if t.arm() {
		k.framed = p[:]
	} else {
		k.constants = p[:]
	}
	k.begin = []string{t.startCount()}
	for j := range n {
		x := diagonals(j)
		from := ""
		if j > 0 {
			from = itoa(j)
			k.begin = append(k.begin, t.addCounter(from, "", j)...)
		}
		for i := range 4 {
			k.begin = append(k.begin, t.copy(x[i], p[i]))
		}
		k.begin = append(k.begin, t.insertCounter(x[2], x[1], from)...)
	}
	if n == 2 {
		e, o := diagonals(0), diagonals(1)
		for i := range 4 {
			k.begin = append(k.begin, t.transposePairs(e[i], o[i], "y"+itoa(i))...)
			k.end = append(k.end, t.transposePairs(e[i], o[i], "z"+itoa(i))...)
		}
		k.rounds = []loop{{body: append(t.salsaPairDouble(e, o), t.countDown(2))}}
	} else {
		var streams [][]string
		for j := range n {
			streams = append(streams, t.salsaRowDouble(diagonals(j), "t"+itoa(j)))
		}
		k.rounds = []loop{{body: append(interleave(streams...), t.countDown(2))}}
	}
	k.end = append(k.end, t.oddLanes("odd"))
	k.end = append(k.end, t.loadState("s0", "s1", "s2", "s3")...)
	for j := range n {
		x := diagonals(j)
		k.end = append(k.end, t.diagonalsToRows(x, "odd", "u"+itoa(j))...)
	}
	for j := range n {
		x := diagonals(j)
		k.end = append(k.end, t.setCounterRow("s2", ""))
		k.end = append(k.end, t.addCounter("", "", 1)...)
		for i := range 4 {
			k.end = append(k.end, t.add(x[i], x[i], "s"+itoa(i)))
		}
	}
	for j := range n {
		k.end = append(k.end, t.xorBlock(diagonals(j), j)...)
	}
	k.end = append(k.end, t.advance(n)...)
	return k
}
