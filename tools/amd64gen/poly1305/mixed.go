package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/mulx"
)

const mixedHeader = `
Poly1305 in base 2^26 with VPMULUDQ, four blocks to a vector, and beside that in base
2^64 with MULX. The powers of r are made in each call, so that there is no Setup.

The vectors multiply as in the kernel with powers, whose registers and order of lanes
these are. Of twelve blocks in a row the general registers take the first four, by
themselves, and what they make of them is added to the fifth as a state would be. So a
batch of eight blocks in vectors M1 M2 multiplies the accumulator by a power higher
by four:

  h = ((((m0*r) + m1)*r + m2)*r + m3)*r        H = H*r^12 + (M1 + h)*r^4 + M2

h of the next batch is made beside a batch. What comes before the first batch leaves
twelve blocks for each: up to four blocks, which the general registers absorb into the
state, one group, to whose first block the state is added, and possibly a second group.
Or else the first group has only one to three blocks; the missing ones are as in the
kernel with powers. Fewer than 16 blocks are absorbed by general registers.

Registers:
  Y0-Y15        as in the kernel with powers
  R8-R15 AX BX CX DX BP        as in Poly1305 in base 2^64, one chain
  SI  next byte                DI  64-byte aligned part of the frame

The frame, in words:
  0 b0 b1 b2 b3 b4 s1 s2 s3 s4 of r^4 in all lanes    36 of r^12    72 of r^4 .. r^1, by lane
108 words of r^4 .. r^1, by lane, three vectors    120 5*r0 | 121 5*r1
122 limbs of h, five    127 second group    128 batches left
129 blocks left before the first group    130 blocks that this lacks, times 32

Powers: r^2, r^3, r^4 by one chain; r^6 and r^12 by squaring r^3.

Work of twelve blocks: 50 products and 22 shifts and shuffles on two ports each, 82
additions and logic, in vectors; 32 products on one port and 126 other instructions in
general registers. Cycles on Zen 5: 39 by the ports of the vectors, 32 by that of the
products; 41 by instructions, of which it takes eight a cycle; 44.5 measured, as for
eight blocks in vectors alone.

Bounds: those of the kernel with powers hold, where a block with the state added, each
limb below 2^28, may be in M1 as well as in H: D < 21 * (2^28 + 2^28) * (2^26 + 2^4) +
2^26 < 2^61. Those of the general registers are those of one chain.
`

// mixedScalars is how many of the twelve blocks of a batch the general registers take.
const mixedScalars = 4

// Places in the frame, in words.
const (
	mixedR4        = 0   // r^4 in all lanes: coefficients as in Powers
	mixedR12       = 36  // r^12 in all lanes
	mixedLanes     = 72  // r^4 .. r^1, by lane
	mixedWords     = 108 // the words of these, 4 vectors
	mixedMultiples = 120 // 5*r0, 5*r1
	mixedLimbs     = 122 // of the sum of the general registers, five
	mixedSecond    = 127 // 1 if there is a second group before the batches
	mixedLeft      = 128 // batches left
	mixedCount     = 129 // blocks left that come before the first group
	mixedMissing   = 130 // 32 times the blocks that are missing in it
	mixedFrame     = 131
)

// inFrame is the memory of a word of the frame.
func inFrame(word int) Mem { return Mem{Base: RDI, Disp: 8 * word} }

// mixedAbsorb emits the kernel.
func mixedAbsorb(c *build.Context) {
	c.Function("mixedAbsorb")
	c.SignatureExpr("func(state *MACState, powers *Powers, msg []byte)")
	frame := c.AllocLocal(8*mixedFrame + 64)
	c.LEAQ(frame.Offset(63), RDI)
	c.ANDQ(I8(-64), RDI)
	c.Load(c.Param("state"), RBX)
	for i, r := range []GPPhysical{R8, R9, R10, R11, R12} {
		c.MOVQ(Mem{Base: RBX, Disp: 8 * i}, r)
	}
	mulx.LoadMultiplier(c, inFrame(mixedMultiples))
	mixedDivide(c)
	mixedLead(c)
	c.CMPQ(inFrame(mixedLeft), Imm(0))
	c.JE(LabelRef("store"))
	storeLimbs(c)
	c.VMOVDQU(constant26(0), Y15)
	mixedPowers(c)
	mixedFirst(c)
	c.CMPQ(inFrame(mixedSecond), Imm(0))
	c.JE(LabelRef("batches"))
	mixedSecondGroup(c)
	c.Label("batches")
	mixedChain(c, 0)
	c.ADDQ(U32(16*mixedScalars), RSI)
	c.DECQ(inFrame(mixedLeft))
	c.JZ(LabelRef("last"))
	c.Label("loop")
	interleave(c,
		record(func(c *build.Context) { mixedBatch(c) }),
		record(func(c *build.Context) { mixedChain(c, 128) }))
	c.ADDQ(U32(128+16*mixedScalars), RSI)
	c.DECQ(inFrame(mixedLeft))
	c.JNZ(LabelRef("loop"))
	c.Label("last")
	mixedBatch(c)
	c.Comment("powers by lane")
	c.VMOVDQU(inFrame(mixedWords), Y10)
	c.VMOVDQU(inFrame(mixedWords+4), Y11)
	c.VMOVDQU(inFrame(mixedWords+8), Y12)
	mixedSplit(c, mixedLanes)
	avx2Last(c, inFrame(mixedLanes))
	c.VZEROUPPER()
	c.Label("store")
	c.Load(c.Param("state"), RDI)
	storeState(c)
	c.RET()
}

// mixedDivide divides the message: CX blocks that come before the first group, the
// blocks that this lacks, a second group if need be, and batches.
func mixedDivide(c *build.Context) {
	c.Load(c.Param("msg").Base(), RSI)
	c.Load(c.Param("msg").Len(), RCX)
	c.SHRQ(Imm(4), RCX)
	c.XORL(EAX, EAX)
	c.XORL(EBX, EBX)
	c.XORL(EBP, EBP)
	c.CMPQ(RCX, Imm(16))
	c.JB(LabelRef("divided"))
	c.SUBQ(Imm(4), RCX)
	c.MOVQ(U64(0x1555555555555556), RDX) // 2^64 / 12
	c.MULXQ(RCX, RBX, RAX)
	c.LEAQ(Mem{Base: RAX, Index: RAX, Scale: 2}, RBX)
	c.SHLQ(Imm(2), RBX)
	c.SUBQ(RBX, RCX)
	c.XORL(EBX, EBX)
	c.CMPQ(RCX, Imm(4))
	c.JB(LabelRef("divided"))
	c.CMPQ(RCX, Imm(8))
	c.JA(LabelRef("lacking"))
	c.INCL(EBX)
	c.SUBQ(Imm(4), RCX)
	c.JMP(LabelRef("divided"))
	c.Label("lacking")
	c.INCQ(RAX)
	c.MOVL(U32(12), EBP)
	c.SUBL(ECX, EBP)
	c.SHLL(Imm(5), EBP)
	c.XORL(ECX, ECX)
	c.Label("divided")
	c.MOVQ(RAX, inFrame(mixedLeft))
	c.MOVQ(RBX, inFrame(mixedSecond))
	c.MOVQ(RBP, inFrame(mixedMissing))
}

// mixedLead adds CX blocks, possibly none, to the accumulator in the general registers
// and reduces it.
func mixedLead(c *build.Context) {
	c.TESTQ(RCX, RCX)
	c.JZ(LabelRef("led"))
	c.MOVQ(RCX, inFrame(mixedCount))
	c.Label("lead")
	c.ADDQ(Mem{Base: RSI}, R8)
	c.ADCQ(Mem{Base: RSI, Disp: 8}, R9)
	c.ADCQ(Imm(1), R10)
	c.ADDQ(Imm(16), RSI)
	mulx.EarlyProducts(c)
	mulx.LateProducts(c, inFrame(mixedMultiples))
	c.DECQ(inFrame(mixedCount))
	c.JNZ(LabelRef("lead"))
	c.Label("led")
	mulx.Reduce(c)
}

// mixedPowers makes the powers, of those by lane only the words. It keeps SI and DI, and
// leaves the multiplier in its registers.
func mixedPowers(c *build.Context) {
	words := []GPPhysical{R14, R15, RBX}
	c.MOVQ(R11, R8)
	c.MOVQ(R12, R9)
	c.XORL(R10L, R10L)
	for power := 1; power <= 4; power++ {
		if power > 1 {
			mulx.EarlyProducts(c)
			mulx.LateProducts(c, inFrame(mixedMultiples))
		}
		c.Comment(fmt.Sprintf("r^%d", power))
		c.MOVQ(R8, R14)
		c.MOVQ(R9, R15)
		c.MOVQ(R10, RBX)
		mulx.ReduceWords(c, R14, R15, RBX)
		for i, w := range words {
			c.MOVQ(w, inFrame(mixedWords+4*i+lane26(power)))
		}
	}
	for i, y := range []VecPhysical{Y10, Y11, Y12} {
		c.VPBROADCASTQ(inFrame(mixedWords+4*i+lane26(4)), y)
	}
	mixedSplit(c, mixedR4)
	for i, w := range []GPPhysical{R8, R9, R10} {
		c.MOVQ(inFrame(mixedWords+4*i+lane26(3)), w)
	}
	for _, power := range []string{"r^6", "r^12"} {
		c.Comment(power)
		square64(c)
	}
	for i, x := range []VecPhysical{X10, X11, X12} {
		c.VMOVQ([]GPPhysical{R8, R9, R10}[i], x)
		c.VPBROADCASTQ(x, x.AsY())
	}
	mixedSplit(c, mixedR12)
	c.Load(c.Param("state"), RBX)
	c.MOVQ(Mem{Base: RBX, Disp: 24}, R11)
	c.MOVQ(Mem{Base: RBX, Disp: 32}, R12)
	c.LEAQ(Mem{Base: R12, Index: R12, Scale: 4}, R13)
	c.SHRQ(Imm(2), R13)
}

// mixedSplit stores the limbs of the words in Y10, Y11, Y12 as coefficients from a word
// of the frame on. It works with Y13 and Y14.
func mixedSplit(c *build.Context, word int) {
	store := func(i int, y VecPhysical) {
		c.VMOVDQA(y, inFrame(word+4*i))
		if i > 0 {
			c.VPSLLQ(Imm(2), y, Y14)
			c.VPADDQ(y, Y14, Y14)
			c.VMOVDQA(Y14, inFrame(word+4*(4+i)))
		}
	}
	for i := range 4 {
		avx2Limb(c, i, Y13)
		store(i, Y13)
	}
	c.VPSRLQ(Imm(40), Y11, Y13)
	c.VPSLLQ(Imm(24), Y12, Y12)
	c.VPOR(Y12, Y13, Y13)
	store(4, Y13)
}

// mixedFirst reads the first group and adds the limbs in the frame to its first block.
func mixedFirst(c *build.Context) {
	c.MOVQ(inFrame(mixedMissing), R8)
	avx2FirstGroup(c)
	for i, h := range avx2H {
		c.VPBROADCASTQ(inFrame(mixedLimbs+i), Y13)
		c.VPAND(Y12, Y13, Y13)
		c.VPADDQ(Y13, h, h)
	}
}

// square64 squares R8, R9, R10, below 2^131, modulo 2^130-5, which leaves it below
// 2^130 + 2^10. It works with AX, BX, CX, DX, BP, R11-R15.
func square64(c *build.Context) {
	c.MOVQ(R8, RDX)
	c.MULXQ(R8, RAX, RBX)
	c.MULXQ(R9, R11, R12)
	c.MOVQ(R9, RDX)
	c.MULXQ(R9, RCX, RBP)
	c.LEAQ(Mem{Base: R10, Index: R10, Scale: 1}, RDX)
	c.MULXQ(R8, R13, R14)
	c.MULXQ(R9, R9, R15)
	c.IMULQ(R10, R10)
	c.Comment("twice x0*x1 and x0*x2, x1*x2 in DX R12 R11")
	c.XORL(EDX, EDX)
	c.ADDQ(R11, R11)
	c.ADCQ(R12, R12)
	c.ADCQ(RDX, RDX)
	c.ADDQ(R13, RCX)
	c.ADCQ(R14, RBP)
	c.ADCQ(Imm(0), R10)
	c.ADDQ(R11, RBX)
	c.ADCQ(R12, RCX)
	c.ADCQ(RDX, RBP)
	c.ADCQ(Imm(0), R10)
	c.ADDQ(R9, RBP)
	c.ADCQ(R15, R10)
	c.Comment("what is above bit 130, four times and once, to R8, R9, R10")
	c.MOVQ(RCX, R8)
	c.ANDQ(I8(-4), R8)
	c.MOVQ(RBP, R9)
	c.MOVQ(R10, RDX)
	c.ANDL(Imm(3), ECX)
	c.MOVQ(R8, R11)
	c.SHRQ(Imm(2), RBP, R11)
	c.MOVQ(R9, R12)
	c.SHRQ(Imm(2), RDX, R12)
	c.ADDQ(RAX, R8)
	c.ADCQ(RBX, R9)
	c.ADCQ(RCX, R10)
	c.SHRQ(Imm(2), RDX)
	c.ADDQ(R11, R8)
	c.ADCQ(R12, R9)
	c.ADCQ(RDX, R10)
	c.MOVQ(R10, RDX)
	c.SHRQ(Imm(2), RDX)
	c.ANDL(Imm(3), R10L)
	c.LEAQ(Mem{Base: RDX, Index: RDX, Scale: 4}, RDX)
	c.ADDQ(RDX, R8)
	c.ADCQ(Imm(0), R9)
	c.ADCQ(Imm(0), R10)
}

// mixedChain absorbs the blocks at an offset into an accumulator of zero, and stores
// its limbs.
func mixedChain(c *build.Context, offset int) {
	c.MOVQ(Mem{Base: RSI, Disp: offset}, R8)
	c.MOVQ(Mem{Base: RSI, Disp: offset + 8}, R9)
	c.MOVL(U32(1), R10L)
	for i := 1; i <= mixedScalars; i++ {
		mulx.EarlyProducts(c)
		if i < mixedScalars {
			c.ADDQ(Mem{Base: RSI, Disp: offset + 16*i}, RAX)
			c.ADCQ(Mem{Base: RSI, Disp: offset + 16*i + 8}, R8)
			c.ADCQ(Imm(1), RBX)
		}
		mulx.LateProducts(c, inFrame(mixedMultiples))
	}
	mulx.Reduce(c)
	storeLimbs(c)
}

// storeLimbs stores the limbs of the words R8, R9, R10 in the frame. It works with AX
// and BX.
func storeLimbs(c *build.Context) {
	mask := U32(1<<26 - 1)
	c.MOVL(R8L, EAX)
	c.ANDL(mask, EAX)
	c.MOVQ(RAX, inFrame(mixedLimbs))
	c.MOVQ(R8, RBX)
	c.SHRQ(Imm(26), RBX)
	c.ANDL(mask, EBX)
	c.MOVQ(RBX, inFrame(mixedLimbs+1))
	c.SHRQ(Imm(52), R8)
	c.MOVQ(R9, RAX)
	c.SHLQ(Imm(12), RAX)
	c.ORQ(R8, RAX)
	c.ANDL(mask, EAX)
	c.MOVQ(RAX, inFrame(mixedLimbs+2))
	c.MOVQ(R9, RBX)
	c.SHRQ(Imm(14), RBX)
	c.ANDL(mask, EBX)
	c.MOVQ(RBX, inFrame(mixedLimbs+3))
	c.SHRQ(Imm(40), R9)
	c.SHLQ(Imm(24), R10)
	c.ORQ(R10, R9)
	c.MOVQ(R9, inFrame(mixedLimbs+4))
}

// mixedSecondGroup absorbs a group.
func mixedSecondGroup(c *build.Context) {
	mixedGroup(c, 0)
	mixedReduce(c, mixedR4)
	c.ADDQ(Imm(64), RSI)
}

// mixedBatch absorbs two groups, with the limbs in the frame added to the first block.
func mixedBatch(c *build.Context) {
	mixedGroup(c, 1)
	avx2Load(c, 0)
	for i := range avx2D {
		avx2Limb(c, i, Y12)
		if i == 4 {
			c.VPOR(constant26(1), Y12, Y12)
		}
		c.VMOVQ(inFrame(mixedLimbs+i), X13)
		c.VPADDQ(Y13, Y12, Y12)
		avx2Products(c, i, Y12, inFrame(mixedR4))
	}
	mixedReduce(c, mixedR12)
}

// mixedGroup makes a group the sums.
func mixedGroup(c *build.Context, group int) {
	avx2Load(c, group)
	for i, d := range avx2D {
		avx2Limb(c, i, d)
	}
	c.VPOR(constant26(1), avx2D[4], avx2D[4])
}

// mixedReduce adds the accumulator times a power to the sums and reduces them.
func mixedReduce(c *build.Context, power int) {
	for _, i := range []int{2, 0, 1, 3, 4} {
		avx2Products(c, i, avx2H[i], inFrame(power))
	}
	avx2Carry(c)
}

// record returns the instructions that emit emits, without labels.
func record(emit func(c *build.Context)) []*ir.Instruction {
	c := build.NewContext()
	c.Function("recorded")
	emit(c)
	f, err := c.Result()
	if err != nil {
		panic(err)
	}
	return f.Functions()[0].Instructions()
}

// interleave emits the instructions of both in proportion.
func interleave(c *build.Context, a, b []*ir.Instruction) {
	done := 0
	for i, in := range a {
		c.Instruction(in)
		for ; done < (i+1)*len(b)/len(a); done++ {
			c.Instruction(b[done])
		}
	}
}
