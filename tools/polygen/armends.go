package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

const powersARMDoc = `
Makes the table: r^2 and r^4, and r^6 and r^8 if n is 4, then r^2 and r side by side.

	words 0, 9, 18, 27  r^8 r^6 r^4 r^2 as above
	words 36 to 53      pairs (r^2, r) of r0 r1 r2 r3 r4 5r1 5r2 5r3 5r4

Registers: factors d0-d4 and d20-d24, five times them d5-d8 and d26-d29; products as
above.`

const endARMDoc = `
Absorbs pairs of blocks one by one, lane by lane, all but the last by r^2, the last by
r^2 and r, which is what the lanes have to be multiplied by to be added up. Limbs of
the sum are below 2^26, but for the highest, at most 2^26 + 2^9: their bits do not
overlap.

Registers: d0-d4 multiplier, d5-d8 five times it, d20-d24 blocks; r0 h, r1 lanes, r2
table, r3 blocks, r12 pairs to go.`

// multiplier32 are the d registers of a factor and of five times it, and factor32
// those of the other.
type multiplier32 struct{ limb, five int }

var (
	lowMultiplier  = multiplier32{0, 5}
	highMultiplier = multiplier32{20, 26}
)

// quintuple returns the text that computes five times the limbs 1 to 4.
func (m multiplier32) quintuple() string {
	five, _ := (&neon32{groups: 1}).constants()
	var p program
	for i := range 4 {
		p.line("vmul.i32 d%d, d%d, %s", m.five+i, m.limb+1+i, five)
	}
	return p.String()
}

// multiply returns the text that multiplies the limbs in d registers from x on by m,
// lane by lane, into the sums.
func (m multiplier32) multiply(x int) string {
	var p program
	for i := range 5 {
		for j := range 5 {
			op, y := "vmlal", m.limb+j-i
			if i == 0 {
				op = "vmull"
			}
			if i > j {
				y = m.five + 4 + j - i
			}
			p.line("%s.u32 %s, d%d, d%d", op, sums32[j], x+i, y)
		}
	}
	return p.String()
}

// take returns the text that moves limbs from the low halves of the sums to m.
func (m multiplier32) take() string {
	var p program
	for i, q := range sums32 {
		p.line("vmov d%d, %s", m.limb+i, q.low())
	}
	return p.String()
}

// store returns the text that stores a lane of m as an entry of the table at r3, which
// it advances.
func (m multiplier32) store(lane int) string {
	four := func(first int) string {
		var list []string
		for i := range 4 {
			list = append(list, fmt.Sprintf("d%d[%d]", first+i, lane))
		}
		return strings.Join(list, ", ")
	}
	var p program
	p.line("vst4.32 {%s}, [r3]!", four(m.limb))
	p.line("vst1.32 {d%d[%d]}, [r3]!", m.limb+4, lane)
	p.line("vst4.32 {%s}, [r3]!", four(m.five))
	return p.String()
}

// pair32 returns the text that splits two blocks, whose words are in d20 to d23, into
// limbs in d20 to d24, without the 2^128 of a block.
func pair32() string {
	var p program
	p.line("vshr.u32 d24, d23, #8")
	for i, shift := range []int{18, 12, 6} {
		limb, below := 23-i, 22-i
		p.line("vshl.i32 d%d, d%d, #%d", limb, limb, shift)
		p.line("vsri.32 d%d, d%d, #%d", limb, below, 32-shift)
		p.line("vbic.i32 d%d, #0xfc000000", limb)
	}
	p.line("vbic.i32 d20, #0xfc000000")
	return p.String()
}

// powers32 returns the function that makes the table.
func powers32() gnuas.Func {
	k := &neon32{groups: 1, machine: schedule.CortexA7}
	arrange := func(text string) string { return schedule.Body(gnuas.ARM, k.machine, text, false) }
	first := func() string {
		var p program
		p.text(k.setConstants())
		for i := range 4 {
			p.text(half64("ldr", fmt.Sprintf("r%d", 4+i), "r1", i))
			p.line("vdup.32 d%d, r%d", 20+i, 4+i)
		}
		p.text(pair32())
		p.text(highMultiplier.quintuple())
		p.text(highMultiplier.multiply(20))
		p.text(k.carry32())
		p.text(lowMultiplier.take()) // r^2
		p.text(lowMultiplier.quintuple())
		p.line("add r3, r0, #%d", 4*27)
		p.text(lowMultiplier.store(0))
		for i, q := range sums32 { // with r beside it
			p.line("vtrn.32 %s, d%d", q.low(), 20+i)
			p.line("vst1.32 {%s}, [r3]!", q.low())
		}
		five, scratch := k.constants()
		for _, q := range sums32[1:] {
			p.line("vmul.i32 %s, %s, %s", scratch, q.low(), five)
			p.line("vst1.32 {%s}, [r3]!", scratch)
		}
		p.text(lowMultiplier.multiply(0))
		p.text(k.carry32())
		p.text(highMultiplier.take()) // r^4
		p.text(highMultiplier.quintuple())
		p.line("add r3, r0, #%d", 4*18)
		p.text(highMultiplier.store(0))
		p.line("cmp r2, #2")
		return p.String()
	}
	second := func() string {
		var p program
		for i, q := range sums32 { // r^2 and r^4
			p.line("vtrn.32 d%d, %s", i, q.low())
		}
		p.text(highMultiplier.multiply(0))
		p.text(k.carry32())
		p.text(lowMultiplier.take()) // r^6 and r^8
		p.text(lowMultiplier.quintuple())
		p.line("mov r3, r0")
		p.text(lowMultiplier.store(1))
		p.text(lowMultiplier.store(0))
		return p.String()
	}
	var p program
	p.text(arrange(first()))
	p.line("beq done")
	p.text(arrange(second()))
	p.line("done:")
	return gnuas.Func{
		Name:    "neonPowers",
		Doc:     "func neonPowers(table *uint32, r *[2]uint64, n int)\n" + strings.TrimRight(powersARMDoc, "\n"),
		Args:    []gnuas.Arg{{Name: "table", Offset: 0, Reg: "r0"}, {Name: "r", Offset: 4, Reg: "r1"}, {Name: "n", Offset: 8, Reg: "r2"}},
		ArgSize: 12,
		Text:    p.String(),
	}
}

// end32 returns the function that absorbs the last pairs and adds up the lanes.
func end32() gnuas.Func {
	k := &neon32{groups: 1, machine: schedule.CortexA7}
	arrange := func(text string, loop bool) string { return schedule.Body(gnuas.ARM, k.machine, text, loop) }
	var start program
	start.text(loadLanes32("r1"))
	start.text(k.setConstants())
	start.line("vld4.32 {d0[], d1[], d2[], d3[]}, [r2]!")
	start.line("vld1.32 {d4[]}, [r2]!")
	start.line("vld4.32 {d5[], d6[], d7[], d8[]}, [r2]!")
	start.line("subs r12, r12, #1")

	var pair program
	pair.text(load4([4]string{"d20", "d21", "d22", "d23"}, "r3"))
	pair.text(pair32())
	pair.line("vorr.i32 d24, #0x01000000")
	pair.text(k.carry32())
	for i, q := range sums32 {
		pair.line("vadd.i32 d%d, d%d, %s", 20+i, 20+i, q.low())
	}
	pair.text(lowMultiplier.multiply(20))

	var last program
	last.line("vld1.32 {d0-d3}, [r2]!")
	last.line("vld1.32 {d4-d7}, [r2]!")
	last.line("vld1.32 {d8}, [r2]!")
	last.text(pair.String())
	for _, q := range sums32 {
		last.line("vadd.i64 %s, %s, %s", q.low(), q.low(), q.high())
	}
	last.text(k.carry32())
	last.text(joined32())

	var p program
	p.text(arrange(start.String(), false))
	p.line("beq last")
	p.line("loop:")
	p.text(arrange(pair.String()+"subs r12, r12, #1\n", true))
	p.line("bne loop")
	p.line("last:")
	p.text(arrange(last.String(), false))
	return gnuas.Func{
		Name: "neonEnd",
		Doc:  "func neonEnd(h *[3]uint64, lanes *lanes26, table *uint32, msg *byte, n int)\n" + strings.TrimRight(endARMDoc, "\n"),
		Args: []gnuas.Arg{
			{Name: "h", Offset: 0, Reg: "r0"}, {Name: "lanes", Offset: 4, Reg: "r1"}, {Name: "table", Offset: 8, Reg: "r2"},
			{Name: "msg", Offset: 12, Reg: "r3"}, {Name: "n", Offset: 16, Reg: "r12"},
		},
		ArgSize: 20,
		Text:    p.String(),
	}
}

// loadLanes32 returns the text that widens the lanes at ptr, which it advances, into
// sums.
func loadLanes32(ptr string) string {
	var p program
	for _, q := range sums32 {
		p.line("vld1.32 {%s}, [%s]!", q.low(), ptr)
		p.line("vmovl.u32 %s, %s", q, q.low())
	}
	return p.String()
}

// joined32 returns the text that stores the limbs in lane 0 of the sums as h at r0.
func joined32() string {
	limb := [5]string{"r4", "r5", "r6", "r7", "r8"}
	var p program
	for i, q := range sums32 {
		p.line("vmov.32 %s, %s[0]", limb[i], q.low())
	}
	p.line("orr r4, r4, r5, lsl #26")
	for i, shift := range []int{6, 12, 18} {
		p.line("lsr %s, %s, #%d", limb[i+1], limb[i+1], shift)
		p.line("orr %s, %s, %s, lsl #%d", limb[i+1], limb[i+1], limb[i+2], 26-shift)
	}
	p.line("lsr r8, r8, #24")
	p.line("mov r9, #0")
	for i, r := range append(limb[:], "r9") {
		p.text(half64("str", r, "r0", i))
	}
	return p.String()
}
