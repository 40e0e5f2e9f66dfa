package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

const scalarARMDoc = `
Poly1305 in base 2^32 (RFC 8439 section 2.5): twenty 32-bit products a block,
h = (h + block + 2^128) * r mod 2^130-5.

With the clamped r below 2^28 in each limb and s[i] = 5/4 r[i] (r[1] to r[3] are
multiples of 4), a column of the product is

	d[0] = h0 r0 + h1 s3 + h2 s2 + h3 s1
	d[1] = h0 r1 + h1 r0 + h2 s3 + h3 s2 + h4 s1
	d[2] = h0 r2 + h1 r1 + h2 r0 + h3 s3 + h4 s2
	d[3] = h0 r3 + h1 r2 + h2 r1 + h3 r0 + h4 s3
	d[4] = h4 r0

with h0 to h3 below 2^32 and h4 <= 6: h is folded, so that 3 is left of h4, while a
block is added, which adds 2^128, and there are two carries. Each of d[0] to d[3]
stays below 2^63 and is summed by umlal without a carry, and d[4], with the carry
from d[3], below 10 * 2^28, so that 5/4 d[4] < 2^32. (For that reason umaal, which
takes two 32-bit addends, has nothing to save here.)

Registers: d[0] r4:r5, d[1] r6:r7, d[2] r8:r9, d[3] r12:r0, low word first; h0 to h4
r1 r3 r2 r14 r0; coefficients where there is room; r2 next block.
Stack, from sp+4: r[0] to r[3], s[1] to s[3], next block; from sp+44: h4, pointer to h,
end.`

// Stack offsets of the 32-bit kernel.
const (
	stackR    = 4  // r[0] to r[3]
	stackS    = 16 // s[i] at stackS + 4i, so s[1] is at 20
	stackNext = 32
	stackTop  = 44 // h[4]
	stackPtr  = 48
	stackEnd  = 52
)

func blocks32() string {
	low := [4]string{"r4", "r6", "r8", "r12"}
	high := [4]string{"r5", "r7", "r9", "r0"}
	var p program
	p.line("str r0, [sp, #%d]", stackPtr)
	p.line("add r3, r2, r3, lsl #4")
	p.line("str r3, [sp, #%d]", stackEnd)
	p.text(coefficients32("r1", [4]string{"r4", "r5", "r6", "r7"}))
	for i, r := range low {
		p.line("%s", gnuas.Half("ldr", r, "r0", i))
	}
	p.line("%s", gnuas.Half("ldr", "r0", "r0", 4))
	var body program
	body.text(block32(low, high))
	body.line("ldr r3, [sp, #%d]", stackEnd)
	body.line("cmp r2, r3")
	p.line("loop:")
	p.text(schedule.Body(gnuas.ARM, schedule.CortexA7Multiplier, body.String(), true))
	p.line("bne loop")
	p.text(storeH32(low))
	return p.String()
}

// coefficients32 returns the text that reads r and puts r[i] and s[i] on the
// stack.
func coefficients32(r string, scratch [4]string) string {
	var p program
	for i, t := range scratch {
		p.line("%s", gnuas.Half("ldr", t, r, i))
		p.line("str %s, [sp, #%d]", t, stackR+4*i)
		if i > 0 {
			p.line("add %s, %s, %s, lsr #2", t, t, t)
			p.line("str %s, [sp, #%d]", t, stackS+4*i)
		}
	}
	return p.String()
}

// storeH32 returns the text that folds and stores h.
func storeH32(low [4]string) string {
	var p program
	p.text(fold32(low))
	p.line("ldr r1, [sp, #%d]", stackPtr)
	for i, r := range low {
		p.line("%s", gnuas.Half("str", r, "r1", i))
	}
	p.line("mov r3, #0")
	p.line("%s", gnuas.Half("str", "r0", "r1", 4))
	p.line("%s", gnuas.Half("str", "r3", "r1", 5))
	return p.String()
}

// block32 returns the text for one block at r2. On entry and at the end h is in
// the registers low and r0, and r2 is the next block. What is above bit 130 comes back,
// as four times and once, after the block has been added, which need not wait for it.
//
// Columns 0 and 1 come first, while the registers of the others hold coefficients, and
// their carry is added while columns 2 and 3 are multiplied. Products go into the two
// columns by turns: each waits for the one before it in its column.
func block32(low, high [4]string) string {
	h := [5]string{"r1", "r3", "r2", "r14", "r0"}
	var p program
	message := [4]string{high[0], high[1], high[2], "r14"}
	for i, m := range message {
		p.line("%s", gnuas.LoadBytes(fmt.Sprintf("ldr %s, [r2, #%d]", m, 4*i), m))
	}
	p.line("add r2, r2, #16")
	p.line("str r2, [sp, #%d]", stackNext)
	p.line("adds %s, %s, %s", h[0], low[0], message[0])
	for i := 1; i < 4; i++ {
		p.line("adcs %s, %s, %s", h[i], low[i], message[i])
	}
	above := low[0] // what is above bit 130, times 5
	p.line("bic %s, r0, #3", above)
	p.line("add %s, %s, r0, lsr #2", above, above)
	p.line("and r0, r0, #3")
	p.line("adc r0, r0, #1")
	p.line("adds %s, %s, %s", h[0], h[0], above)
	for i := 1; i < 4; i++ {
		p.line("adcs %s, %s, #0", h[i], h[i])
	}
	p.line("adc r0, r0, #0")
	p.line("str r0, [sp, #%d]", stackTop)
	coefficient := func(register string, at int) { p.line("ldr %s, [sp, #%d]", register, at) }
	started := [4]bool{}
	multiply := func(j int, limb, coefficient string) {
		op := "umlal"
		if !started[j] {
			op, started[j] = "umull", true
		}
		p.line("%s %s, %s, %s, %s", op, low[j], high[j], limb, coefficient)
	}
	carry := func(j int) {
		p.line("adds %s, %s, %s", low[j], low[j], high[j-1])
		p.line("adc %s, %s, #0", high[j], high[j])
	}
	c := [3]string{low[2], high[2], low[3]}
	coefficient(c[0], stackR)
	coefficient(c[1], stackR+4)
	coefficient(c[2], stackS+12)
	multiply(0, h[0], c[0])
	multiply(1, h[0], c[1])
	coefficient(c[1], stackS+8)
	multiply(0, h[1], c[2])
	multiply(1, h[1], c[0])
	coefficient(c[0], stackS+4)
	multiply(0, h[2], c[1])
	multiply(1, h[2], c[2])
	multiply(0, h[3], c[0])
	multiply(1, h[3], c[1])
	multiply(1, h[4], c[0])
	carry(1)

	c = [3]string{high[0], h[0], h[2]} // as soon as these are not needed any more
	coefficient(c[0], stackR+8)
	multiply(2, h[0], c[0])
	multiply(3, h[1], c[0])
	coefficient(c[0], stackR+12)
	multiply(3, h[0], c[0])
	coefficient(c[1], stackR+4)
	multiply(2, h[1], c[1])
	multiply(3, h[2], c[1])
	carry(2)
	p.line("ldr %s, [sp, #%d]", h[1], stackTop)
	coefficient(c[0], stackR)
	multiply(2, h[2], c[0])
	multiply(3, h[3], c[0])
	coefficient(c[1], stackS+12)
	multiply(2, h[3], c[1])
	multiply(3, h[1], c[1])
	p.line("mul r14, %s, %s", c[0], h[1])
	coefficient(c[2], stackS+8)
	multiply(2, h[1], c[2])
	p.line("ldr r2, [sp, #%d]", stackNext)
	carry(3)
	p.line("add r0, r14, r0")
	return p.String()
}

// fold32 returns the text that brings what is above bit 130 back: r0, the top
// limb, becomes r0 & 3, and 5 * (r0 >> 2), as four times and once, is added at
// the bottom.
func fold32(low [4]string) string {
	var p program
	p.line("bic r1, r0, #3")
	p.line("add r1, r1, r0, lsr #2")
	p.line("and r0, r0, #3")
	p.line("adds %s, %s, r1", low[0], low[0])
	for i := 1; i < 4; i++ {
		p.line("adcs %s, %s, #0", low[i], low[i])
	}
	p.line("adc r0, r0, #0")
	return p.String()
}

func scalarARM() *gnuas.File {
	return &gnuas.File{
		Arch: gnuas.ARM,
		Doc:  strings.Trim(scalarARMDoc, "\n"),
		Funcs: []gnuas.Func{{
			Name: "blocks32",
			Doc:  "func blocks32(h *[3]uint64, r *[2]uint64, msg *byte, n int)",
			Args: []gnuas.Arg{
				{Name: "h", Offset: 0, Reg: "r0"}, {Name: "r", Offset: 4, Reg: "r1"},
				{Name: "msg", Offset: 8, Reg: "r2"}, {Name: "n", Offset: 12, Reg: "r3"},
			},
			ArgSize: 16,
			Frame:   52,
			Text:    blocks32(),
		}},
	}
}
