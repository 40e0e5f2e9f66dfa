package main

import (
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

const fusedX8Doc = `
The same on two groups of four blocks, for CPUs whose vector units outrun the
dependent chain of one. Words 8 to 11 live on the stack and visit a register
twice in a double round; thirty-two MAC blocks a step of 512 bytes, three in each
double round and the last two with the output.

	v0-v7    words 0-3 of group 0, of group 1
	v8-v15   words 4-7
	v16-v23  words 12-15
	v24-v30  scratch, v31 byte indices of a rotation by 8 bits

	stack, from sp+16: words 8-11 of group 0, of group 1 (128 bytes); words 12
	and 13 before the rounds, of group 0, of group 1 (64); 0 1 2 3 (16); the
	indices (16); words 12 to 15 of the state, the counter taken out (16)

The integer registers are those above.`

// Stack offsets of the function on eight blocks.
const (
	x8Words    = 16
	x8Counters = x8Words + 128
	x8Lanes    = x8Counters + 64
	x8Indices  = x8Lanes + 16
	x8Nonce    = x8Indices + 16
	x8Frame    = x8Nonce + 16 - 8
)

// word8 returns the register of word i, not 8 to 11, of a group.
func word8(group, i int) int {
	row := [4]int{0, 8, -1, 16}[i/4]
	return row + 4*group + i%4
}

func slot8(group, i int) int { return x8Words + 16*(4*group+i-8) }

// quarterRound8 returns the text of a quarter round on words a, b, c, d of a
// group; c is on the stack. s and t are scratch.
func quarterRound8(group, a, b, c, d, s, t int) string {
	va, vb, vd := word8(group, a), word8(group, b), word8(group, d)
	var p program
	p.line("ldr q%d, [sp, #%d]", s, slot8(group, c))
	half := func(from, to, left int, rotate func()) {
		p.line("add v%d.4s, v%d.4s, v%d.4s", va, va, from)
		p.line("eor v%d.16b, v%d.16b, v%d.16b", vd, vd, va)
		rotate()
		p.line("add v%d.4s, v%d.4s, v%d.4s", s, s, vd)
		p.line("eor v%d.16b, v%d.16b, v%d.16b", from, from, s)
		p.line("ushr v%d.4s, v%d.4s, #%d", to, from, 32-left)
		p.line("sli v%d.4s, v%d.4s, #%d", to, from, left)
	}
	half(vb, t, 12, func() { p.line("rev32 v%d.8h, v%d.8h", vd, vd) })
	half(t, vb, 7, func() { p.line("tbl v%d.16b, {v%d.16b}, v31.16b", vd, vd) })
	p.line("str q%d, [sp, #%d]", s, slot8(group, c))
	return p.String()
}

func doubleRound8() string {
	var p program
	n := 0
	for diagonal := range 2 {
		for i := range 4 {
			for group := range 2 {
				s := 24 + 2*(n%3)
				n++
				p.text(quarterRound8(group, i, 4+(i+diagonal)%4, 8+(i+2*diagonal)%4, 12+(i+3*diagonal)%4, s, s+1))
			}
		}
	}
	return p.String()
}

func beginX8() string {
	var p program
	p.line("ldr q31, [sp, #%d]", x8Indices)
	p.line("ldr q30, [sp, #%d]", x8Lanes)
	for group := range 2 {
		p.line("ld4r {v%d.4s-v%d.4s}, [x3], #16", word8(group, 0), word8(group, 3))
		p.line("ld4r {v%d.4s-v%d.4s}, [x3], #16", word8(group, 4), word8(group, 7))
		p.line("ld4r {v24.4s-v27.4s}, [x3], #16")
		p.line("ld4r {v%d.4s-v%d.4s}, [x3], #16", word8(group, 12), word8(group, 15))
		p.line("sub x3, x3, #64")
		for i := range 4 {
			p.line("str q%d, [sp, #%d]", 24+i, slot8(group, 8+i))
		}
		low, high := word8(group, 12), word8(group, 13)
		p.line("lsr x14, x4, #32")
		p.line("dup v28.4s, w4")
		p.line("dup v29.4s, w14")
		p.line("add v%d.4s, v28.4s, v30.4s", low)
		p.line("cmhi v28.4s, v28.4s, v%d.4s", low) // all ones where the low word overflowed
		p.line("sub v%d.4s, v29.4s, v28.4s", high)
		p.line("str q%d, [sp, #%d]", low, x8Counters+32*group)
		p.line("str q%d, [sp, #%d]", high, x8Counters+32*group+16)
		p.line("add x4, x4, #4")
	}
	p.text(fusedChain.addBlock(fusedMultiplier, fusedChain.h))
	p.line("mov x13, #10")
	return p.String()
}

func roundsX8() string {
	var p program
	p.text(doubleRound8())
	for range 3 {
		p.text(fusedChain.multiply64(fusedMultiplier, true))
	}
	p.line("sub x13, x13, #1")
	return p.String()
}

// endGroupX8 returns the text that adds the state to a group, transposes it and
// XORs it.
func endGroupX8(group int) string {
	var p program
	rows := [4][4]int{}
	for row := range 4 {
		for i := range 4 {
			rows[row][i] = 24 + i // words 8 to 11
			if row != 2 {
				rows[row][i] = word8(group, 4*row+i)
			}
		}
	}
	for i := range 2 {
		v := rows[3][i]
		p.line("ldr q28, [sp, #%d]", x8Counters+32*group+16*i)
		p.line("add v%d.4s, v%d.4s, v28.4s", v, v)
	}
	for i := range 4 {
		p.line("ldr q%d, [sp, #%d]", rows[2][i], slot8(group, 8+i))
	}
	for row := range 4 {
		p.text(transpose64(rows[row], [4]int{28, 29, 30, 31}))
		if row < 3 {
			p.text(loadRow64(28, row))
		} else {
			p.line("ldr q28, [sp, #%d]", x8Nonce)
		}
		for _, v := range rows[row] {
			p.line("add v%d.4s, v%d.4s, v28.4s", v, v)
		}
	}
	for block := range 4 {
		for half := range 2 {
			m := 28 + 2*half
			at := 256*group + 64*block + 32*half
			p.text(xorPair64(m, m+1, rows[2*half][block], rows[2*half+1][block], at))
		}
	}
	return p.String()
}

func endX8() string {
	var p program
	p.text(fusedChain.multiply64(fusedMultiplier, true))
	p.text(fusedChain.multiply64(fusedMultiplier, false))
	p.text(endGroupX8(0))
	p.text(endGroupX8(1))
	p.line("add x0, x0, #512")
	p.line("add x1, x1, #512")
	p.line("sub x2, x2, #1")
	return p.String()
}

func fusedX8() string {
	arrange := func(text string, loop bool) string {
		return schedule.Body(gnuas.ARM64, schedule.CortexA53, text, loop)
	}
	var p program
	p.text((&fused64{mac: true}).prologue())
	p.line("str q20, [sp, #%d]", x8Indices)
	p.line("str q21, [sp, #%d]", x8Lanes)
	p.line("str q27, [sp, #%d]", x8Nonce)
	p.line("step:")
	p.text(arrange(beginX8(), false))
	p.line("rounds:")
	p.text(arrange(roundsX8(), true))
	p.line("cbnz x13, rounds")
	p.text(arrange(endX8(), false))
	p.line("cbnz x2, step")
	p.text(fusedChain.store("x11", 0))
	return p.String()
}

func fusedX8Function(args []gnuas.Arg) gnuas.Func {
	return gnuas.Func{
		Name:    "chachaPolyX8",
		Doc:     "func chachaPolyX8(dst, src *byte, n int, state *[16]uint32, h *[3]uint64, r *[2]uint64, mac *byte)\n" + strings.TrimRight(fusedX8Doc, "\n"),
		Args:    args,
		ArgSize: 56,
		Frame:   x8Frame,
		Text:    fusedX8(),
	}
}
