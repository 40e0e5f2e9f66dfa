// Package mulq emits Poly1305 in base 2^64 with MULQ, which every amd64 CPU has,
// as lists of instructions, so that they can be laid between others.
//
// Registers:
//
//	R14, R15, BP    h0, h1 and a word of the product, in turn: see Chain
//	BX h2           CX, R10 words of the product, by weight
//	R11 r0, R12 r1  multiplier
//	R13 q = 5*r1/4  r1 is a multiple of 4 by the clamping
//	AX, DX          operand and product
//
// The accumulator is reduced after each block:
//
//	D0 = lo(h0*r0) + lo(h1*q)
//	D1 = hi(h0*r0) + hi(h1*q) + lo(h0*r1) + lo(h1*r0) + h2*q
//	D2 =                        hi(h0*r1) + hi(h1*r0) + h2*r0
//	h  = (D0, D1, D2 mod 4) + 5*(D2 div 4)
//
// Bounds: r0, r1 < 2^60 and q < 5/4 * 2^60. On entry h < 2^131, so with the block
// h2 <= 9. hi(h0*r0) + hi(h1*q) + h2*q < (1 + 5/4 + 9*5/4) * 2^60 does not
// overflow, nor does D2 < (2 + 9) * 2^60 + 2. After a block h2 <= 4.
package mulq

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Period is after how many blocks the registers of a Chain are what they were.
const Period = 3

// What a block takes: instructions, and cycles from one accumulator to the next on
// Zen 5, where a product takes 3, its high word 4, and the others 1.
const (
	Instructions = 34
	Latency      = 16
)

// A Chain emits blocks one after the other. The words of the accumulator change
// registers from block to block, which saves moving them.
type Chain struct {
	c          *build.Context
	h0, h1, d0 GPPhysical
}

// NewChain returns a chain whose accumulator is in R14, R15 and BX.
func NewChain(c *build.Context) *Chain { return &Chain{c, R14, R15, RBP} }

const h2, d1, d2 = 0, 1, 2

var words = [3]GPPhysical{h2: RBX, d1: RCX, d2: R10}

// Load emits the loading of the MAC from the MACState at state.
func (m *Chain) Load(state Register) {
	for i, r := range []GPPhysical{m.h0, m.h1, words[h2], R11, R12} {
		m.c.MOVQ(Mem{Base: state, Disp: 8 * i}, r)
	}
	m.c.MOVQ(R12, R13)
	m.c.SHRQ(Imm(2), R13)
	m.c.ADDQ(R12, R13)
}

// Store emits the storing of the accumulator to the MACState at state.
func (m *Chain) Store(state Register) {
	for i, r := range []GPPhysical{m.h0, m.h1, words[h2]} {
		m.c.MOVQ(r, Mem{Base: state, Disp: 8 * i})
	}
}

// Restore emits what brings the accumulator back to the registers of a new chain.
func (m *Chain) Restore() {
	switch m.h0 {
	case RBP: // h1 is in R14
		m.c.MOVQ(m.h1, R15)
		m.c.MOVQ(m.h0, R14)
	case R15: // h1 is in BP
		m.c.MOVQ(m.h0, R14)
		m.c.MOVQ(m.h1, R15)
	}
	m.h0, m.h1, m.d0 = R14, R15, RBP
}

// Block returns the instructions that absorb the block at msg.
func (m *Chain) Block(msg Mem) []func() {
	c, h0, h1, d0, h2, d1, d2 := m.c, m.h0, m.h1, m.d0, words[h2], words[d1], words[d2]
	m.h0, m.h1, m.d0 = d0, h0, h1
	return []func(){
		func() { c.ADDQ(msg, h0) },
		func() { c.ADCQ(msg.Offset(8), h1) },
		func() { c.ADCQ(Imm(1), h2) },

		func() { c.MOVQ(h0, RAX) },
		func() { c.MULQ(R11) },
		func() { c.MOVQ(RAX, d0) },
		func() { c.MOVQ(RDX, d1) },
		func() { c.MOVQ(h1, RAX) },
		func() { c.MULQ(R13) },
		func() { c.ADDQ(RAX, d0) },
		func() { c.ADCQ(RDX, d1) },
		func() { c.MOVQ(h0, RAX) },
		func() { c.MULQ(R12) },
		func() { c.MOVQ(RAX, h0) },
		func() { c.MOVQ(RDX, d2) },
		func() { c.MOVQ(h1, RAX) },
		func() { c.MULQ(R11) },
		func() { c.ADDQ(RAX, h0) },
		func() { c.ADCQ(RDX, d2) },
		func() { c.MOVQ(h2, h1) },
		func() { c.IMULQ(R13, h1) },
		func() { c.IMULQ(R11, h2) },
		func() { c.ADDQ(h1, d1) },
		func() { c.ADDQ(d1, h0) },
		func() { c.ADCQ(d2, h2) },

		func() { c.MOVQ(h2, RAX) },
		func() { c.MOVQ(h2, RDX) },
		func() { c.ANDQ(I8(-4), RAX) },
		func() { c.SHRQ(Imm(2), RDX) },
		func() { c.ANDL(Imm(3), h2.As32()) },
		func() { c.ADDQ(RAX, RDX) },
		func() { c.ADDQ(RDX, d0) },
		func() { c.ADCQ(Imm(0), h0) },
		func() { c.ADCQ(Imm(0), h2) },
	}
}
