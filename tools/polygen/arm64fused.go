package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

const fusedARM64Doc = `
ChaCha20 (RFC 8439 section 2.3) on four blocks in lanes, and beside it, in the
integer unit, Poly1305 in base 2^64 over as many bytes: sixteen MAC blocks a step
of 256 bytes, three in each two double rounds and the last with the output. The
MAC reads its bytes before the step writes any, so that it may run over the
source in place.

	v0-v15   word i of the blocks b0 b1 b2 b3, a lane each
	v16-v19  scratch of the quarter rounds, and with v22 v23 v30 v31 of the output
	v20      byte indices of a rotation by 8 bits
	v21      0 1 2 3
	v24-v27  rows of the state, the counter taken out
	v28 v29  words 12 and 13 of the blocks before the rounds

Registers: x0 dst, x1 src, x2 steps to go, x3 state, x4 counter, x13 rounds to
go; the MAC (explained in internal/polyasm/blocks_arm64.s) has h x19 x20 x21,
product x22 x23 x24, scratch x25 x26 x5, next block x6, r x7 x8, r[1]*5/4 x9, the
constant 1 x10, pointer to h x11; x14 x15 scratch.`

var (
	fusedChain = &chain64{
		h:   [3]string{"x19", "x20", "x21"},
		d:   [3]string{"x22", "x23", "x24"},
		t:   [3]string{"x25", "x26", "x5"},
		ptr: "x6",
	}
	fusedMultiplier = &multiplier64{r: [2]string{"x7", "x8"}, s: "x9", one: "x10"}
)

// fused64 describes one of the functions: with or without the MAC.
type fused64 struct {
	mac bool
}

// quarterRound64 returns the text of a quarter round on vectors a, b, c, d, with
// scratch t.
func quarterRound64(a, b, c, d, t int) string {
	var p program
	half := func(left int, rotate func()) {
		p.line("add v%d.4s, v%d.4s, v%d.4s", a, a, b)
		p.line("eor v%d.16b, v%d.16b, v%d.16b", d, d, a)
		rotate()
		p.line("add v%d.4s, v%d.4s, v%d.4s", c, c, d)
		p.line("eor v%d.16b, v%d.16b, v%d.16b", t, b, c)
		p.line("ushr v%d.4s, v%d.4s, #%d", b, t, 32-left)
		p.line("sli v%d.4s, v%d.4s, #%d", b, t, left)
	}
	half(12, func() { p.line("rev32 v%d.8h, v%d.8h", d, d) })
	half(7, func() { p.line("tbl v%d.16b, {v%d.16b}, v20.16b", d, d) })
	return p.String()
}

// doubleRound64 returns the text of a column and a diagonal round.
func doubleRound64() string {
	var p program
	for i := range 4 {
		p.text(quarterRound64(i, 4+i, 8+i, 12+i, 16+i))
	}
	for i := range 4 {
		p.text(quarterRound64(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4, 16+i))
	}
	return p.String()
}

// begin returns the text that starts a step: the state in all lanes, the counter
// in each a different one.
func (k *fused64) begin() string {
	var p program
	for i := range 4 {
		p.line("ld4r {v%d.4s-v%d.4s}, [x3], #16", 4*i, 4*i+3)
	}
	p.line("sub x3, x3, #64")
	p.line("lsr x14, x4, #32")
	p.line("dup v16.4s, w4")
	p.line("dup v17.4s, w14")
	p.line("add v28.4s, v16.4s, v21.4s")
	p.line("cmhi v18.4s, v16.4s, v28.4s") // all ones where the low word overflowed
	p.line("sub v29.4s, v17.4s, v18.4s")
	p.line("mov v12.16b, v28.16b")
	p.line("mov v13.16b, v29.16b")
	p.line("add x4, x4, #4")
	if k.mac {
		p.text(fusedChain.addBlock(fusedMultiplier, fusedChain.h))
	}
	p.line("mov x13, #5")
	return p.String()
}

func (k *fused64) rounds() string {
	var p program
	p.text(doubleRound64())
	p.text(doubleRound64())
	if k.mac {
		for range 3 {
			p.text(fusedChain.multiply64(fusedMultiplier, true))
		}
	}
	p.line("sub x13, x13, #1")
	return p.String()
}

// transpose64 returns the text that turns four vectors of one word of four
// blocks into four of four words of one block.
func transpose64(v, t [4]int) string {
	var p program
	p.line("trn1 v%d.4s, v%d.4s, v%d.4s", t[0], v[0], v[1])
	p.line("trn2 v%d.4s, v%d.4s, v%d.4s", t[1], v[0], v[1])
	p.line("trn1 v%d.4s, v%d.4s, v%d.4s", t[2], v[2], v[3])
	p.line("trn2 v%d.4s, v%d.4s, v%d.4s", t[3], v[2], v[3])
	p.line("trn1 v%d.2d, v%d.2d, v%d.2d", v[0], t[0], t[2])
	p.line("trn1 v%d.2d, v%d.2d, v%d.2d", v[1], t[1], t[3])
	p.line("trn2 v%d.2d, v%d.2d, v%d.2d", v[2], t[0], t[2])
	p.line("trn2 v%d.2d, v%d.2d, v%d.2d", v[3], t[1], t[3])
	return p.String()
}

// loadRow64 returns the text that loads a row of the state.
func loadRow64(v, row int) string {
	return gnuas.LoadVectors(fmt.Sprintf("ldr q%d, [x3, #%d]", v, 16*row), "4s", fmt.Sprintf("v%d", v)) + "\n"
}

// xorPair64 returns the text that XORs 32 bytes at the offset with two vectors. m and n
// are scratch.
func xorPair64(m, n, first, second, at int) string {
	names := []string{fmt.Sprintf("v%d", m), fmt.Sprintf("v%d", n)}
	var p program
	p.line("%s", gnuas.LoadVectors(fmt.Sprintf("ldp q%d, q%d, [x1, #%d]", m, n, at), "16b", names...))
	p.line("eor v%d.16b, v%d.16b, v%d.16b", m, m, first)
	p.line("eor v%d.16b, v%d.16b, v%d.16b", n, n, second)
	p.line("%s", gnuas.StoreVectors(fmt.Sprintf("stp q%d, q%d, [x0, #%d]", m, n, at), "16b", names...))
	return p.String()
}

// end returns the text that ends a step: adds the state, transposes, XORs and
// takes the last MAC block.
func (k *fused64) end() string {
	var p program
	if k.mac {
		p.text(fusedChain.multiply64(fusedMultiplier, false))
	}
	p.line("add v12.4s, v12.4s, v28.4s")
	p.line("add v13.4s, v13.4s, v29.4s")
	scratch := [2][4]int{{16, 17, 18, 19}, {22, 23, 30, 31}}
	for row := range 4 {
		p.text(transpose64([4]int{4 * row, 4*row + 1, 4*row + 2, 4*row + 3}, scratch[row%2]))
		for block := range 4 {
			p.line("add v%d.4s, v%d.4s, v%d.4s", 4*row+block, 4*row+block, 24+row)
		}
	}
	for block := range 4 {
		for half := range 2 {
			m := scratch[block%2][2*half:]
			at := 64*block + 32*half
			p.text(xorPair64(m[0], m[1], 8*half+block, 8*half+4+block, at))
		}
	}
	p.line("add x0, x0, #256")
	p.line("add x1, x1, #256")
	p.line("sub x2, x2, #1")
	return p.String()
}

func (k *fused64) prologue() string {
	var p program
	p.line("%s", gnuas.Either("ldr x4, [x3, #48]", "ldr x4, [x3, #48]", "ror x4, x4, #32")) // two words
	for i := range 4 {
		p.text(loadRow64(24+i, i))
	}
	p.line("mov v27.d[0], xzr")
	p.text(k.rotation())
	p.line("mov x15, #0x100000000")
	p.line("fmov d21, x15")
	p.line("mov x15, #2")
	p.line("movk x15, #3, lsl #32")
	p.line("mov v21.d[1], x15")
	if k.mac {
		p.line("mov x11, x5")
		p.text(fusedChain.load("x11", 0))
		p.text(fusedMultiplier.load("x7"))
	}
	return p.String()
}

// rotation returns the text that sets v20: bytes 3 0 1 2 of each word, a rotation
// to the left by 8 bits.
func (k *fused64) rotation() string {
	var p program
	for half, base := range []int{0, 8} {
		bytes := [8]int{}
		for i := range bytes {
			bytes[i] = base + i&^3 + (i+3)%4
		}
		for i := range 4 {
			op, shift := "movk", fmt.Sprintf(", lsl #%d", 16*i)
			if i == 0 {
				op, shift = "mov", ""
			}
			p.line("%s x14, #%d%s", op, bytes[2*i]|bytes[2*i+1]<<8, shift)
		}
		p.line("mov v20.d[%d], x14", half)
	}
	return p.String()
}

func (k *fused64) text() string {
	arrange := func(text string, loop bool) string {
		return schedule.Body(gnuas.ARM64, schedule.CortexA53, text, loop)
	}
	var p program
	p.text(k.prologue())
	p.line("step:")
	p.text(arrange(k.begin(), false))
	p.line("rounds:")
	p.text(arrange(k.rounds(), true))
	p.line("cbnz x13, rounds")
	p.text(arrange(k.end(), false))
	p.line("cbnz x2, step")
	if k.mac {
		p.text(fusedChain.store("x11", 0))
	}
	return p.String()
}

func fusedARM64() *gnuas.File {
	args := []gnuas.Arg{
		{Name: "dst", Offset: 0, Reg: "x0"}, {Name: "src", Offset: 8, Reg: "x1"},
		{Name: "n", Offset: 16, Reg: "x2"}, {Name: "state", Offset: 24, Reg: "x3"},
	}
	macArgs := append(args,
		gnuas.Arg{Name: "h", Offset: 32, Reg: "x5"}, gnuas.Arg{Name: "r", Offset: 40, Reg: "x7"},
		gnuas.Arg{Name: "mac", Offset: 48, Reg: "x6"})
	return &gnuas.File{
		Arch: gnuas.ARM64,
		Doc:  strings.Trim(fusedARM64Doc, "\n"),
		Funcs: []gnuas.Func{
			{
				Name:    "chachaX4",
				Doc:     "func chachaX4(dst, src *byte, n int, state *[16]uint32)",
				Args:    args,
				ArgSize: 32,
				Text:    (&fused64{}).text(),
			},
			{
				Name:    "chachaPolyX4",
				Doc:     "func chachaPolyX4(dst, src *byte, n int, state *[16]uint32, h *[3]uint64, r *[2]uint64, mac *byte)",
				Args:    macArgs,
				ArgSize: 56,
				Text:    (&fused64{mac: true}).text(),
			},
			fusedX8Function(macArgs),
		},
	}
}
