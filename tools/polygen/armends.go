package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

const powersARMDoc = `
Makes the table: n of r^2, r^4, r^6 and r^8, n being 1, 2 or 4, and r^2 and r side by
side.

	words 0, 9, 18, 27  r^8 r^6 r^4 r^2 as above
	words 36 to 53      pairs (r^2, r) of r0 r1 r2 r3 r4 5r1 5r2 5r3 5r4

Registers: factors d0-d4 and d20-d24, five times them d5-d8 and d26-d29; products as
above.`

const blocksARMDoc = `
Absorbs n > 0 pairs of blocks. By width, as many as possible but for the last go through
a loop of the powers that there are: none if it is 0, of four blocks if 1, of eight if 2
or, in an order for cores that issue one instruction at a time, 3.

The pairs after those are multiplied one by one, lane by lane: all but the last by r^2,
the last by r^2 and r, after which the lanes can be added up. Added up, sums are below
those of two pairs; limbs of the result are below 2^26, but for the highest, at most
2^26 + 2^9: their bits do not overlap.

Registers of the pairs: d0-d4 multiplier, d5-d8 five times it, d20-d24 blocks; r4
table, r12 pairs to go.`

// multiplier32 are the first d registers of a factor, a limb of both lanes in each, and
// of five times it.
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
	var p program
	p.text(arrange(k.square32() + "cmp r2, #1\n"))
	p.line("beq done")
	p.text(arrange(k.fourth32() + "cmp r2, #2\n"))
	p.line("beq done")
	p.text(arrange(k.eighth32()))
	p.line("done:")
	return gnuas.Func{
		Name:    "neonPowers",
		Doc:     "func neonPowers(table *uint32, r *[2]uint64, n int)\n" + strings.TrimRight(powersARMDoc, "\n"),
		Args:    []gnuas.Arg{{Name: "table", Offset: 0, Reg: "r0"}, {Name: "r", Offset: 4, Reg: "r1"}, {Name: "n", Offset: 8, Reg: "r2"}},
		ArgSize: 12,
		Text:    p.String(),
	}
}

// square32 returns the text that makes the entries of r^2, which stays in
// lowMultiplier, and of the pairs.
func (k *neon32) square32() string {
	five, scratch := k.constants()
	var p program
	p.text(k.setConstants())
	for i := range 4 {
		p.line("%s", gnuas.Half("ldr", fmt.Sprintf("r%d", 4+i), "r1", i))
		p.line("vdup.32 d%d, r%d", 20+i, 4+i)
	}
	p.text(pair32())
	p.text(highMultiplier.quintuple())
	p.text(highMultiplier.multiply(20))
	p.text(k.carry32())
	p.text(lowMultiplier.take())
	p.text(lowMultiplier.quintuple())
	p.line("add r3, r0, #%d", 4*27)
	p.text(lowMultiplier.store(0))
	for i, q := range sums32 { // with r beside it
		p.line("vtrn.32 %s, d%d", q.low(), 20+i)
		p.line("vst1.32 {%s}, [r3]!", q.low())
	}
	for _, q := range sums32[1:] {
		p.line("vmul.i32 %s, %s, %s", scratch, q.low(), five)
		p.line("vst1.32 {%s}, [r3]!", scratch)
	}
	return p.String()
}

// fourth32 returns the text that makes the entry of r^4, which stays in
// highMultiplier.
func (k *neon32) fourth32() string {
	var p program
	p.text(lowMultiplier.multiply(0))
	p.text(k.carry32())
	p.text(highMultiplier.take())
	p.text(highMultiplier.quintuple())
	p.line("add r3, r0, #%d", 4*18)
	p.text(highMultiplier.store(0))
	return p.String()
}

// eighth32 returns the text that makes the entries of r^6 and r^8: r^2 and r^4 by r^4.
func (k *neon32) eighth32() string {
	var p program
	for i, q := range sums32 {
		p.line("vtrn.32 d%d, %s", i, q.low())
	}
	p.text(highMultiplier.multiply(0))
	p.text(k.carry32())
	p.text(lowMultiplier.take())
	p.text(lowMultiplier.quintuple())
	p.line("mov r3, r0")
	p.text(lowMultiplier.store(1))
	p.text(lowMultiplier.store(0))
	return p.String()
}

// blocks26 returns the function that absorbs pairs of blocks by loops of a width.
func blocks26() gnuas.Func {
	ends := &neon32{groups: 1, machine: schedule.CortexA7}
	var p program
	p.text(ends.arrange(loadH32(), false))
	p.line("cmp r12, #1")
	p.line("blt two")
	p.line("beq four")
	p.line("cmp r12, #3")
	for _, l := range []struct {
		label, other string
		k            neon32
	}{
		{"eight", "beq eightA7", neon32{2, schedule.CortexA9}},
		{"eightA7", "", neon32{2, schedule.CortexA7}},
		{"four", "", neon32{1, schedule.CortexA7}},
	} {
		if l.other != "" {
			p.line("%s", l.other)
		} else {
			p.line("%s:", l.label)
		}
		p.line("sub r3, r3, #1") // the last pair goes another way
		p.line("and r12, r3, #%d", 2*l.k.groups-1)
		p.line("add r12, r12, #1")
		p.line("lsrs r3, r3, #%d", l.k.groups)
		p.line("beq ends")
		p.text(l.k.loop(l.label + "Loop"))
		p.line("b ends")
	}
	p.line("two:")
	p.line("mov r12, r3")
	p.line("ends:")
	p.line("add r4, r1, #%d", 4*27)
	p.text(ends.ends())
	return gnuas.Func{
		Name: "neonBlocks",
		Doc:  "func neonBlocks(h *[3]uint64, table *uint32, msg *byte, n int, w width)\n" + strings.TrimRight(blocksARMDoc, "\n"),
		Args: []gnuas.Arg{
			{Name: "h", Offset: 0, Reg: "r0"}, {Name: "table", Offset: 4, Reg: "r1"}, {Name: "msg", Offset: 8, Reg: "r2"},
			{Name: "n", Offset: 12, Reg: "r3"}, {Name: "w", Offset: 16, Reg: "r12"},
		},
		ArgSize: 20,
		Text:    p.String(),
	}
}

// end32 returns the function that ends what is in lanes.
func end32() gnuas.Func {
	k := &neon32{groups: 1, machine: schedule.CortexA7}
	return gnuas.Func{
		Name: "neonEnd",
		Doc:  "func neonEnd(h *[3]uint64, lanes *lanes26, table *uint32, msg *byte, n int)\nThe end of neonBlocks, from lanes; table is that of r^2.",
		Args: []gnuas.Arg{
			{Name: "h", Offset: 0, Reg: "r0"}, {Name: "lanes", Offset: 4, Reg: "r1"}, {Name: "table", Offset: 8, Reg: "r4"},
			{Name: "msg", Offset: 12, Reg: "r2"}, {Name: "n", Offset: 16, Reg: "r12"},
		},
		ArgSize: 20,
		Text:    k.arrange(loadLanes32("r1"), false) + k.ends(),
	}
}

func (k *neon32) arrange(text string, loop bool) string {
	return schedule.Body(gnuas.ARM, k.machine, text, loop)
}

// ends returns the text that absorbs r12 pairs at r2 into the sums, one by one, with the
// table at r4, and stores h at r0.
func (k *neon32) ends() string {
	var start program
	start.text(k.setConstants())
	start.line("vld4.32 {d0[], d1[], d2[], d3[]}, [r4]!")
	start.line("vld1.32 {d4[]}, [r4]!")
	start.line("vld4.32 {d5[], d6[], d7[], d8[]}, [r4]!")
	start.line("subs r12, r12, #1")

	var pair program
	pair.text(load4([4]string{"d20", "d21", "d22", "d23"}, "r2"))
	pair.text(pair32())
	pair.line("vorr.i32 d24, #0x01000000")
	pair.text(k.carry32())
	for i, q := range sums32 {
		pair.line("vadd.i32 d%d, d%d, %s", 20+i, 20+i, q.low())
	}
	pair.text(lowMultiplier.multiply(20))

	var last program
	last.line("vld1.32 {d0-d3}, [r4]!")
	last.line("vld1.32 {d4-d7}, [r4]!")
	last.line("vld1.32 {d8}, [r4]!")
	last.text(pair.String())
	for _, q := range sums32 {
		last.line("vadd.i64 %s, %s, %s", q.low(), q.low(), q.high())
	}
	last.text(k.carry32())
	last.text(joined32())

	var p program
	p.text(k.arrange(start.String(), false))
	p.line("beq last")
	p.line("pairs:")
	p.text(k.arrange(pair.String()+"subs r12, r12, #1\n", true))
	p.line("bne pairs")
	p.line("last:")
	p.text(k.arrange(last.String(), false))
	return p.String()
}

// loadH32 returns the text that puts h at r0 into lane 0 of the sums.
func loadH32() string {
	var p program
	for i := range 5 {
		p.line("%s", gnuas.Half("ldr", fmt.Sprintf("r%d", 4+i), "r0", i))
	}
	limb := [5]string{"r9", "r4", "r5", "r6", "r7"}
	p.line("bic r9, r4, #0xfc000000")
	for i, shift := range []int{26, 20, 14} {
		word := 4 + i
		p.line("lsr r%d, r%d, #%d", word, word, shift)
		p.line("orr r%d, r%d, r%d, lsl #%d", word, word, word+1, 32-shift)
		p.line("bic r%d, r%d, #0xfc000000", word, word)
	}
	p.line("lsr r7, r7, #8")
	p.line("orr r7, r7, r8, lsl #24")
	p.line("mov r8, #0")
	for i, q := range sums32 {
		p.line("vmov %s, %s, r8", q.low(), limb[i])
		p.line("vmov.i32 %s, #0", q.high())
	}
	return p.String()
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
		p.line("%s", gnuas.Half("str", r, "r0", i))
	}
	return p.String()
}
