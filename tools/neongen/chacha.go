package main

import "fmt"

// chachaQuarter is the quarter round on vectors: four quarter rounds of one
// block in the row layout, one of four blocks in the lane layout. s is a
// temporary, k the indices of rotate8.
func (t isa) chachaQuarter(a, b, c, d, s, k string) []string {
	code := []string{t.add(a, a, b), t.eor(d, d, a), t.rotate16(d), t.add(c, c, d), t.eor(s, b, c)}
	code = append(code, t.rotate(b, s, 12)...)
	code = append(code, t.add(a, a, b), t.eor(d, d, a))
	code = append(code, t.rotate8(d, k)...)
	code = append(code, t.add(c, c, d), t.eor(s, b, c))
	return append(code, t.rotate(b, s, 7)...)
}

// chachaRowDouble is a double round of one block, a row a vector. Between the
// half rounds the rows turn against b, which is the last to be ready.
func (t isa) chachaRowDouble(a, b, c, d, s, k string) []string {
	return concat(
		t.chachaQuarter(a, b, c, d, s, k),
		[]string{t.turn(a, a, 3), t.turn(d, d, 2), t.turn(c, c, 1)},
		t.chachaQuarter(a, b, c, d, s, k),
		[]string{t.turn(a, a, 1), t.turn(d, d, 2), t.turn(c, c, 3)},
	)
}

// copy is d = s.
func (t isa) copy(d, s string) string {
	if t.arm() {
		return fmt.Sprintf("vmov q$%s, q$%s", d, s)
	}
	return fmt.Sprintf("mov v$%s.16b, v$%s.16b", d, s)
}

// countDown ends a loop body of the given number of rounds.
func (t isa) countDown(rounds int) string {
	return fmt.Sprintf("subs %s, %s, #%d", t.w("n"), t.w("n"), rounds)
}

// startCount sets the round counter.
func (t isa) startCount() string { return fmt.Sprintf("mov %s, %s", t.w("n"), t.w("rounds")) }

// advance ends a step of the given number of blocks. On arm the pointers were
// advanced by the loads and stores.
func (t isa) advance(blocks int) []string {
	var code []string
	if !t.arm() {
		for _, p := range []string{"src", "dst"} {
			code = append(code, fmt.Sprintf("add x%%%s, x%%%s, #%d", p, p, 64*blocks))
		}
	}
	return append(code, fmt.Sprintf("subs %s, %s, #%d", t.x("len"), t.x("len"), 64*blocks))
}

// loadState loads the four rows of the state.
func (t isa) loadState(rows ...string) []string {
	var code []string
	for _, r := range rows {
		code = append(code, t.loadWords(r, "state"))
	}
	return append(code, fmt.Sprintf("sub %s, %s, #%d", t.x("state"), t.x("state"), 16*len(rows)))
}

// xorRow writes src XOR row to dst and advances both pointers. m names a
// temporary.
func (t isa) xorRow(row, m string) []string {
	return []string{t.loadBytes(m, "src"), t.eor(m, m, row), t.storeBytes(m, "dst")}
}

// xorBlock writes src XOR rows to dst for the block with the given number
// within the step.
func (t isa) xorBlock(rows [4]string, number int) []string {
	var code []string
	m := func(i int) string { return fmt.Sprintf("m%d%d", number, i) }
	if t.arm() {
		for i, r := range rows {
			code = append(code, t.xorRow(r, m(i))...)
		}
		return code
	}
	for i := 0; i < 4; i += 2 {
		code = append(code, t.xorPair(rows[i], rows[i+1], m(i), m(i+1), 64*number+16*i)...)
	}
	return code
}

func row(block int, letter string) string { return letter + itoa(block) }

// chachaRows is n blocks in the row layout, interleaved, after the given number
// of scalar blocks.
func (t isa) chachaRows(name string, n, scalars int, model machine) *kernel {
	k := &kernel{
		isa: t, name: name, cipher: "chacha", blocks: n, unroll: 1, model: model,
		carried: []string{"s3"},
	}
	k.setup = concat(t.loadState("s0", "s1", "s2", "s3"), t.one("one"), t.rotate8Indices("k"))
	if scalars > 0 {
		k.words = t.counterWords()
		k.setup = append(k.setup, t.loadCounter(12)...)
	}
	for range scalars {
		k.setup = append(k.setup, t.add64("s3", "s3", "one"))
	}
	if t.arm() && n > 2 {
		k.constants, k.framed = []string{"k"}, []string{"s0", "s1", "s2", "one"}
	} else {
		k.constants = []string{"k", "s0", "s1", "s2", "one"}
	}
	k.begin = []string{t.startCount()}
	var streams [][]string
	for j := range n {
		k.begin = append(k.begin, t.copy(row(j, "a"), "s0"), t.copy(row(j, "b"), "s1"), t.copy(row(j, "c"), "s2"))
		if j == 0 {
			k.begin = append(k.begin, t.copy("d0", "s3"))
		} else {
			k.begin = append(k.begin, t.add64(row(j, "d"), row(j-1, "d"), "one"))
		}
		streams = append(streams, t.chachaRowDouble(row(j, "a"), row(j, "b"), row(j, "c"), row(j, "d"), row(j, "t"), "k"))
	}
	k.rounds = []loop{{body: append(interleave(streams...), t.countDown(2))}}
	for j := range n {
		k.end = append(k.end,
			t.add(row(j, "a"), row(j, "a"), "s0"), t.add(row(j, "b"), row(j, "b"), "s1"),
			t.add(row(j, "c"), row(j, "c"), "s2"), t.add(row(j, "d"), row(j, "d"), "s3"),
			t.add64("s3", "s3", "one"))
	}
	for j := range n {
		k.end = append(k.end, t.xorBlock(diagonals(j), scalars+j)...)
	}
	if scalars > 0 {
		k.end = append(k.end, t.addCounter("", "", n+scalars)...)
	}
	for range scalars {
		k.end = append(k.end, t.add64("s3", "s3", "one"))
	}
	k.end = append(k.end, t.advance(n+scalars)...)
	return k
}
