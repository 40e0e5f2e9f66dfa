package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

const neonARM64Doc = `
Poly1305 in base 2^26 on two interleaved chains (D. J. Bernstein and P. Schwabe,
"NEON crypto", 2012): lane 0 has the even blocks, lane 1 the odd ones, and both
advance by even powers of r. One iteration takes G groups of four blocks,

	h = (h + b[0:2]) r^4G + b[2:4] r^(4G-2) + ... + b[4G-2:4G] r^2

where b[i:i+2] is a pair of blocks, one in each lane, and only then carries.

A number has five limbs of 26 bits. The blocks are split into limbs by the
integer unit, which has nothing else to do, and reach the vectors over the
stack, one iteration ahead:

	stack, from sp+16, for each group of four blocks
	  +0   l0(b0) l0(b1) l1(b0) l1(b1)     v20  v25
	  +16  l2(b0) l2(b1) l3(b0) l3(b1)     v21  v26
	  +32  l0(b2) l0(b3) l1(b2) l1(b3)     v22  v27
	  +48  l2(b2) l2(b3) l3(b2) l3(b3)     v23  v28
	  +64  l4(b0) l4(b1) l4(b2) l4(b3)     v24  v29

	table: for each power r0 r1 r2 r3 r4 5r1 5r2 5r3 5r4, 32 bits each, the
	highest power first; v0 to v8, word w in v[w/4].s[w%4]
	lanes: h0 h0' h1 h1' h2 h2' h3 h3' h4 h4', 32 bits each, ' for lane 1

Registers: v9 the constant 5, v10-v14 and v15-v19 sums of one iteration and the
next, v30 the mask 2^26-1, v31 scratch; x2 blocks, x3 iterations to go, x5 2^128
in limb 4 of two blocks, x9-x12 two blocks, x13-x17 their limbs and scratch.

The hybrid has a chain in base 2^64 beside the lanes, on other blocks of the
message (blocks_arm64.s in internal/polyasm explains its text): h x19 x20 x21,
product x22 x23 x24, scratch x25 x26 x1, next block x6, r x7 x8, r[1]*5/4 x0, the
constant 1 x4. It takes one block more than its share of the iterations, which
it has already added when the loop ends.

Bounds. Limbs of a block are below 2^26, those of r and h at most 2^26 + 2^9, of
5r five times that. With n = 2G pairs a sum is below ((2^26 + 2^26 + 2^9)
+ (n-1) 2^26) * (1 + 4*5) * (2^26 + 2^9) < 2^59 for n <= 4, and sum 4, which has no factor
5, below 2^57, so that its carry fits 32 bits. The carry runs 3-4-0-1-2-3-4: into
limb 0 goes 5 * 2^31, and what comes back to limb 4 in the end is (2^26 + 2^34) >>
26 < 2^9.`

// neon64 describes one of the functions.
type neon64 struct {
	groups int // of four blocks an iteration
	scalar int // blocks an iteration beside them, in base 2^64
}

// hybridScalar is the number of scalar blocks beside eight in lanes: as many as
// cost nothing on a Cortex-A53.
const hybridScalar = 2

const (
	neonFive, neonMask, neonTemp = "v9", "v30", "v31"
	neonStack                    = 16
)

// sums64 returns the registers of the five sums: set 0 or 1.
func sums64(set int) (x [5]string) {
	for i := range x {
		x[i] = fmt.Sprintf("v%d", 10+5*set+i)
	}
	return x
}

// element returns the table element that multiplies limb i into sum j for the
// pair-th power.
func element64(pair, i, j int) string {
	w := 9 * pair
	if i <= j {
		w += j - i
	} else {
		w += 4 + 5 + j - i
	}
	return fmt.Sprintf("v%d.s[%d]", w/4, w%4)
}

// limb64 returns the register with limb i of the pair-th pair of blocks, and
// whether it is in the upper half.
func limb64(pair, i int) (reg string, high bool) {
	group, second := pair/2, pair%2
	base := 20 + 5*group
	if i == 4 {
		return fmt.Sprintf("v%d", base+4), second == 1
	}
	return fmt.Sprintf("v%d", base+2*second+i/2), i%2 == 1
}

// products returns the text that multiplies a pair by its power into the sums y,
// as the first product of each or added.
func (k *neon64) products(pair int, y [5]string, first bool) string {
	var p program
	for i := range 5 {
		reg, high := limb64(pair, i)
		half, suffix := "2s", ""
		if high {
			half, suffix = "4s", "2"
		}
		op := "umlal"
		if first && i == 0 {
			op = "umull"
		}
		for j := range 5 {
			p.line("%s%s %s.2d, %s.%s, %s", op, suffix, y[j], reg, half, element64(pair, i, j))
		}
	}
	return p.String()
}

// foldTop64 appends the carries from x[3] to x[4], and from there to x[0].
func (p *program) foldTop64(x [5]string) {
	p.line("usra %s.2d, %s.2d, #26", x[4], x[3])
	p.line("and %s.16b, %s.16b, %s.16b", x[3], x[3], neonMask)
	p.line("shrn %s.2s, %s.2d, #26", neonTemp, x[4])
	p.line("and %s.16b, %s.16b, %s.16b", x[4], x[4], neonMask)
	p.line("umlal %s.2d, %s.2s, %s.2s", x[0], neonTemp, neonFive)
}

// carry64 returns the text that brings the sums x to limbs of h: h0 and h1 in
// x[0], h2 and h3 in x[2], h4 in the low half of x[4].
func carry64(x [5]string) string {
	var p program
	p.foldTop64(x)
	p.line("usra %s.2d, %s.2d, #26", x[1], x[0])
	p.line("usra %s.2d, %s.2d, #26", x[2], x[1])
	p.line("uzp1 %s.4s, %s.4s, %s.4s", x[0], x[0], x[1])
	p.line("usra %s.2d, %s.2d, #26", x[3], x[2])
	p.line("bic %s.4s, #252, lsl #24", x[0])
	p.line("usra %s.2d, %s.2d, #26", x[4], x[3])
	p.line("uzp1 %s.4s, %s.4s, %s.4s", x[2], x[2], x[3])
	p.line("xtn %s.2s, %s.2d", x[4], x[4])
	p.line("bic %s.4s, #252, lsl #24", x[2])
	return p.String()
}

// split64 returns the text that splits the blocks of a group at x2 into limbs
// on the stack.
func split64(group int) string {
	const a0, a1, b0, b1, t = "x9", "x10", "x11", "x12", "x13"
	const even, odd = "x14", "x15"
	top := [2]string{"x16", "x17"}
	var p program
	slot := neonStack + 80*group
	for pair := range 2 {
		p.text(loadBlock64(a0, a1, 64*group+32*pair))
		p.text(loadBlock64(b0, b1, 64*group+32*pair+16))
		p.line("and %s, %s, #0x3ffffff", even, a0)
		p.line("ubfx %s, %s, #26, #26", odd, a0)
		p.line("lsr %s, %s, #26", t, b0)
		p.line("bfi %s, %s, #32, #26", even, b0)
		p.line("bfi %s, %s, #32, #26", odd, t)
		p.text(storeHalves64(even, odd, slot+32*pair))
		p.line("extr %s, %s, %s, #52", a0, a1, a0)
		p.line("extr %s, %s, %s, #52", b0, b1, b0)
		p.line("ubfx %s, %s, #14, #26", odd, a1)
		p.line("and %s, %s, #0x3ffffff", even, a0)
		p.line("lsr %s, %s, #14", t, b1)
		p.line("bfi %s, %s, #32, #26", even, b0)
		p.line("bfi %s, %s, #32, #26", odd, t)
		p.text(storeHalves64(even, odd, slot+32*pair+16))
		p.line("lsr %s, %s, #40", b1, b1)
		p.line("add %s, x5, %s, lsr #40", top[pair], a1)
		p.line("bfi %s, %s, #32, #24", top[pair], b1)
	}
	p.text(storeHalves64(top[0], top[1], slot+64))
	return p.String()
}

// loadBlock64 returns the text that loads a block at x2.
func loadBlock64(low, high string, at int) string {
	return gnuas.LoadBytes(fmt.Sprintf("ldp %s, %s, [x2, #%d]", low, high, at), low, high) + "\n"
}

// storeHalves64 returns the text that stores the halves of a vector, which is loaded
// whole, on the stack.
func storeHalves64(low, high string, at int) string {
	store := func(a, b string) string { return fmt.Sprintf("stp %s, %s, [sp, #%d]", a, b, at) }
	return gnuas.Either(store(low, high), store(high, low)) + "\n"
}

// loadLimbs64 and storeLimbs64 return the text that loads and stores a vector of four
// or two 32-bit words.
func loadLimbs64(name string, words int, base string, at int) string {
	if words == 2 {
		load := fmt.Sprintf("ldr d%s, [%s, #%d]", name[1:], base, at)
		return gnuas.Either(load, load, turn2(name)) + "\n"
	}
	return gnuas.LoadVectors(fmt.Sprintf("ldr q%s, [%s, #%d]", name[1:], base, at), "4s", name) + "\n"
}

func storeLimbs64(name string, words int, base string, at int) string {
	if words == 2 {
		store := fmt.Sprintf("str d%s, [%s, #%d]", name[1:], base, at)
		return gnuas.Either(store, turn2(name), store) + "\n"
	}
	return gnuas.StoreVectors(fmt.Sprintf("str q%s, [%s, #%d]", name[1:], base, at), "4s", name) + "\n"
}

func turn2(name string) string { return fmt.Sprintf("rev64 %s.2s, %s.2s", name, name) }

// fetch64 returns the text that loads the limbs of a group from the stack.
func fetch64(group int) string {
	var p program
	for i := range 5 {
		p.line("ldr q%d, [sp, #%d]", 20+5*group+i, neonStack+80*group+16*i)
	}
	return p.String()
}

// body returns the text of one iteration: x are the sums of the previous one, y
// those of this one. The last iteration splits its own blocks again, for want
// of others.
func (k *neon64) body(x, y [5]string) string {
	pairs := 2 * k.groups
	var p program
	p.text(carry64(x))
	for pair := pairs - 1; pair >= 1; pair-- {
		p.text(k.products(pair, y, pair == pairs-1))
	}
	p.line("add v20.4s, v20.4s, %s.4s", x[0])
	p.line("add v21.4s, v21.4s, %s.4s", x[2])
	p.line("add v24.4s, v24.4s, %s.4s", x[4])
	p.text(k.products(0, y, false))
	p.line("subs x3, x3, #1")
	p.line("cset x13, ne")
	p.line("add x2, x2, x13, lsl #%d", 5+k.groups) // 64 or 128 bytes
	for range k.scalar {
		p.text(besideChain.multiply64(besideMultiplier, true))
	}
	for g := range k.groups {
		p.text(split64(g))
	}
	for g := range k.groups {
		p.text(fetch64(g))
	}
	return p.String()
}

// finish returns the text that stores the sums x as lanes.
func (k *neon64) finish(x [5]string) string {
	var p program
	lanes := "x0"
	if k.scalar > 0 {
		lanes = "x3"
		p.line("ldr %s, [sp, #%d]", lanes, k.saved())
	}
	p.text(carry64(x))
	p.text(storeLimbs64(x[0], 4, lanes, 0))
	p.text(storeLimbs64(x[2], 4, lanes, 16))
	p.text(storeLimbs64(x[4], 2, lanes, 32))
	return p.String()
}

// prologue returns the text that loads the powers at x1 and the first blocks.
func (k *neon64) prologue() string {
	var p program
	words := 18 * k.groups
	at := 4 * (36 - words)
	for i := 0; i < words/4; i++ {
		p.text(loadLimbs64(fmt.Sprintf("v%d", i), 4, "x1", at+16*i))
	}
	if words%4 != 0 {
		p.text(loadLimbs64(fmt.Sprintf("v%d", words/4), 2, "x1", at+16*(words/4)))
	}
	p.text(setConstants64())
	p.line("mov x5, #0x0100000001000000")
	for g := range k.groups {
		p.text(split64(g))
		p.text(fetch64(g))
	}
	return p.String()
}

// besidePrologue returns the text with which the hybrid begins, before and after the
// prologue.
func (k *neon64) besidePrologue() (before, after string) {
	var p, q program
	p.line("str x0, [sp, #%d]", k.saved())
	p.line("str x4, [sp, #%d]", k.saved()+8)
	p.text(besideChain.load("x4", 0))
	p.text(loadLanes64("x0"))
	q.text(besideMultiplier.load("x7"))
	q.text(besideChain.addBlock(besideMultiplier, besideChain.h))
	return p.String(), q.String()
}

// loadLanes64 returns the text that widens the lanes at ptr, which it advances, into
// sums.
func loadLanes64(ptr string) string {
	var p program
	for _, x := range sums64(0) {
		p.line("ld1 {%s.2s}, [%s], #8", x, ptr)
		p.line("ushll %s.2d, %s.2s, #0", x, x)
	}
	return p.String()
}

func setConstants64() string {
	var p program
	p.line("movi %s.2s, #5", neonFive)
	p.line("movi %s.2d, #0x00000000ffffffff", neonMask)
	p.line("bic %s.4s, #252, lsl #24", neonMask)
	return p.String()
}

// multiplyLanes64 returns the function that multiplies lane by lane: x in v0 to
// v4, y in v20 to v24, 5y in v26 to v29.
func multiplyLanes64() gnuas.Func {
	sums := sums64(0)
	var p program
	for i := range 5 {
		p.text(loadLimbs64(fmt.Sprintf("v%d", 20+i), 2, "x1", 8*i))
		p.text(loadLimbs64(fmt.Sprintf("v%d", i), 2, "x0", 8*i))
	}
	p.text(setConstants64())
	p.text(highFactor.quintuple())
	p.text(highFactor.multiply(sums, 0))
	p.text((&neon64{}).finish(sums))
	return gnuas.Func{
		Name:    "multiplyLanes",
		Doc:     "func multiplyLanes(x, y *lanes26)",
		Args:    []gnuas.Arg{{Name: "x", Offset: 0, Reg: "x0"}, {Name: "y", Offset: 8, Reg: "x1"}},
		ArgSize: 16,
		Text:    schedule.Body(gnuas.ARM64, schedule.CortexA53, p.String(), false),
	}
}

// saved is where on the stack the pointers to the lanes and to the scalar
// accumulator are.
func (k *neon64) saved() int { return neonStack + 80*k.groups }

// besideChain and besideMultiplier are the registers of the scalar chain of
// the hybrid, which takes x0 and x4 too.
var (
	besideChain = &chain64{
		h:   [3]string{"x19", "x20", "x21"},
		d:   [3]string{"x22", "x23", "x24"},
		t:   [3]string{"x25", "x26", "x1"},
		ptr: "x6",
	}
	besideMultiplier = &multiplier64{r: [2]string{"x7", "x8"}, s: "x0", one: "x4"}
)

// loops returns the text of the loop over x3 > 0 iterations, in two halves with the sums
// in other registers, and what ends it after either.
func (k *neon64) loops(label string, end func(x [5]string) string) string {
	a, b := sums64(0), sums64(1)
	var p program
	p.line("%s:", label)
	p.text(arrange64(k.body(a, b), true))
	p.line("cbz x3, %sOdd", label)
	p.text(arrange64(k.body(b, a), true))
	p.line("cbnz x3, %s", label)
	p.text(arrange64(end(a), false))
	p.line("b %sDone", label)
	p.line("%sOdd:", label)
	p.text(arrange64(end(b), false))
	p.line("%sDone:", label)
	return p.String()
}

func arrange64(text string, loop bool) string {
	return schedule.Body(gnuas.ARM64, schedule.CortexA53, text, loop)
}

// hybrid64 returns the function.
func hybrid64() gnuas.Func {
	k := &neon64{groups: 2, scalar: hybridScalar}
	before, after := k.besidePrologue()
	var p program
	p.text(arrange64(before+k.prologue()+after, false))
	p.text(k.loops("loop", k.finish))
	p.text(arrange64(besideChain.multiply64(besideMultiplier, false), false))
	p.line("ldr x4, [sp, #%d]", k.saved()+8)
	p.text(besideChain.store("x4", 0))
	return gnuas.Func{
		Name: "neonHybrid",
		Doc:  "func neonHybrid(lanes *lanes26, table *uint32, msg *byte, n int, h *[3]uint64, r *[2]uint64, tail *byte)",
		Args: []gnuas.Arg{
			{Name: "lanes", Offset: 0, Reg: "x0"}, {Name: "table", Offset: 8, Reg: "x1"},
			{Name: "msg", Offset: 16, Reg: "x2"}, {Name: "n", Offset: 24, Reg: "x3"},
			{Name: "h", Offset: 32, Reg: "x4"}, {Name: "r", Offset: 40, Reg: "x7"}, {Name: "tail", Offset: 48, Reg: "x6"},
		},
		ArgSize: 56,
		Frame:   k.saved() + 8,
		Text:    p.String(),
	}
}

func neonARM64() *gnuas.File {
	return &gnuas.File{
		Arch: gnuas.ARM64,
		Doc:  strings.Trim(neonARM64Doc, "\n"),
		Funcs: []gnuas.Func{
			multiplyLanes64(),
			powers64(),
			blocks26ARM64(),
			hybrid64(),
			end64(),
		},
	}
}
