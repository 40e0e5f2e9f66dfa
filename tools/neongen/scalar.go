package main

import (
	"fmt"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// A scalar block runs in general registers, one state word in each.
//
// On arm an operand may be rotated on its way into an addition or an exclusive
// or. The rotations of the quarter round therefore need no instructions: words
// b and d are kept with their last rotation still to be done (A. Polyakov,
// chacha-armv4, 2018; A. Biggers, Linux, 2018). Between quarter rounds b is its
// register rotated right by 25 and d by 24.
const (
	pendingB = 25
	pendingD = 24
)

// word names state word w of a scalar block.
func word(w int) string { return "y" + itoa(w) }

// scalarQuarter is a quarter round of a scalar block.
func (t isa) scalarQuarter(cipher string, q quarterIndex) []string {
	a, b, c, d := t.w(word(q[0])), t.w(word(q[1])), t.w(word(q[2])), t.w(word(q[3]))
	switch {
	case cipher == "salsa":
		s := t.w(fmt.Sprintf("z%d", q[0]))
		step := func(x, a, b string, n int) []string {
			sum := fmt.Sprintf("add %s, %s, %s", s, a, b)
			turned := fmt.Sprintf("eor %s, %s, %s, ror #%d", x, x, s, 32-n)
			return []string{sum, turned}
		}
		return concat(step(b, a, d, 7), step(c, b, a, 9), step(d, c, b, 13), step(a, d, c, 18))
	case t.arm():
		op := func(name, d, a, b string, n int) string {
			return fmt.Sprintf("%s %s, %s, %s, ror #%d", name, d, a, b, n)
		}
		return []string{
			op("add", a, a, b, pendingB), op("eor", d, a, d, pendingD), op("add", c, c, d, 16), op("eor", b, c, b, pendingB),
			op("add", a, a, b, 20), op("eor", d, a, d, 16), op("add", c, c, d, pendingD), op("eor", b, c, b, 20),
		}
	}
	step := func(a, b, d string, n int) []string {
		return []string{
			fmt.Sprintf("add %s, %s, %s", a, a, b),
			fmt.Sprintf("eor %s, %s, %s", d, d, a),
			fmt.Sprintf("ror %s, %s, #%d", d, d, 32-n),
		}
	}
	return concat(step(a, b, d, 16), step(c, d, b, 12), step(a, b, d, 8), step(c, d, b, 7))
}

// scalarDouble is a double round of a scalar block, two quarter rounds at a
// time on arm, which has 12 registers for 16 words, and four on arm64.
func (t isa) scalarDouble(cipher string) []string {
	index, together := chachaIndex, 4
	if cipher == "salsa" {
		index = salsaIndex
	}
	if t.arm() {
		together = 2
	}
	var code []string
	for half := range 2 {
		for first := 0; first < 4; first += together {
			var streams [][]string
			for i := first; i < first+together; i++ {
				streams = append(streams, t.scalarQuarter(cipher, index[half][i]))
			}
			code = append(code, interleave(streams...)...)
		}
	}
	return code
}

// pending returns how far the register of word w must be rotated right.
func (t isa) pending(cipher string, w int) int {
	if !t.arm() || cipher == "salsa" {
		return 0
	}
	switch w / 4 {
	case 1:
		return pendingB
	case 3:
		return pendingD
	}
	return 0
}

// scalarBegin loads the state of the scalar block with the given number within
// the step.
func (t isa) scalarBegin(cipher string, number int) []string {
	var code []string
	suffix := ""
	if number > 0 {
		suffix = fmt.Sprintf("y%d", number)
		code = t.addCounter(suffix, "", number)
	}
	for w := range 16 {
		y := t.w(word(w))
		source := t.counterWord(cipher, w, suffix)
		if source == "" {
			code = append(code, fmt.Sprintf("ldr %s, [%s, #%d]", y, t.x("state"), 4*w))
			source = y
		}
		switch n := t.pending(cipher, w); {
		case n > 0:
			code = append(code, fmt.Sprintf("mov %s, %s, ror #%d", y, source, 32-n))
		case source == y:
		case source == t.w("high"+suffix) && !t.arm(): // the high half of a 64-bit variable
			code = append(code, fmt.Sprintf("lsr x%%%s, x%%low%s, #32", word(w), suffix))
		default:
			code = append(code, fmt.Sprintf("mov %s, %s", y, source))
		}
	}
	return code
}

// counterWord returns the variable of word w if it belongs to the counter.
func (t isa) counterWord(cipher string, w int, suffix string) string {
	switch w - counterIndex(cipher) {
	case 0:
		return t.w("low" + suffix)
	case 1:
		return t.w("high" + suffix)
	}
	return ""
}

// scalarEnd adds the state to the scalar block with the given number and XORs
// it: on arm through vector registers, whose stores know no byte order.
func (t isa) scalarEnd(cipher string, number int) []string {
	code := t.scalarSum(cipher, number)
	for r := range 4 {
		y := [4]string{word(4 * r), word(4*r + 1), word(4*r + 2), word(4*r + 3)}
		if t.arm() {
			z, m := fmt.Sprintf("z%d_%d", number, r), fmt.Sprintf("zm%d_%d", number, r)
			code = append(code,
				fmt.Sprintf("vmov d$%s.l, r%%%s, r%%%s", z, y[0], y[1]),
				fmt.Sprintf("vmov d$%s.h, r%%%s, r%%%s", z, y[2], y[3]))
			code = append(code, t.xorRow(z, m)...)
			continue
		}
		m, n := fmt.Sprintf("m%d_%d", number, r), fmt.Sprintf("n%d_%d", number, r)
		offset := 64*number + 16*r
		code = append(code,
			gnuas.LoadBytes(fmt.Sprintf("ldp x%%%s, x%%%s, [x%%src, #%d]", m, n, offset), "x%"+m, "x%"+n),
			fmt.Sprintf("orr x%%%s, x%%%s, x%%%s, lsl #32", y[0], y[0], y[1]),
			fmt.Sprintf("orr x%%%s, x%%%s, x%%%s, lsl #32", y[2], y[2], y[3]),
			fmt.Sprintf("eor x%%%s, x%%%s, x%%%s", m, m, y[0]),
			fmt.Sprintf("eor x%%%s, x%%%s, x%%%s", n, n, y[2]),
			gnuas.StoreBytes(fmt.Sprintf("stp x%%%s, x%%%s, [x%%dst, #%d]", m, n, offset), "x%"+m, "x%"+n))
	}
	return code
}

// scalarSum adds the state, with the counter of the block, to the words of a
// scalar block.
func (t isa) scalarSum(cipher string, number int) []string {
	var code []string
	suffix := ""
	if number > 0 {
		suffix = fmt.Sprintf("e%d", number)
		code = t.addCounter(suffix, "", number)
	}
	for w := range 16 {
		y := t.w(word(w))
		source := t.counterWord(cipher, w, suffix)
		switch {
		case source == "":
			source = t.w("i" + itoa(w))
			code = append(code, fmt.Sprintf("ldr %s, [%s, #%d]", source, t.x("state"), 4*w))
		case !t.arm() && w == counterIndex(cipher)+1:
			source = t.w("i" + itoa(w))
			code = append(code, fmt.Sprintf("lsr x%%i%d, x%%low%s, #32", w, suffix))
		}
		if n := t.pending(cipher, w); n > 0 {
			code = append(code, fmt.Sprintf("add %s, %s, %s, ror #%d", y, source, y, n))
		} else {
			code = append(code, fmt.Sprintf("add %s, %s, %s", y, y, source))
		}
	}
	return code
}

// mixed adds scalar blocks to a vector kernel that was made for blocks from
// number scalars on. One scalar block keeps pace with the vectors; of two, each
// runs through in half of their rounds.
func mixed(k *kernel, scalars int) *kernel {
	t := k.isa
	k.blocks += scalars
	double := t.scalarDouble(k.cipher)
	repeat := k.unroll * scalars
	var stream []string
	for range repeat {
		stream = append(stream, double...)
	}
	body := k.rounds[0].body
	vectorBody, count := body[:len(body)-1], body[len(body)-1]
	body = append(interleave(vectorBody, stream), count)
	begin := concat(t.scalarBegin(k.cipher, 0), k.begin)
	if scalars == 1 {
		k.begin = begin
		k.rounds = []loop{{body: body}}
		k.end = concat(t.scalarEnd(k.cipher, 0), k.end)
		return k
	}
	half := fmt.Sprintf("lsr %s, %s, #1", t.w("n"), t.w("rounds"))
	k.begin = append(begin, half)
	between := concat(t.scalarEnd(k.cipher, 0), t.scalarBegin(k.cipher, 1), []string{half})
	k.rounds = []loop{{body: body, between: between}, {body: body}}
	k.end = concat(t.scalarEnd(k.cipher, 1), k.end)
	return k
}

// pointed has the kernel move whole vectors to and from the frame.
func pointed(k *kernel) *kernel {
	k.pointed = true
	return k
}

// peeled moves one double round before the loop and one behind it, where it
// overlaps what a step begins and ends with.
func peeled(k *kernel) *kernel {
	body := k.rounds[0].body
	double := body[:len(body)-1]
	k.begin = concat(k.begin, double, []string{k.countDown(2 * 2 * k.unroll)})
	k.end = concat(double, k.end)
	return k
}

// scalarKernel is one scalar block on arm. It needs nothing that an ARMv5 lacks,
// which has no unaligned loads: where dst or src is not a multiple of 4 it moves
// bytes.
func (t isa) scalarKernel(name, cipher string, model machine) *kernel {
	k := &kernel{
		isa: t, name: name, cipher: cipher, blocks: 1, unroll: 1, model: model,
		framedWords: t.counterWords(),
		setup:       t.loadCounter(counterIndex(cipher)),
		begin:       append(t.scalarBegin(cipher, 0), t.startCount()),
		rounds:      []loop{{body: append(t.scalarDouble(cipher), t.countDown(2))}},
	}
	advance := append(t.addCounter("", "", 1), t.advance(1)...)
	k.end = concat(t.scalarSum(cipher, 0), xorWords(), advance)
	k.bytes = concat(t.scalarSum(cipher, 0), xorBytes(), advance)
	return k
}

// xorWords XORs the words of a scalar block into aligned words.
func xorWords() []string {
	var code []string
	for w := range 16 {
		m := fmt.Sprintf("r%%m%d", w)
		code = append(code,
			gnuas.LoadBytes(fmt.Sprintf("ldr %s, [r%%src], #4", m), m),
			fmt.Sprintf("eor %s, %s, r%%%s", m, m, word(w)),
			gnuas.StoreBytes(fmt.Sprintf("str %s, [r%%dst], #4", m), m))
	}
	return code
}

// xorBytes XORs the words of a scalar block, in little-endian order, into
// bytes.
func xorBytes() []string {
	var code []string
	for w := range 16 {
		for b := range 4 {
			m := fmt.Sprintf("r%%m%d_%d", w, b)
			eor := fmt.Sprintf("eor %s, %s, r%%%s", m, m, word(w))
			if b > 0 {
				eor += fmt.Sprintf(", lsr #%d", 8*b)
			}
			code = append(code,
				fmt.Sprintf("ldrb %s, [r%%src], #1", m), eor,
				fmt.Sprintf("strb %s, [r%%dst], #1", m))
		}
	}
	return code
}
