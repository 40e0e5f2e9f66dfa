package main

// A variable names a value while the rounds are being written down: a state
// word of one group of lanes (group*16 + word), a temporary, or a constant.
type variable int

const (
	rotate16  variable = 900  // byte shuffle control: rotate each word left by 16
	rotate8   variable = 901  // byte shuffle control: rotate each word left by 8
	temporary variable = 1000 // and all above it
)

// A kind is an operation on whole registers.
type kind int

const (
	opAdd     kind = iota // dst = a + b
	opXor                 // dst = a ^ b
	opRotate              // dst = a <<< n
	opShuffle             // dst = bytes of a in the order of b
	opLeft                // dst = a << n
	opRight               // dst = a >> n
	opMove                // dst = a
	opPermute             // dst = words of a within each 128 bits, as PSHUFD
)

// An operation is one line of straight-line code over variables.
type operation struct {
	kind      kind
	dst, a, b variable
	n         int
}

// A dialect says how additions, exclusive ors and rotations are spelled.
type dialect struct {
	rotates      bool // has a rotate instruction
	threeOperand bool // the destination may differ from the first source
}

// writer collects operations and hands out temporaries.
type writer struct {
	dialect
	next variable
}

// temp returns a fresh temporary.
func (w *writer) temp() variable {
	w.next++
	return temporary + w.next
}

// rotate returns x <<<= n.
func (w *writer) rotate(x variable, n int) []operation {
	switch {
	case w.rotates:
		return []operation{{kind: opRotate, dst: x, a: x, n: n}}
	case n == 16:
		return []operation{{kind: opShuffle, dst: x, a: x, b: rotate16}}
	case n == 8:
		return []operation{{kind: opShuffle, dst: x, a: x, b: rotate8}}
	}
	t := w.temp()
	return append(w.copyOf(t, x, operation{kind: opLeft, n: n}),
		operation{kind: opRight, dst: x, a: x, n: 32 - n},
		operation{kind: opXor, dst: x, a: x, b: t})
}

// copyOf returns t = op(x), leaving x as it is.
func (w *writer) copyOf(t, x variable, op operation) []operation {
	if w.threeOperand {
		op.dst, op.a = t, x
		return []operation{op}
	}
	op.dst, op.a = t, t
	return []operation{{kind: opMove, dst: t, a: x}, op}
}

// chachaQuarter returns the twelve steps of a ChaCha quarter round; a step is
// more than one operation where there is no rotate instruction.
func (w *writer) chachaQuarter(a, b, c, d variable) [][]operation {
	var steps [][]operation
	half := func(a, b, d variable, n int) {
		steps = append(steps,
			[]operation{{kind: opAdd, dst: a, a: a, b: b}},
			[]operation{{kind: opXor, dst: d, a: d, b: a}},
			w.rotate(d, n))
	}
	half(a, b, d, 16)
	half(c, d, b, 12)
	half(a, b, d, 8)
	half(c, d, b, 7)
	return steps
}

// salsaQuarter returns the twelve steps of a Salsa20 quarter round:
// x ^= (y + z) <<< n four times.
func (w *writer) salsaQuarter(a, b, c, d variable) [][]operation {
	var steps [][]operation
	quarter := func(x, y, z variable, n int) {
		t := w.temp()
		sum := w.copyOf(t, y, operation{kind: opAdd, b: z})
		if w.rotates {
			steps = append(steps, sum,
				[]operation{{kind: opRotate, dst: t, a: t, n: n}},
				[]operation{{kind: opXor, dst: x, a: x, b: t}})
			return
		}
		u := w.temp()
		steps = append(steps, sum,
			append(w.copyOf(u, t, operation{kind: opLeft, n: n}),
				operation{kind: opXor, dst: x, a: x, b: u}),
			[]operation{
				{kind: opRight, dst: t, a: t, n: 32 - n},
				{kind: opXor, dst: x, a: x, b: t}})
	}
	quarter(b, a, d, 7)
	quarter(c, b, a, 9)
	quarter(d, c, b, 13)
	quarter(a, d, c, 18)
	return steps
}

// A cipher is what the generators need to know of ChaCha or Salsa20.
type cipher struct {
	name    string
	counter int          // the state word with the low half of the counter
	rounds  [2][4][4]int // the quarter rounds of an odd and of an even round
}

var chacha = cipher{"chacha", 12, [2][4][4]int{
	{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}},
	{{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}},
}}

var salsa = cipher{"salsa", 8, [2][4][4]int{
	{{0, 4, 8, 12}, {5, 9, 13, 1}, {10, 14, 2, 6}, {15, 3, 7, 11}},
	{{0, 1, 2, 3}, {5, 6, 7, 4}, {10, 11, 8, 9}, {15, 12, 13, 14}},
}}

// quarter returns the steps of the cipher's quarter round.
func (c *cipher) quarter(w *writer, x [4]variable) [][]operation {
	if c == &salsa {
		return w.salsaQuarter(x[0], x[1], x[2], x[3])
	}
	return w.chachaQuarter(x[0], x[1], x[2], x[3])
}

// doubleRound returns one double round of all groups. Within a group two
// quarter rounds stand side by side, step by step. That keeps few enough words
// in use at a time to leave most of the others alone, while the processor, whose
// window is far wider, still finds the parallel work in what follows.
func (c *cipher) doubleRound(w *writer, groups int) []operation {
	var body []operation
	for _, round := range c.rounds {
		for group := range groups {
			for _, step := range c.steps(w, group, round[:2]) {
				body = append(body, step...)
			}
			for _, step := range c.steps(w, group, round[2:]) {
				body = append(body, step...)
			}
		}
	}
	return body
}

// steps returns the steps of some quarter rounds of one group, side by side.
func (c *cipher) steps(w *writer, group int, quarters [][4]int) [][]operation {
	var steps [][]operation
	for _, q := range quarters {
		var x [4]variable
		for i, word := range q {
			x[i] = variable(16*group + word)
		}
		for i, s := range c.quarter(w, x) {
			if i == len(steps) {
				steps = append(steps, nil)
			}
			steps[i] = append(steps[i], s...)
		}
	}
	return steps
}
