// Package mulx emits the steps of Poly1305 in base 2^64 with MULX, one chain.
//
// Registers:
//
//	R8  t0, R9  t1, R10 t2            accumulator, not reduced
//	R11 r0, R12 r1                    multiplier
//	R13 q = 5*r1/4                    r1 is a multiple of 4 by the clamping
//	DX  factor of MULX
//	AX  E0, CX E1, BX E2              sum of the products, by weight
//	BP, R14, R15                      products
package mulx

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// LoadMultiplier makes the multiples of r that the products need.
func LoadMultiplier(c *build.Context, frame Mem) {
	c.LEAQ(Mem{Base: R11, Index: R11, Scale: 4}, RAX)
	c.LEAQ(Mem{Base: R12, Index: R12, Scale: 4}, R13)
	c.MOVQ(RAX, frame)
	c.MOVQ(R13, frame.Offset(8))
	c.SHRQ(Imm(2), R13)
}

// EarlyProducts multiplies t0 and t1. It leaves E0 in AX, E2 in BX, and E1 as
// the sum of CX, which has room for one more high word, and R8.
func EarlyProducts(c *build.Context) {
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

// LateProducts adds the products of t2 and moves the sum to t.
func LateProducts(c *build.Context, frame Mem) {
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

// Reduce reduces t to h: (t0, t1, t2 mod 4) + 5*(t2 div 4).
func Reduce(c *build.Context) { ReduceWords(c, R8, R9, R10) }

// ReduceWords reduces three words in place. It uses AX and DX.
func ReduceWords(c *build.Context, w0, w1, w2 GPPhysical) {
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
