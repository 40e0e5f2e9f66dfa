package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

const powersARM64Doc = `
Makes the table: r^2 and r^4, and r^6 and r^8 if n is 4, then r^2 and r side by side.

	words 0, 9, 18, 27  r^8 r^6 r^4 r^2 as above
	words 36 to 53      pairs (r^2, r) of r0 r1 r2 r3 r4 5r1 5r2 5r3 5r4

Registers: factors v0-v4 and v20-v24, five times them v5-v8 and v26-v29, two lanes in
each; products v10-v14.`

const blocksARM64Doc = `
Absorbs n > 0 pairs of blocks. By width, as many as possible but for the last go through
a loop of the powers that there are: of four blocks if it is 1, of eight if 2.

The pairs after those are multiplied one by one, lane by lane: all but the last by r^2,
the last by r^2 and r, after which the lanes can be added up. Added up, sums are below
those of two pairs; limbs of the result are below 2^26, but for the highest, at most
2^26 + 2^9: their bits do not overlap.

Registers of the pairs: v0-v4 multiplier, v5-v8 five times it, v10-v14 sums, v20-v24
blocks; x0 h, x2 blocks, x4 pairs to go, x6 table.`

// factor64 are the vector registers of a factor, a limb of both lanes in each, and of
// five times it.
type factor64 struct{ limb, five int }

var (
	lowFactor  = factor64{0, 5}
	highFactor = factor64{20, 26}
)

// quintuple returns the text that computes five times the limbs 1 to 4.
func (f factor64) quintuple() string {
	var p program
	for i := range 4 {
		p.line("mul v%d.2s, v%d.2s, %s.2s", f.five+i, f.limb+1+i, neonFive)
	}
	return p.String()
}

// multiply returns the text that multiplies the limbs in registers from x on by f, lane
// by lane, into sums.
func (f factor64) multiply(sums [5]string, x int) string {
	var p program
	for i := range 5 {
		for j := range 5 {
			op, y := "umlal", f.limb+j-i
			if i == 0 {
				op = "umull"
			}
			if i > j {
				y = f.five + 4 + j - i
			}
			p.line("%s %s.2d, v%d.2s, v%d.2s", op, sums[j], x+i, y)
		}
	}
	return p.String()
}

// take returns the text that moves limbs from the low halves of the sums to f.
func (f factor64) take(sums [5]string) string {
	var p program
	for i, x := range sums {
		p.line("mov v%d.8b, %s.8b", f.limb+i, x)
	}
	return p.String()
}

// store returns the text that stores a lane of f as an entry of the table at x3, which
// it advances.
func (f factor64) store(lane int) string {
	var p program
	p.line("st4 {v%d.s-v%d.s}[%d], [x3], #16", f.limb, f.limb+3, lane)
	p.line("st1 {v%d.s}[%d], [x3], #4", f.limb+4, lane)
	p.line("st4 {v%d.s-v%d.s}[%d], [x3], #16", f.five, f.five+3, lane)
	return p.String()
}

// carryApart64 is carry64 with limb i of h in the low half of x[i].
func carryApart64(x [5]string) string {
	var p program
	p.foldTop64(x)
	for i := range 4 {
		p.line("usra %s.2d, %s.2d, #26", x[i+1], x[i])
		p.line("xtn %s.2s, %s.2d", x[i], x[i])
		p.line("bic %s.2s, #252, lsl #24", x[i])
	}
	p.line("xtn %s.2s, %s.2d", x[4], x[4])
	return p.String()
}

// powers64 returns the function that makes the table.
func powers64() gnuas.Func {
	sums := sums64(0)
	var p program
	p.text(arrange64(square64(sums)+fourth64(sums)+"sub x2, x2, #2\n", false))
	p.line("cbz x2, done")
	p.text(arrange64(eighth64(sums), false))
	p.line("done:")
	return gnuas.Func{
		Name:    "neonPowers",
		Doc:     "func neonPowers(table *uint32, r *[2]uint64, n int)\n" + strings.TrimRight(powersARM64Doc, "\n"),
		Args:    []gnuas.Arg{{Name: "table", Offset: 0, Reg: "x0"}, {Name: "r", Offset: 8, Reg: "x1"}, {Name: "n", Offset: 16, Reg: "x2"}},
		ArgSize: 24,
		Text:    p.String(),
	}
}

// square64 returns the text that makes the entries of r^2, which stays in lowFactor, and
// of the pairs.
func square64(sums [5]string) string {
	var p program
	p.text(setConstants64())
	p.line("ldp x5, x6, [x1]")
	p.text(limbs64())
	for i, w := range []int{7, 8, 9, 10, 12} {
		p.line("dup v%d.2s, w%d", 20+i, w)
	}
	p.text(highFactor.quintuple())
	p.text(highFactor.multiply(sums, 20))
	p.text(carryApart64(sums))
	p.text(lowFactor.take(sums))
	p.text(lowFactor.quintuple())
	p.line("add x3, x0, #%d", 4*27)
	p.text(lowFactor.store(0))
	for i, x := range sums { // with r beside it
		p.line("zip1 %s.2s, %s.2s, v%d.2s", x, x, 20+i)
		p.line("st1 {%s.2s}, [x3], #8", x)
	}
	for _, x := range sums[1:] {
		p.line("mul %s.2s, %s.2s, %s.2s", neonTemp, x, neonFive)
		p.line("st1 {%s.2s}, [x3], #8", neonTemp)
	}
	return p.String()
}

// fourth64 returns the text that makes the entry of r^4, which stays in highFactor.
func fourth64(sums [5]string) string {
	var p program
	p.text(lowFactor.multiply(sums, 0))
	p.text(carryApart64(sums))
	p.text(highFactor.take(sums))
	p.text(highFactor.quintuple())
	p.line("add x3, x0, #%d", 4*18)
	p.text(highFactor.store(0))
	return p.String()
}

// eighth64 returns the text that makes the entries of r^6 and r^8: r^2 and r^4 by r^4.
func eighth64(sums [5]string) string {
	var p program
	for i := range 5 {
		p.line("zip1 v%d.2s, v%d.2s, v%d.2s", i, i, 20+i)
	}
	p.text(highFactor.multiply(sums, 0))
	p.text(carryApart64(sums))
	p.text(lowFactor.take(sums))
	p.text(lowFactor.quintuple())
	p.line("mov x3, x0")
	p.text(lowFactor.store(1))
	p.text(lowFactor.store(0))
	return p.String()
}

// pair64 returns the text that loads two blocks and splits them into limbs in v20 to
// v24.
func pair64() string {
	const load = "ld4 {v20.2s-v23.2s}, [x2], #32"
	big := []string{load}
	for v := 20; v < 24; v++ {
		big = append(big, fmt.Sprintf("rev32 v%d.8b, v%d.8b", v, v))
	}
	var p program
	p.line("%s", gnuas.Either(load, big...))
	p.line("ushr v24.2s, v23.2s, #8")
	p.line("orr v24.2s, #1, lsl #24")
	for i, shift := range []int{18, 12, 6} {
		limb, below := 23-i, 22-i
		p.line("shl v%d.2s, v%d.2s, #%d", limb, limb, shift)
		p.line("sri v%d.2s, v%d.2s, #%d", limb, below, 32-shift)
		p.line("bic v%d.2s, #252, lsl #24", limb)
	}
	p.line("bic v20.2s, #252, lsl #24")
	return p.String()
}

// blocks26ARM64 returns the function that absorbs pairs of blocks by loops of a width.
func blocks26ARM64() gnuas.Func {
	four, eight := &neon64{groups: 1}, &neon64{groups: 2}
	var p program
	p.text(arrange64(loadH64(), false))
	p.line("sub x3, x3, #1") // the last pair goes another way
	p.line("sub x4, x4, #1")
	p.line("cbz x4, four")
	p.text(eight.looped("eight"))
	p.line("b ends")
	p.line("four:")
	p.text(four.looped("four"))
	p.line("ends:")
	p.line("add x6, x1, #%d", 4*27)
	p.text(ends64())
	return gnuas.Func{
		Name: "neonBlocks",
		Doc:  "func neonBlocks(h *[3]uint64, table *uint32, msg *byte, n int, w width)\n" + strings.TrimRight(blocksARM64Doc, "\n"),
		Args: []gnuas.Arg{
			{Name: "h", Offset: 0, Reg: "x0"}, {Name: "table", Offset: 8, Reg: "x1"}, {Name: "msg", Offset: 16, Reg: "x2"},
			{Name: "n", Offset: 24, Reg: "x3"}, {Name: "w", Offset: 32, Reg: "x4"},
		},
		ArgSize: 40,
		Frame:   eight.saved() - 8,
		Text:    p.String(),
	}
}

// looped returns the text that absorbs as many of x3 pairs as fill iterations, and
// leaves in x4 one more than the rest.
func (k *neon64) looped(label string) string {
	var p program
	p.line("and x4, x3, #%d", 2*k.groups-1)
	p.line("add x4, x4, #1")
	p.line("lsr x3, x3, #%d", k.groups)
	p.line("cbz x3, ends")
	p.text(arrange64(k.prologue(), false))
	p.text(k.loops(label+"Loop", func(x [5]string) string {
		var end program
		end.line("add x2, x2, #%d", 64*k.groups) // which the last iteration does not do
		for i, a := range sums64(0) {
			if a != x[i] {
				end.line("mov %s.16b, %s.16b", a, x[i])
			}
		}
		return end.String()
	}))
	return p.String()
}

// end64 returns the function that ends what is in lanes.
func end64() gnuas.Func {
	return gnuas.Func{
		Name: "neonEnd",
		Doc:  "func neonEnd(h *[3]uint64, lanes *lanes26, table *uint32, msg *byte, n int)\nThe end of neonBlocks, from lanes; table is that of r^2.",
		Args: []gnuas.Arg{
			{Name: "h", Offset: 0, Reg: "x0"}, {Name: "lanes", Offset: 8, Reg: "x1"}, {Name: "table", Offset: 16, Reg: "x6"},
			{Name: "msg", Offset: 24, Reg: "x2"}, {Name: "n", Offset: 32, Reg: "x4"},
		},
		ArgSize: 40,
		Text:    arrange64(loadLanes64("x1"), false) + ends64(),
	}
}

// ends64 returns the text that absorbs x4 pairs at x2 into the sums, one by one, with the
// table at x6, and stores h at x0.
func ends64() string {
	sums := sums64(0)
	var start program
	start.text(setConstants64())
	start.line("ld4r {v0.2s-v3.2s}, [x6], #16")
	start.line("ld1r {v4.2s}, [x6], #4")
	start.line("ld4r {v5.2s-v8.2s}, [x6], #16")
	start.line("sub x4, x4, #1")

	var pair program
	pair.text(pair64())
	pair.text(carryApart64(sums))
	for i, x := range sums {
		pair.line("add v%d.2s, v%d.2s, %s.2s", 20+i, 20+i, x)
	}
	pair.text(lowFactor.multiply(sums, 20))

	var last program
	last.line("ld1 {v0.2s-v3.2s}, [x6], #32")
	last.line("ld1 {v4.2s-v7.2s}, [x6], #32")
	last.line("ld1 {v8.2s}, [x6], #8")
	last.text(pair.String())
	for _, x := range sums {
		last.line("addp d%s, %s.2d", x[1:], x)
	}
	last.text(carryApart64(sums))
	last.text(joined64(sums))

	var p program
	p.text(arrange64(start.String(), false))
	p.line("cbz x4, last")
	p.line("pairs:")
	p.text(arrange64(pair.String()+"sub x4, x4, #1\n", true))
	p.line("cbnz x4, pairs")
	p.line("last:")
	p.text(arrange64(last.String(), false))
	return p.String()
}

// loadH64 returns the text that puts h at x0 into lane 0 of the sums.
func loadH64() string {
	var p program
	p.line("ldp x5, x6, [x0]")
	p.line("ldr x11, [x0, #16]")
	p.text(limbs64())
	p.line("orr x11, x12, x11, lsl #24")
	for i, x := range sums64(0) {
		p.line("fmov d%s, x%d", x[1:], 7+i)
	}
	return p.String()
}

// limbs64 returns the text that splits x5 and x6 into limbs in x7 to x10 and x12.
func limbs64() string {
	var p program
	p.line("and x7, x5, #0x3ffffff")
	p.line("ubfx x8, x5, #26, #26")
	p.line("extr x9, x6, x5, #52")
	p.line("and x9, x9, #0x3ffffff")
	p.line("ubfx x10, x6, #14, #26")
	p.line("lsr x12, x6, #40")
	return p.String()
}

// joined64 returns the text that stores the limbs in lane 0 of x as h at x0.
func joined64(x [5]string) string {
	var p program
	for i := range 5 {
		p.line("fmov w%d, s%s", 5+i, x[i][1:])
	}
	p.line("orr x5, x5, x6, lsl #26")
	p.line("orr x5, x5, x7, lsl #52")
	p.line("lsr x7, x7, #12")
	p.line("orr x7, x7, x8, lsl #14")
	p.line("orr x7, x7, x9, lsl #40")
	p.line("lsr x9, x9, #24")
	p.line("stp x5, x7, [x0]")
	p.line("str x9, [x0, #16]")
	return p.String()
}
