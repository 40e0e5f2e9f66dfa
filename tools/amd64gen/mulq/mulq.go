// Package mulq emits Poly1305 in base 2^64 with MULQ, which every amd64 CPU has: as
// blocks whose instructions can be laid between others (Chain), and as a loop of its
// own (Absorb).
//
// Registers:
//
//	R14, R15, BP    two words of the accumulator and one of the product
//	BX              top word of the accumulator
//	CX, R10         words of the product, by weight
//	R11 r0, R12 r1  multiplier
//	R13 q = 5*r1/4  r1 is a multiple of 4 by the clamping
//	AX, DX          operand and product
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
// registers from block to block, which saves moving them. The accumulator is reduced
// after each block:
//
//	D0 = lo(h0*r0) + lo(h1*q)
//	D1 = hi(h0*r0) + hi(h1*q) + lo(h0*r1) + lo(h1*r0) + h2*q
//	D2 =                        hi(h0*r1) + hi(h1*r0) + h2*r0
//	h  = (D0, D1, D2 mod 4) + 5*(D2 div 4)
type Chain struct {
	c          *build.Context
	h0, h1, d0 GPPhysical
}

// NewChain returns a chain whose accumulator is in R14, R15 and BX.
func NewChain(c *build.Context) *Chain { return &Chain{c, R14, R15, RBP} }

const h2, d1, d2 = 0, 1, 2

var words = [3]GPPhysical{h2: RBX, d1: RCX, d2: R10}

// Load emits the loading of the MAC from the MACState at state.
func Load(c *build.Context, state Register) {
	for i, r := range []GPPhysical{R14, R15, RBX, R11, R12} {
		c.MOVQ(Mem{Base: state, Disp: 8 * i}, r)
	}
	c.MOVQ(R12, R13)
	c.SHRQ(Imm(2), R13)
	c.ADDQ(R12, R13)
}

// Store emits the storing of the accumulator to the MACState at state.
func Store(c *build.Context, state Register) {
	for i, r := range []GPPhysical{R14, R15, RBX} {
		c.MOVQ(r, Mem{Base: state, Disp: 8 * i})
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

// Absorb emits a loop over whole blocks from SI on, as many as R9 says, which is at
// least one. The accumulator is in R14, R15 and BX before and after; SI is then behind
// the message, and R9 and DI are lost. In the loop the accumulator is not reduced, as in
// Poly1305 with MULX: see there for the recurrence and its bounds.
func Absorb(c *build.Context) {
	t0, t1, t2 := GPPhysical(R14), GPPhysical(R15), GPPhysical(RBX)
	add := func(w0, w1, w2 GPPhysical) {
		c.ADDQ(Mem{Base: RSI}, w0)
		c.ADCQ(Mem{Base: RSI, Disp: 8}, w1)
		c.ADCQ(Imm(1), w2)
		c.LEAQ(Mem{Base: RSI, Disp: 16}, RSI)
	}
	add(t0, t1, t2)
	c.DECQ(R9)
	c.JZ(LabelRef("absorbed"))
	c.Label("absorb")
	early(c)
	add(RBP, t0, R10)
	late(c)
	c.DECQ(R9)
	c.JNZ(LabelRef("absorb"))
	c.Label("absorbed")
	early(c)
	late(c)
	c.Comment("reduce: t2 mod 4, and 5 times the rest to t0")
	c.MOVQ(t2, RAX)
	c.MOVQ(t2, RDX)
	c.ANDQ(I8(-4), RAX)
	c.SHRQ(Imm(2), RDX)
	c.ANDL(Imm(3), t2.As32())
	c.ADDQ(RDX, RAX)
	c.ADDQ(RAX, t0)
	c.ADCQ(Imm(0), t1)
	c.ADCQ(Imm(0), t2)
}

// early multiplies t0 and t1. It leaves E0 in BP, E2 in R10, and E1 as the sum of CX,
// which has room for one more high word, and R14.
func early(c *build.Context) {
	c.MOVQ(R14, RAX)
	c.MULQ(R11)
	c.MOVQ(RAX, RBP)
	c.MOVQ(RDX, RCX)
	c.MOVQ(R14, RAX)
	c.MULQ(R12)
	c.MOVQ(RAX, R14)
	c.MOVQ(RDX, R10)
	c.MOVQ(R15, RAX)
	c.MULQ(R13)
	c.ADDQ(RAX, RBP)
	c.ADCQ(RDX, RCX)
	c.MOVQ(R15, RAX)
	c.MULQ(R11)
	c.ADDQ(RAX, R14)
	c.ADCQ(RDX, R10)
}

// late adds the products of t2 and moves the sum to t.
func late(c *build.Context) {
	c.MOVQ(RBX, R15)
	c.SHRQ(Imm(2), R15)
	c.LEAQ(Mem{Base: R15, Index: R15, Scale: 4}, R15)
	c.ANDL(Imm(3), EBX)
	c.ADDQ(R14, RCX)
	c.ADCQ(Imm(0), R10)
	c.MOVQ(R15, RAX)
	c.MULQ(R11)
	c.MOVQ(RAX, R14)
	c.MOVQ(RDX, RDI)
	c.MOVQ(R15, RAX)
	c.MULQ(R12)
	c.MOVQ(RBX, R15)
	c.IMULQ(R13, R15)
	c.IMULQ(R11, RBX)
	c.ADDQ(RBP, R14)
	c.ADCQ(RCX, RAX)
	c.ADCQ(RDX, R10)
	c.ADDQ(RDI, R15)
	c.ADDQ(RAX, R15)
	c.ADCQ(R10, RBX)
}
