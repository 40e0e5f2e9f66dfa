package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/emit"
	"github.com/quarterround/quarterround/tools/amd64gen/mulq"
	"github.com/quarterround/quarterround/tools/amd64gen/mulx"
)

const scalarHeader = `
Poly1305 in base 2^64, one chain, with MULX and with MULQ.

State, 56 bytes:    0 h0 | 8 h1 | 16 h2 | 24 r0 | 32 r1 | 40 s0 | 48 s1
Frame, 16 bytes:    0 5*r0 | 8 5*r1                 of mulxAbsorb

Registers of mulxAbsorb:
  SI  next byte of the message      DI  end of the message
  R8  t0, R9  t1, R10 t2            accumulator, not reduced
  R11 r0, R12 r1                    multiplier
  R13 q = 5*r1/4                    r1 is a multiple of 4 by the clamping
  DX  factor of MULX
  AX  E0, CX E1, BX E2              sum of the products, by weight
  BP, R14, R15                      products

Registers of mulqAbsorb:
  SI  next byte of the message      R9  blocks left
  R14 t0, R15 t1, BX t2             accumulator, not reduced
  R11 r0, R12 r1                    multiplier
  R13 q = 5*r1/4
  BP  E0, CX and R14 E1, R10 E2     sum of the products, by weight
  AX, DX, DI, R15                   products

The accumulator is never reduced in the loop. Instead t2 is split into its two
low bits u and the rest c, and 2^130*c = 5*c is multiplied by r beside t0 and t1.
Thus the chain from t2 to t2 has one shift, one product and four additions; the
products of t0 and t1, which are known earlier, are not in it:

  E0 = lo(t0*r0) + lo(t1*q)                          + m0 + lo(c*5*r0)
  E1 = hi(t0*r0) + hi(t1*q) + lo(t0*r1) + lo(t1*r0)  + m1 + hi(c*5*r0) + lo(c*5*r1) + u*q
  E2 =                        hi(t0*r1) + hi(t1*r0)  + 1                + hi(c*5*r1) + u*r0

m is the block after the one whose product this is. mulqAbsorb multiplies 5*c by r,
which needs neither 5*r nor a place for it.

A second chain over r^2 was not made: r^2 is not clamped, so it has a third limb
and no q, and takes nine products and eighteen additions with carry a block. That
is as long as this chain.

Work of a block: 8 products on one port, 26 other instructions. Cycles on Zen 5: 10
by latency, where a product takes 4; 8 by the port of the products; 10.8 measured.
With MULQ, which has its operand and its product in certain registers, 35 others; 11
by latency, for the product by five; 11.1 measured.

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
	mulx.LoadMultiplier(c, frame)
	c.ADDQ(RSI, RDI)
	c.ADDQ(Mem{Base: RSI}, R8)
	c.ADCQ(Mem{Base: RSI, Disp: 8}, R9)
	c.ADCQ(Imm(1), R10)
	c.ADDQ(Imm(16), RSI)
	c.CMPQ(RSI, RDI)
	c.JE(LabelRef("last"))

	c.Label("loop")
	mulx.EarlyProducts(c)
	c.ADDQ(Mem{Base: RSI}, RAX)
	c.ADCQ(Mem{Base: RSI, Disp: 8}, R8)
	c.ADCQ(Imm(1), RBX)
	mulx.LateProducts(c, frame)
	c.ADDQ(Imm(16), RSI)
	c.CMPQ(RSI, RDI)
	c.JNE(LabelRef("loop"))

	c.Label("last")
	mulx.EarlyProducts(c)
	mulx.LateProducts(c, frame)
	mulx.Reduce(c)
	c.Load(c.Param("state"), RDI)
	c.MOVQ(R8, Mem{Base: RDI})
	c.MOVQ(R9, Mem{Base: RDI, Disp: 8})
	c.MOVQ(R10, Mem{Base: RDI, Disp: 16})
	c.RET()
}

// mulqAbsorb emits the kernel for CPUs without MULX.
func mulqAbsorb(c *build.Context) {
	emit.Text(c, "mulqAbsorb", "func(state *MACState, powers *Powers, msg []byte)")
	c.AllocLocal(8)
	c.Load(c.Param("state"), RDI)
	mulq.Load(c, RDI)
	c.Load(c.Param("msg").Base(), RSI)
	c.Load(c.Param("msg").Len(), R9)
	c.SHRQ(Imm(4), R9)
	mulq.Absorb(c)
	c.Load(c.Param("state"), RDI)
	mulq.Store(c, RDI)
	c.RET()
}
