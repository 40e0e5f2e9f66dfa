package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/emit"
)

const scalarHeader = `
Poly1305 in base 2^64, one chain.

State, 56 bytes:    0 h0 | 8 h1 | 16 h2 | 24 r0 | 32 r1 | 40 s0 | 48 s1
Frame, 16 bytes:    0 5*r0 | 8 5*r1

Registers:
  SI  next byte of the message      DI  end of the message
  R8  t0, R9  t1, R10 t2            accumulator, not reduced
  R11 r0, R12 r1                    multiplier
  R13 q = 5*r1/4                    r1 is a multiple of 4 by the clamping
  DX  factor of MULX
  AX  E0, CX E1, BX E2              sum of the products, by weight
  BP, R14, R15                      products

The accumulator is never reduced in the loop. Instead t2 is split into its two
low bits u and the rest c, and 2^130*c = 5*c is multiplied by r beside t0 and t1.
Thus the chain from t2 to t2 has one shift, one product and four additions; the
products of t0 and t1, which are known earlier, are not in it:

  E0 = lo(t0*r0) + lo(t1*q)                          + m0 + lo(c*5*r0)
  E1 = hi(t0*r0) + hi(t1*q) + lo(t0*r1) + lo(t1*r0)  + m1 + hi(c*5*r0) + lo(c*5*r1) + u*q
  E2 =                        hi(t0*r1) + hi(t1*r0)  + 1                + hi(c*5*r1) + u*r0

m is the block after the one whose product this is.

Bounds: r0, r1 < 2^60 and q < 5/4 * 2^60. On entry h < 2^131, so with the first
block t2 <= 9. In the loop t2 < T = 8 * 2^60: c < 2^61, c*5*r < 5 * 2^121, and
its high word is below 5/8 * 2^60; u*r0 <= 3 * 2^60; so E2 < (1 + 1 + 5/8 + 3) *
2^60 + 5 < T. hi(t0*r0) + hi(t1*q) and hi(c*5*r0) + u*q < 5 * 2^60 do not
overflow, so these sums need no carry. At the end (t0, t1, u) + 5*c is below
4 * 2^128 < 2^131.
`

// mulxAbsorb emits the kernel with one chain.
func mulxAbsorb(c *build.Context) {
	emit.Text(c, "mulxAbsorb", "func(state *MACState, powers *Powers, msg []byte)")
	frame := c.AllocLocal(16)
	c.Load(c.Param("state"), RDI)
	c.MOVQ(Mem{Base: RDI}, R8)
	c.MOVQ(Mem{Base: RDI, Disp: 8}, R9)
	c.MOVQ(Mem{Base: RDI, Disp: 16}, R10)
	c.MOVQ(Mem{Base: RDI, Disp: 24}, R11)
	c.MOVQ(Mem{Base: RDI, Disp: 32}, R12)
	c.Load(c.Param("msg").Base(), RSI)
	c.Load(c.Param("msg").Len(), RDI)
	loadMultiplier64(c, frame)
	c.ADDQ(RSI, RDI)
	c.ADDQ(Mem{Base: RSI}, R8)
	c.ADCQ(Mem{Base: RSI, Disp: 8}, R9)
	c.ADCQ(Imm(1), R10)
	c.ADDQ(Imm(16), RSI)
	c.CMPQ(RSI, RDI)
	c.JE(LabelRef("last"))

	c.Label("loop")
	earlyProducts(c)
	c.ADDQ(Mem{Base: RSI}, RAX)
	c.ADCQ(Mem{Base: RSI, Disp: 8}, R8)
	c.ADCQ(Imm(1), RBX)
	lateProducts(c, frame)
	c.ADDQ(Imm(16), RSI)
	c.CMPQ(RSI, RDI)
	c.JNE(LabelRef("loop"))

	c.Label("last")
	earlyProducts(c)
	lateProducts(c, frame)
	reduce64(c)
	c.Load(c.Param("state"), RDI)
	c.MOVQ(R8, Mem{Base: RDI})
	c.MOVQ(R9, Mem{Base: RDI, Disp: 8})
	c.MOVQ(R10, Mem{Base: RDI, Disp: 16})
	c.RET()
}

// loadMultiplier64 makes the multiples of r that the products need.
func loadMultiplier64(c *build.Context, frame Mem) {
	c.LEAQ(Mem{Base: R11, Index: R11, Scale: 4}, RAX)
	c.LEAQ(Mem{Base: R12, Index: R12, Scale: 4}, R13)
	c.MOVQ(RAX, frame)
	c.MOVQ(R13, frame.Offset(8))
	c.SHRQ(Imm(2), R13)
}

// earlyProducts multiplies t0 and t1. It leaves E0 in AX, E2 in BX, and E1 as
// the sum of CX, which has room for one more high word, and R8.
func earlyProducts(c *build.Context) {
	c.MOVQ(R8, RDX)
	c.MULXQ(R11, RAX, RCX)
	c.MULXQ(R12, R8, RBX)
	c.MOVQ(R9, RDX)
	c.MULXQ(R13, RBP, R14)
	c.MULXQ(R11, R9, R15)
	c.ADDQ(RBP, RAX)
	c.ADCQ(R14, RCX)
	c.ADDQ(R9, R8)
	c.ADCQ(R15, RBX)
}

// lateProducts adds the products of t2 and moves the sum to t.
func lateProducts(c *build.Context, frame Mem) {
	c.MOVQ(R10, RDX)
	c.SHRQ(Imm(2), RDX)
	c.ANDL(Imm(3), R10L)
	c.MOVQ(R10, R15)
	c.ADDQ(R8, RCX)
	c.ADCQ(Imm(0), RBX)
	c.MULXQ(frame, RBP, R14)
	c.MULXQ(frame.Offset(8), R8, R9)
	c.IMULQ(R13, R15)
	c.IMULQ(R11, R10)
	c.ADDQ(R15, R14)
	c.ADDQ(RBP, RAX)
	c.ADCQ(R8, RCX)
	c.ADCQ(R9, RBX)
	c.ADDQ(R14, RCX)
	c.ADCQ(RBX, R10)
	c.MOVQ(RAX, R8)
	c.MOVQ(RCX, R9)
}

// reduce64 reduces t to h: (t0, t1, t2 mod 4) + 5*(t2 div 4).
func reduce64(c *build.Context) { reduceInto(c, R8, R9, R10) }

// reduceInto reduces three words in place. It uses AX and DX.
func reduceInto(c *build.Context, w0, w1, w2 GPPhysical) {
	c.MOVQ(w2, RDX)
	c.MOVQ(w2, RAX)
	c.ANDQ(Imm(3), w2)
	c.ANDQ(I8(-4), RDX)
	c.SHRQ(Imm(2), RAX)
	c.ADDQ(RDX, RAX)
	c.ADDQ(RAX, w0)
	c.ADCQ(Imm(0), w1)
	c.ADCQ(Imm(0), w2)
}
