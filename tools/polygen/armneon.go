package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

const neonARMDoc = `
Poly1305 in base 2^26 on two interleaved chains (D. J. Bernstein and P. Schwabe,
"NEON crypto", 2012): lane 0 has the even blocks, lane 1 the odd ones, and both
advance by even powers of r. One iteration takes G groups of four blocks,

	h = (h + b[0:2]) r^4G + b[2:4] r^(4G-2) + ... + b[4G-2:4G] r^2

where b[i:i+2] is a pair of blocks, one in each lane, and only then carries.

A number has five limbs of 26 bits. vld4 puts word i of four blocks into one
vector, which is shifted and merged with its neighbours into limbs:

	         low half       high half
	q10-q14  l0-l4(b0, b1)  l0-l4(b2, b3)
	q11-q14  l0-l3(b4, b5)  l0-l3(b6, b7)   l4 in q10

	table: for each power r0 r1 r2 r3 r4 5r1 5r2 5r3 5r4, 32 bits each, the
	highest power first; for two powers d0 to d8, word w in d[w/2][w%2]
	lanes: h0 h0' h1 h1' h2 h2' h3 h3' h4 h4', 32 bits each, ' for lane 1

Registers: q5-q9 sums, d30 the mask 2^26-1, d31 the constant 5, d9 scratch; with 8
blocks, whose table is not kept, q15 the mask, d9 the constant, d8 scratch; r0 h, r1
table, r2 blocks, r3 iterations to go; r4-r9 parts of the table, which for 8 blocks is
read again in each iteration; r12 pairs that come after them.

Bounds. Limbs of a block are below 2^26, those of r and h at most 2^26 +
2^9, of 5r five times that. With n = 2G pairs a sum is below ((2^26 + 2^26
+ 2^9) + (n-1) 2^26) * (1 + 4*5) * (2^26 + 2^9) < 2^59 for n <= 4, and sum 4, which
has no factor 5, below 2^57, so that its carry fits 32 bits. The carry runs
3-4-0-1-2-3-4: into limb 0 goes 5 * 2^31, and what comes back to limb 4 in the end
is (2^26 + 2^34) >> 26 < 2^9.`

// neon32 describes one of the functions.
type neon32 struct {
	groups  int // of four blocks an iteration
	machine *schedule.Machine
}

// constants returns the registers of the constant 5 and of a scratch: with the
// whole table in registers there is one less.
func (k *neon32) constants() (five, scratch string) {
	if k.groups == 1 {
		return "d31", "d9"
	}
	return "d9", "d8"
}

// maskARM has the mask 2^26-1 in its low half, and unless that is the constant 5
// in its high half too.
const maskARM quad = 15

// quad is a q register by number.
type quad int

func (q quad) String() string { return fmt.Sprintf("q%d", int(q)) }
func (q quad) low() string    { return fmt.Sprintf("d%d", 2*int(q)) }
func (q quad) high() string   { return fmt.Sprintf("d%d", 2*int(q)+1) }

var sums32 = [5]quad{5, 6, 7, 8, 9}

// limbs32 returns the registers of the limbs of a group. Those of group 1 are
// loaded while the last limb of group 0 is still in use, in q10.
func limbs32(group int) [5]quad {
	if group == 1 {
		return [5]quad{11, 12, 13, 14, 10}
	}
	return [5]quad{10, 11, 12, 13, 14}
}

// split32 returns the text that loads the blocks of a group at ptr and splits
// them. A word below is 4 lanes, one for each block.
//
//	l0 = w0 mod 2^26            l1 = w0 >> 26 | w1 << 6   mod 2^26
//	l2 = w1 >> 20 | w2 << 12 …  l3 = w2 >> 14 | w3 << 18 …
//	l4 = w3 >> 8 | 2^24
func split32(group int, ptr string) string {
	l := limbs32(group)
	var p program
	p.text(load4([4]string{l[0].low(), l[1].low(), l[2].low(), l[3].low()}, ptr))
	p.text(load4([4]string{l[0].high(), l[1].high(), l[2].high(), l[3].high()}, ptr))
	p.line("vshr.u32 %s, %s, #8", l[4], l[3])
	p.line("vorr.i32 %s, #0x01000000", l[4])
	for i, shift := range []int{18, 12, 6} {
		limb, below := l[3-i], l[2-i]
		p.line("vshl.i32 %s, %s, #%d", limb, limb, shift)
		p.line("vsri.32 %s, %s, #%d", limb, below, 32-shift)
		p.line("vbic.i32 %s, #0xfc000000", limb)
	}
	p.line("vbic.i32 %s, #0xfc000000", l[0])
	return p.String()
}

// load4 returns the text that loads two blocks into the d registers words, word i of
// both into words[i].
func load4(words [4]string, ptr string) string {
	load := fmt.Sprintf("vld4.32 {%s}, [%s]!", strings.Join(words[:], ", "), ptr)
	big := []string{load}
	for _, d := range words {
		big = append(big, fmt.Sprintf("vrev32.8 %s, %s", d, d))
	}
	return gnuas.Either(load, big...) + "\n"
}

// carry32 returns the text that brings the sums to limbs of h, in their low
// halves.
func (k *neon32) carry32() string {
	x := sums32
	five, scratch := k.constants()
	var p program
	mask := func(q quad) {
		if k.groups == 1 {
			p.line("vand %s, %s, %s", q.low(), q.low(), maskARM.low())
			p.line("vand %s, %s, %s", q.high(), q.high(), maskARM.low())
			return
		}
		p.line("vand %s, %s, %s", q, q, maskARM)
	}
	p.line("vsra.u64 %s, %s, #26", x[4], x[3])
	mask(x[3])
	p.line("vshrn.u64 %s, %s, #26", scratch, x[4])
	mask(x[4])
	p.line("vmlal.u32 %s, %s, %s", x[0], scratch, five)
	for i := range 4 {
		p.line("vsra.u64 %s, %s, #26", x[i+1], x[i])
		p.line("vtrn.32 %s, %s", x[i].low(), x[i].high())
		p.line("vbic.i32 %s, #0xfc000000", x[i].low())
	}
	p.line("vtrn.32 %s, %s", x[4].low(), x[4].high())
	return p.String()
}

// products32 returns the text that multiplies a group by its two powers, in d0
// to d8, into the sums: group 0 first.
func products32(group int) string {
	l := limbs32(group)
	order := []int{4, 3, 2, 1, 0}
	var p program
	for n, i := range order {
		for pair, half := range []string{l[i].low(), l[i].high()} {
			op := "vmlal"
			if group == 0 && n == 0 && pair == 0 {
				op = "vmull"
			}
			for j := range 5 {
				w := 9 * pair
				if i <= j {
					w += j - i
				} else {
					w += 9 + j - i
				}
				p.line("%s.u32 %s, %s, d%d[%d]", op, sums32[j], half, w/2, w%2)
			}
		}
	}
	return p.String()
}

// fetchTable returns the text that loads the powers of a group.
func fetchTable(group int) string {
	r := 4 + 3*group
	var p program
	p.line("vld1.32 {d0-d3}, [r%d]", r)
	p.line("vld1.32 {d4-d7}, [r%d]", r+1)
	p.line("vld1.32 {d8}, [r%d]", r+2)
	return p.String()
}

// addLanes32 returns the text that adds h to the first pair of blocks.
func addLanes32() string {
	var p program
	for i, l := range limbs32(0) {
		p.line("vadd.i32 %s, %s, %s", l.low(), l.low(), sums32[i].low())
	}
	return p.String()
}

// body returns the text of one iteration. Only the subtraction sets the flags.
func (k *neon32) body() string {
	var p program
	p.line("subs r3, r3, #1")
	p.text(k.carry32())
	for g := range k.groups {
		p.text(split32(g, "r2"))
		if k.groups > 1 {
			p.text(fetchTable(g))
		}
		if g == 0 {
			p.text(addLanes32())
		}
		p.text(products32(g))
	}
	return p.String()
}

// loop returns the text of the loop over r3 > 0 iterations, with the sums as they are
// and the powers at r1.
func (k *neon32) loop(label string) string {
	arrange := func(text string, loop bool) string {
		return schedule.Body(gnuas.ARM, k.machine, text, loop)
	}
	var p program
	p.text(k.setConstants())
	for i := range 3 * k.groups {
		p.line("add r%d, r1, #%d", 4+i, 4*(36-18*k.groups)+72*(i/3)+32*(i%3))
	}
	if k.groups == 1 {
		p.text(fetchTable(0))
	}
	var all program
	all.text(arrange(p.String(), false))
	all.line("%s:", label)
	all.text(arrange(k.body(), true))
	all.line("bne %s", label)
	return all.String()
}

// loadSums32 returns the text that starts from the lanes at r0.
func (k *neon32) loadSums32() string {
	var p program
	for i, q := range sums32 {
		p.line("add r12, r0, #%d", 8*i)
		p.line("vld1.32 {%s}, [r12]", q.low())
		p.line("vmovl.u32 %s, %s", q, q.low())
	}
	p.text(k.setConstants())
	return p.String()
}

func (k *neon32) setConstants() string {
	five, _ := k.constants()
	var p program
	p.line("vmov.i64 %s, #0x00000000ffffffff", maskARM)
	p.line("vbic.i32 %s, #0xfc000000", maskARM)
	p.line("vmov.i32 %s, #5", five)
	return p.String()
}

// multiplyLanes32 returns the function that multiplies lane by lane: x in d0 to
// d4, y in d20 to d24, 5y in d26 to d29.
func multiplyLanes32() gnuas.Func {
	k := &neon32{groups: 1, machine: schedule.CortexA7}
	var p program
	for i := range 5 {
		p.line("vld1.32 {d%d}, [r1]!", 20+i)
	}
	p.line("mov r2, r0")
	for i := range 5 {
		p.line("vld1.32 {d%d}, [r2]!", i)
	}
	p.text(k.setConstants())
	p.text(highMultiplier.quintuple())
	p.text(highMultiplier.multiply(0))
	p.text(k.carry32())
	for _, q := range sums32 {
		p.line("vst1.32 {%s}, [r0]!", q.low())
	}
	return gnuas.Func{
		Name:    "multiplyLanes",
		Doc:     "func multiplyLanes(x, y *lanes26)",
		Args:    []gnuas.Arg{{Name: "x", Offset: 0, Reg: "r0"}, {Name: "y", Offset: 4, Reg: "r1"}},
		ArgSize: 8,
		Text:    schedule.Body(gnuas.ARM, k.machine, p.String(), false),
	}
}

func neonARM() *gnuas.File {
	return &gnuas.File{
		Arch: gnuas.ARM,
		Doc:  strings.Trim(neonARMDoc, "\n"),
		Funcs: []gnuas.Func{
			multiplyLanes32(),
			powers32(),
			blocks26(),
			hybrid32(),
			end32(),
		},
	}
}
