package main

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

// chain64 names the registers of one Poly1305 chain in base 2^64.
type chain64 struct {
	h   [3]string // accumulator, the current block already added
	d   [3]string // product
	t   [3]string // scratch
	ptr string    // next block
}

// multiplier64 names the registers of the clamped multiplier.
type multiplier64 struct {
	r   [2]string
	s   string // r[1] * 5/4
	one string // the constant 1
}

// multiply64 returns the text of h = h * r mod 2^130-5, only partly reduced.
// If next is set, the block at ptr is loaded and added on the way, so that the
// addition is not part of the chain from product to product.
//
// r[0], r[1] < 2^60, r[1] is a multiple of 4 and h < 2^131 + 2^129, a block
// included, so h[2] <= 9. With s = 5/4 r[1], 2^128 r[1] = s modulo the prime, and the columns are
//
//	d0 = lo(h0 r0) + lo(h1 s)
//	d1 = hi(h0 r0) + hi(h1 s) + h2 s + lo(h0 r1) + lo(h1 r0)
//	d2 = hi(h0 r1) + hi(h1 r0) + h2 r0
//
// The first three terms of d1 are below 2^60 + 5/4 2^60 + 45/4 2^60 < 2^64 and
// all of d2 is below 11 * 2^60 plus carries, so h2 s and h2 r0 can be
// multiply-added without a carry.
//
// The part of d from bit 130 on, c = d2 >> 2, is folded back as 5c = (d2 &^ 3)
// + (d2 >> 2) < 2^64: h < 2^130 + 2^64, or with the next block added before
// folding, whose top is 2^128 and which therefore counts in d2, the same.
func (c *chain64) multiply64(m *multiplier64, next bool) string {
	h, d, t := c.h, c.d, c.t
	var p program
	p.line("mul %s, %s, %s", d[0], h[0], m.r[0])
	p.line("umulh %s, %s, %s", d[1], h[0], m.r[0])
	p.line("mul %s, %s, %s", t[0], h[1], m.s)
	p.line("umulh %s, %s, %s", t[1], h[1], m.s)
	p.line("umulh %s, %s, %s", d[2], h[0], m.r[1])
	p.line("madd %s, %s, %s, %s", t[1], h[2], m.s, t[1])
	p.line("madd %s, %s, %s, %s", d[2], h[2], m.r[0], d[2])
	p.line("adds %s, %s, %s", d[0], d[0], t[0])
	p.line("adc %s, %s, %s", d[1], d[1], t[1])
	if next {
		p.text(c.addBlock(m, d))
	}
	p.line("umulh %s, %s, %s", t[1], h[1], m.r[0])
	p.line("mul %s, %s, %s", t[2], h[0], m.r[1])
	p.line("mul %s, %s, %s", t[0], h[1], m.r[0])
	p.line("adds %s, %s, %s", d[1], d[1], t[2])
	p.line("adc %s, %s, %s", d[2], d[2], t[1])
	p.line("adds %s, %s, %s", d[1], d[1], t[0])
	p.line("adc %s, %s, xzr", d[2], d[2])
	p.line("and %s, %s, #-4", t[2], d[2])
	p.line("lsr %s, %s, #2", t[1], d[2])
	p.line("and %s, %s, #3", h[2], d[2])
	p.line("add %s, %s, %s", t[2], t[2], t[1])
	p.line("adds %s, %s, %s", h[0], d[0], t[2])
	p.line("adcs %s, %s, xzr", h[1], d[1])
	p.line("adc %s, %s, xzr", h[2], h[2])
	return p.String()
}

// addBlock returns the text that adds the block at ptr and 2^128 to a.
func (c *chain64) addBlock(m *multiplier64, a [3]string) string {
	var p program
	p.line("%s", gnuas.LoadBytes(fmt.Sprintf("ldp %s, %s, [%s], #16", c.t[0], c.t[1], c.ptr), c.t[0], c.t[1]))
	p.line("adds %s, %s, %s", a[0], a[0], c.t[0])
	p.line("adcs %s, %s, %s", a[1], a[1], c.t[1])
	p.line("adc %s, %s, %s", a[2], a[2], m.one)
	return p.String()
}

func (c *chain64) load(state string, at int) string {
	var p program
	p.line("ldp %s, %s, [%s, #%d]", c.h[0], c.h[1], state, at)
	p.line("ldr %s, [%s, #%d]", c.h[2], state, at+16)
	return p.String()
}

func (c *chain64) store(state string, at int) string {
	var p program
	p.line("stp %s, %s, [%s, #%d]", c.h[0], c.h[1], state, at)
	p.line("str %s, [%s, #%d]", c.h[2], state, at+16)
	return p.String()
}

func (m *multiplier64) load(r string) string {
	var p program
	p.line("ldp %s, %s, [%s]", m.r[0], m.r[1], r) // r may be m.r[0]
	p.line("mov %s, #1", m.one)
	p.line("add %s, %s, %s, lsr #2", m.s, m.r[1], m.r[1])
	return p.String()
}

// chains64 returns the text of one or more independent chains of the same
// number of blocks, one or more, over the same multiplier.
func chains64(chains []*chain64, m *multiplier64, state, r, count string) string {
	var head, body, last, tail program
	for i, c := range chains {
		head.text(c.load(state, 24*i))
		body.text(c.multiply64(m, true))
		last.text(c.multiply64(m, false))
		tail.text(c.store(state, 24*i))
	}
	head.text(m.load(r))
	for _, c := range chains {
		head.text(c.addBlock(m, c.h))
	}
	body.line("sub %s, %s, #1", count, count)
	arrange := func(text string, loop bool) string {
		return schedule.Body(gnuas.ARM64, schedule.CortexA53, text, loop)
	}
	var p program
	p.text(head.String())
	p.line("sub %s, %s, #1", count, count)
	p.line("cbz %s, last", count)
	p.line("loop:")
	p.text(arrange(body.String(), true))
	p.line("cbnz %s, loop", count)
	p.line("last:")
	p.text(arrange(last.String(), false))
	p.text(tail.String())
	return p.String()
}

const scalarARM64Doc = `
Poly1305 in base 2^64 (RFC 8439 section 2.5): ten 64-bit products a block,
h = (h + block + 2^128) * r mod 2^130-5.

Registers: x0 state, x1 r, x2 x3 next block of each chain, x4 blocks to go,
x5 x6 r, x7 r[1]*5/4, x8 the constant 1;
	chain 0  h x9 x10 x11    product x12 x13 x14   scratch x15 x16 x17
	chain 1  h x19 x20 x21   product x22 x23 x24   scratch x25 x26 x1

The loop multiplies, and adds the next block to the product before the part
above 2^130 is folded back; the last block has no next one and is apart.

Bounds: r < 2^124 with r[1] a multiple of 4; h < 2^131 on entry. After folding
h < 2^130 + 2^64, next block and 2^128 included.`

func scalarARM64() *gnuas.File {
	m := &multiplier64{r: [2]string{"x5", "x6"}, s: "x7", one: "x8"}
	first := &chain64{
		h:   [3]string{"x9", "x10", "x11"},
		d:   [3]string{"x12", "x13", "x14"},
		t:   [3]string{"x15", "x16", "x17"},
		ptr: "x2",
	}
	second := &chain64{
		h:   [3]string{"x19", "x20", "x21"},
		d:   [3]string{"x22", "x23", "x24"},
		t:   [3]string{"x25", "x26", "x1"},
		ptr: "x3",
	}
	return &gnuas.File{
		Arch: gnuas.ARM64,
		Doc:  strings.Trim(scalarARM64Doc, "\n"),
		Funcs: []gnuas.Func{
			{
				Name: "blocks64",
				Doc:  "func blocks64(h *[3]uint64, r *[2]uint64, msg *byte, n int)",
				Args: []gnuas.Arg{
					{Name: "h", Offset: 0, Reg: "x0"}, {Name: "r", Offset: 8, Reg: "x1"},
					{Name: "msg", Offset: 16, Reg: "x2"}, {Name: "n", Offset: 24, Reg: "x4"},
				},
				ArgSize: 32,
				Text:    chains64([]*chain64{first}, m, "x0", "x1", "x4"),
			},
			{
				Name: "blocks64x2",
				Doc:  "func blocks64x2(h *[2][3]uint64, r *[2]uint64, msg0, msg1 *byte, n int)",
				Args: []gnuas.Arg{
					{Name: "h", Offset: 0, Reg: "x0"}, {Name: "r", Offset: 8, Reg: "x1"},
					{Name: "msg0", Offset: 16, Reg: "x2"}, {Name: "msg1", Offset: 24, Reg: "x3"},
					{Name: "n", Offset: 32, Reg: "x4"},
				},
				ArgSize: 40,
				Text:    chains64([]*chain64{first, second}, m, "x0", "x1", "x4"),
			},
		},
	}
}
