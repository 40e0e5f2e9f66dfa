package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/mulx"
)

const avx2Header = `
Poly1305 in base 2^26 with VPMULUDQ, four blocks to a vector, and beside that in base
2^64 with MULX. The powers of r are made in each call, so that there is no Setup.

In vectors a number is five limbs of 26 bits, one to a register; a register has four
lanes, one to a block. VPUNPCK gives the blocks of 64 bytes this order:

  lane     0  1  2  3
  block    0  2  1  3
  power    4  2  3  1      the power of r it is multiplied with last

Of twelve blocks in a row the general registers take the first four, by themselves, and
what they make of them is added to the fifth as a state would be. The other eight are a
batch of two groups M1 M2, which costs one reduction:

  h = ((((m0*r) + m1)*r + m2)*r + m3)*r        H = H*r^12 + (M1 + h)*r^4 + M2

h of the next batch is made beside a batch. What comes before the first batch leaves
twelve blocks for each: up to four blocks, which the general registers absorb into the
state, one group, to whose first block the state is added, and possibly a second group,
H = H*r^4 + M1. Or else the first group has only one to three blocks; the missing ones
are lanes of zero in front, without the bit above the block. Fewer than 16 blocks are
absorbed by general registers.

The code is kept short: no copy of the loop for the last batch, loops for the powers.
For messages of 1 KiB kernel and stream kernel together must leave room in the cache of
decoded instructions, or it is these that take the time.

Registers:
  Y0-Y4         sums of products D0 .. D4
  Y5-Y9         accumulator H
  Y10 Y11       low and high words of four blocks
  Y12           a limb of them          Y13 Y14   products
  Y15 2^26-1
  R8-R15 AX BX CX DX BP        as in Poly1305 in base 2^64, one chain
  SI  next byte    DI  64-byte aligned part of the frame

The frame, in words:
  0 b0 b1 b2 b3 b4 s1 s2 s3 s4 of r^4 in all lanes, four words each
 36 the same of r^12    72 of r^4 .. r^1, by lane    108 the words of these, three vectors
120 5*r0 | 121 5*r1    122 limbs of h, five    127 1 if there is a second group
128 batches left    129 passes left of a loop, or the lanes of the powers to come
130 blocks that the first group lacks, times 32    131 not 0 behind the first groups
132 address of the blocks of the next h    144, 148, 152 the words of r^12
  with s = 5*b, because 2^130 = 5 mod 2^130-5

Powers: r^2, r^3, r^4 by one chain; r^6 and r^12 by squaring r^3.

Work of twelve blocks: 50 products and 22 shifts and shuffles on two ports each, 82
additions and logic, in vectors; 32 products on one port and 132 other instructions in
general registers. Cycles on Zen 5: 23 by latency of the vectors, where a product takes
3 and the others 2; 39 by their ports, of which there are four, 32 by that of the
products in general registers; 42 by instructions, of which it takes eight a cycle; 45
measured, as for eight blocks in vectors alone.

Bounds: b < 2^26 + 2^4, s < 5 * (2^26 + 2^4). M < 2^26; H < 2^26 + 2^12 after a
reduction, and limbs of a block with the state or h added are below 2^28. These are in
H before the first batch, and in M1. So D < 21 * (2^28 + 2^28) * (2^26 + 2^4) + 2^26 <
2^61, at the end four lanes of D < 4 * 21 * 2^54.1 < 2^61. Carries, in two chains side
by side:

  D0 -> D1 -> D2 -> D3 -> D4        carries below 2^35.1, the last below 2^10
  D3 -> D4 -> D0 -> D1              5 times the second below 2^37.5, the last below 2^12

Those of the general registers are those of one chain. In the loop before the first
group a block is added before the product, so t2 grows by 2 at most: still below
8 * 2^60.
`

var (
	avx2D     = [5]VecPhysical{Y0, Y1, Y2, Y3, Y4}
	avx2H     = [5]VecPhysical{Y5, Y6, Y7, Y8, Y9}
	avx2Lanes = [4]int{4, 2, 3, 1}
)

// avx2Scalars is how many of the twelve blocks of a batch the general registers take.
const avx2Scalars = 4

// Places in the frame, in words.
const (
	avx2R4        = 0                   // r^4 in all lanes: coefficients as in Powers
	avx2R12       = 36                  // r^12 in all lanes
	avx2ByLane    = 72                  // r^4 .. r^1, by lane
	avx2Words     = 108                 // the words of these, 4 vectors
	avx2Multiples = 120                 // 5*r0, 5*r1
	avx2Limbs     = 122                 // of the sum of the general registers, five
	avx2Second    = 127                 // 1 if there is a second group before the batches
	avx2Left      = 128                 // batches left
	avx2Count     = 129                 // passes left of a loop, or the lanes of the powers to come
	avx2Missing   = 130                 // 32 times the blocks that are missing in it
	avx2Led       = 131                 // not 0 behind the first groups
	avx2Following = 132                 // address of the blocks that the general registers take next
	avx2Words12   = avx2Words + avx2R12 // the words of r^12, where those of r^4 are to it
	avx2Frame     = avx2Words12 + 9
)

// inFrame is the memory of a word of the frame.
func inFrame(word int) Mem { return Mem{Base: RDI, Disp: 8 * word} }

// avx2Absorb emits the kernel.
func avx2Absorb(c *build.Context) {
	c.Function("base26Absorb")
	c.SignatureExpr("func(state *MACState, powers *Powers, msg []byte)")
	frame := c.AllocLocal(8*avx2Frame + 64)
	c.LEAQ(frame.Offset(63), RDI)
	c.ANDQ(I8(-64), RDI)
	c.Load(c.Param("state"), RBX)
	for i, r := range []GPPhysical{R8, R9, R10, R11, R12} {
		c.MOVQ(Mem{Base: RBX, Disp: 8 * i}, r)
	}
	mulx.LoadMultiplier(c, inFrame(avx2Multiples))
	avx2Divide(c)
	c.TESTQ(RCX, RCX)
	c.JZ(LabelRef("led"))
	avx2Lead(c)
	c.CMPQ(inFrame(avx2Left), Imm(0))
	c.JE(LabelRef("store"))
	storeLimbs(c)
	c.CMPQ(inFrame(avx2Led), Imm(0))
	c.JNE(LabelRef("loop"))
	c.VMOVDQU(constant26(0), Y15)
	avx2Powers(c)
	avx2First(c)
	c.CMPQ(inFrame(avx2Second), Imm(0))
	c.JE(LabelRef("batches"))
	avx2SecondGroup(c)
	c.Label("batches")
	c.Comment("the first four blocks of the first batch, as those before the first group")
	c.XORL(R8L, R8L)
	c.XORL(R9L, R9L)
	c.XORL(R10L, R10L)
	c.MOVL(U32(avx2Scalars), ECX)
	c.MOVQ(RCX, inFrame(avx2Led))
	c.JMP(LabelRef("lead"))
	c.Label("loop")
	avx2Next(c)
	interleave(c,
		record(func(c *build.Context) { avx2Batch(c) }),
		record(func(c *build.Context) { avx2Chain(c) }))
	c.ADDQ(U32(128+16*avx2Scalars), RSI)
	c.DECQ(inFrame(avx2Left))
	c.JNZ(LabelRef("loop"))
	avx2Last(c, inFrame(avx2ByLane))
	c.VZEROUPPER()
	c.Label("store")
	c.Load(c.Param("state"), RDI)
	storeState(c)
	c.RET()
}

// avx2Divide divides the message: CX blocks that come before the first group, the
// blocks that this lacks, a second group if need be, and batches.
func avx2Divide(c *build.Context) {
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
	c.MOVQ(RAX, inFrame(avx2Left))
	c.MOVQ(RBX, inFrame(avx2Second))
	c.MOVQ(RBP, inFrame(avx2Missing))
	c.MOVQ(U32(0), inFrame(avx2Led))
}

// avx2Lead adds CX blocks to the accumulator in the general registers and reduces it.
func avx2Lead(c *build.Context) {
	c.Label("lead")
	c.MOVQ(RCX, inFrame(avx2Count))
	c.Label("block")
	c.ADDQ(Mem{Base: RSI}, R8)
	c.ADCQ(Mem{Base: RSI, Disp: 8}, R9)
	c.ADCQ(Imm(1), R10)
	c.ADDQ(Imm(16), RSI)
	mulx.EarlyProducts(c)
	mulx.LateProducts(c, inFrame(avx2Multiples))
	c.DECQ(inFrame(avx2Count))
	c.JNZ(LabelRef("block"))
	c.Label("led")
	mulx.Reduce(c)
}

// avx2Powers makes the powers. It keeps SI and DI, and leaves the multiplier in its
// registers.
func avx2Powers(c *build.Context) {
	words := []GPPhysical{R14, R15, RBX}
	c.Comment("r, and then r^2, r^3, r^4 by one chain")
	c.MOVQ(R11, R8)
	c.MOVQ(R12, R9)
	c.XORL(R10L, R10L)
	c.MOVQ(R8, inFrame(avx2Words+lane26(1)))
	c.MOVQ(R9, inFrame(avx2Words+4+lane26(1)))
	c.MOVQ(R10, inFrame(avx2Words+8+lane26(1)))
	c.MOVQ(U32(8*(lane26(2)|lane26(3)<<8|lane26(4)<<16)|1<<24), inFrame(avx2Count))
	c.Label("power")
	mulx.EarlyProducts(c)
	mulx.LateProducts(c, inFrame(avx2Multiples))
	c.MOVQ(R8, R14)
	c.MOVQ(R9, R15)
	c.MOVQ(R10, RBX)
	mulx.ReduceWords(c, R14, R15, RBX)
	c.MOVBQZX(inFrame(avx2Count), RBP)
	for i, w := range words {
		place := inFrame(avx2Words + 4*i)
		place.Index, place.Scale = RBP, 1
		c.MOVQ(w, place)
	}
	c.SHRQ(Imm(8), inFrame(avx2Count))
	c.CMPQ(inFrame(avx2Count), Imm(1))
	c.JNE(LabelRef("power"))
	c.Comment("r^6 and r^12")
	for i, w := range []GPPhysical{R8, R9, R10} {
		c.MOVQ(inFrame(avx2Words+4*i+lane26(3)), w)
	}
	c.MOVQ(U32(2), inFrame(avx2Count))
	c.Label("square")
	square64(c)
	c.DECQ(inFrame(avx2Count))
	c.JNZ(LabelRef("square"))
	for i, w := range []GPPhysical{R8, R9, R10} {
		c.MOVQ(w, inFrame(avx2Words12+4*i+lane26(4)))
	}
	c.Comment("coefficients: by lane, of r^12, and of r^4")
	for i, y := range []VecPhysical{Y10, Y11, Y12} {
		c.VMOVDQU(inFrame(avx2Words+4*i), y)
	}
	c.LEAQ(inFrame(avx2ByLane), RBX)
	c.Label("split")
	avx2Split(c, Mem{Base: RBX})
	c.CMPQ(RBX, RDI)
	c.JE(LabelRef("raised"))
	c.SUBQ(U32(8*(avx2R12-avx2R4)), RBX)
	for i, y := range []VecPhysical{Y10, Y11, Y12} {
		c.VPBROADCASTQ(Mem{Base: RBX, Disp: 8 * (avx2Words + 4*i + lane26(4))}, y)
	}
	c.JMP(LabelRef("split"))
	c.Label("raised")
	c.Load(c.Param("state"), RBX)
	c.MOVQ(Mem{Base: RBX, Disp: 24}, R11)
	c.MOVQ(Mem{Base: RBX, Disp: 32}, R12)
	c.LEAQ(Mem{Base: R12, Index: R12, Scale: 4}, R13)
	c.SHRQ(Imm(2), R13)
}

// avx2Split stores the limbs of the words in Y10, Y11, Y12 as coefficients, the first
// of which is at the given place. It works with Y13 and Y14.
func avx2Split(c *build.Context, first Mem) {
	store := func(i int, y VecPhysical) {
		c.VMOVDQA(y, first.Offset(32*i))
		if i > 0 {
			c.VPSLLQ(Imm(2), y, Y14)
			c.VPADDQ(y, Y14, Y14)
			c.VMOVDQA(Y14, first.Offset(32*(4+i)))
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

// avx2First reads the first group and adds the limbs in the frame to its first block.
func avx2First(c *build.Context) {
	c.MOVQ(inFrame(avx2Missing), R8)
	avx2FirstGroup(c)
	for i, h := range avx2H {
		c.VPBROADCASTQ(inFrame(avx2Limbs+i), Y13)
		c.VPAND(Y12, Y13, Y13)
		c.VPADDQ(Y13, h, h)
	}
}

// avx2FirstGroup reads a group into the accumulator, of which some blocks are missing,
// 32 times as many as R8 says. SI moves on. Y12 is all ones in the lane of the first
// block, and zero in the others.
func avx2FirstGroup(c *build.Context) {
	c.Comment("the last two blocks of four in Y14, the first two in Y13")
	c.VPXOR(X13, X13, X13)
	c.VPXOR(X14, X14, X14)
	c.CMPQ(R8, Imm(64))
	c.JE(LabelRef("two"))
	c.JA(LabelRef("one"))
	c.TESTQ(R8, R8)
	c.JNZ(LabelRef("three"))
	c.VMOVDQU(Mem{Base: RSI}, Y13)
	c.VMOVDQU(Mem{Base: RSI, Disp: 32}, Y14)
	c.ADDQ(Imm(64), RSI)
	c.JMP(LabelRef("read"))
	c.Label("three")
	c.VINSERTI128(Imm(1), Mem{Base: RSI}, Y13, Y13)
	c.VMOVDQU(Mem{Base: RSI, Disp: 16}, Y14)
	c.ADDQ(Imm(48), RSI)
	c.JMP(LabelRef("read"))
	c.Label("two")
	c.VMOVDQU(Mem{Base: RSI}, Y14)
	c.ADDQ(Imm(32), RSI)
	c.JMP(LabelRef("read"))
	c.Label("one")
	c.VINSERTI128(Imm(1), Mem{Base: RSI}, Y14, Y14)
	c.ADDQ(Imm(16), RSI)
	c.Label("read")
	c.VPUNPCKLQDQ(Y14, Y13, Y10)
	c.VPUNPCKHQDQ(Y14, Y13, Y11)
	for i := range avx2H {
		avx2Limb(c, i, avx2H[i])
	}
	c.LEAQ(constant26(2), RAX)
	c.VPOR(Mem{Base: RAX, Index: R8, Scale: 1}, avx2H[4], avx2H[4])
	c.VMOVDQU(Mem{Base: RAX, Index: R8, Scale: 1, Disp: 128}, Y12)
}

// avx2SecondGroup absorbs a group.
func avx2SecondGroup(c *build.Context) {
	avx2Group(c, 0)
	avx2Reduce(c, avx2R4)
	c.ADDQ(Imm(64), RSI)
}

// avx2Batch absorbs two groups, with the limbs in the frame added to the first block.
func avx2Batch(c *build.Context) {
	avx2Group(c, 1)
	avx2Load(c, 0)
	for i := range avx2D {
		avx2Limb(c, i, Y12)
		if i == 4 {
			c.VPOR(constant26(1), Y12, Y12)
		}
		c.VMOVQ(inFrame(avx2Limbs+i), X13)
		c.VPADDQ(Y13, Y12, Y12)
		avx2Products(c, i, Y12, inFrame(avx2R4))
	}
	avx2Reduce(c, avx2R12)
}

// avx2Group makes a group the sums.
func avx2Group(c *build.Context, group int) {
	avx2Load(c, group)
	for i, d := range avx2D {
		avx2Limb(c, i, d)
	}
	c.VPOR(constant26(1), avx2D[4], avx2D[4])
}

// avx2Reduce adds the accumulator times a power to the sums and reduces them.
func avx2Reduce(c *build.Context, power int) {
	for _, i := range []int{2, 0, 1, 3, 4} {
		avx2Products(c, i, avx2H[i], inFrame(power))
	}
	avx2Carry(c)
}

// avx2Next finds the first four blocks of the next batch, for avx2Chain. Behind the last
// batch there is none: those of this batch take their place, and what comes of them is
// not used. A copy of the loop without them would only be more code to hold in caches.
func avx2Next(c *build.Context) {
	c.LEAQ(Mem{Base: RSI, Disp: 128}, RBP)
	c.CMPQ(inFrame(avx2Left), Imm(1))
	c.CMOVQEQ(RSI, RBP)
	c.MOVQ(RBP, inFrame(avx2Following))
}

// avx2Chain absorbs four blocks into an accumulator of zero, and stores its limbs.
func avx2Chain(c *build.Context) {
	c.MOVQ(Mem{Base: RBP}, R8)
	c.MOVQ(Mem{Base: RBP, Disp: 8}, R9)
	c.MOVL(U32(1), R10L)
	for i := 1; i <= avx2Scalars; i++ {
		mulx.EarlyProducts(c)
		if i < avx2Scalars {
			c.MOVQ(inFrame(avx2Following), RBP)
			c.ADDQ(Mem{Base: RBP, Disp: 16 * i}, RAX)
			c.ADCQ(Mem{Base: RBP, Disp: 16*i + 8}, R8)
			c.ADCQ(Imm(1), RBX)
		}
		mulx.LateProducts(c, inFrame(avx2Multiples))
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
	c.MOVQ(RAX, inFrame(avx2Limbs))
	c.MOVQ(R8, RBX)
	c.SHRQ(Imm(26), RBX)
	c.ANDL(mask, EBX)
	c.MOVQ(RBX, inFrame(avx2Limbs+1))
	c.SHRQ(Imm(52), R8)
	c.MOVQ(R9, RAX)
	c.SHLQ(Imm(12), RAX)
	c.ORQ(R8, RAX)
	c.ANDL(mask, EAX)
	c.MOVQ(RAX, inFrame(avx2Limbs+2))
	c.MOVQ(R9, RBX)
	c.SHRQ(Imm(14), RBX)
	c.ANDL(mask, EBX)
	c.MOVQ(RBX, inFrame(avx2Limbs+3))
	c.SHRQ(Imm(40), R9)
	c.SHLQ(Imm(24), R10)
	c.ORQ(R10, R9)
	c.MOVQ(R9, inFrame(avx2Limbs+4))
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

// avx2Constants emits vectors of four words: 0 the mask of a limb, 1 the bit
// above a block, 2 to 5 that bit in the lanes that 0 to 3 missing blocks leave,
// 6 to 9 all bits in the first of these lanes.
func avx2Constants(c *build.Context) {
	c.StaticGlobal("base26")
	c.DataAttributes(24) // NOPTR | RODATA
	vector := func(i int, word func(block int) uint64) {
		for lane, power := range avx2Lanes {
			c.AddDatum(32*i+8*lane, U64(word(4-power)))
		}
	}
	vector(0, func(int) uint64 { return 1<<26 - 1 })
	vector(1, func(int) uint64 { return 1 << 24 })
	for missing := range 4 {
		vector(2+missing, func(block int) uint64 {
			if block >= missing {
				return 1 << 24
			}
			return 0
		})
	}
	for missing := range 4 {
		vector(6+missing, func(block int) uint64 {
			if block == missing {
				return ^uint64(0)
			}
			return 0
		})
	}
}

// constant26 is vector i of the constants.
func constant26(i int) Mem {
	return NewDataAddr(Symbol{Name: "base26", Static: true}, 32*i)
}

// avx2Load reads a group and keeps its words.
func avx2Load(c *build.Context, group int) {
	c.VMOVDQU(Mem{Base: RSI, Disp: 64 * group}, Y12)
	c.VMOVDQU(Mem{Base: RSI, Disp: 64*group + 32}, Y13)
	c.VPUNPCKLQDQ(Y13, Y12, Y10)
	c.VPUNPCKHQDQ(Y13, Y12, Y11)
}

// avx2Limb takes limb i out of the words, without the bit above the block.
func avx2Limb(c *build.Context, i int, limb VecPhysical) {
	switch i {
	case 0:
		c.VPAND(Y15, Y10, limb)
	case 1:
		c.VPSRLQ(Imm(26), Y10, limb)
		c.VPAND(Y15, limb, limb)
	case 2:
		c.VPSRLQ(Imm(52), Y10, Y10)
		c.VPSLLQ(Imm(12), Y11, limb)
		c.VPOR(Y10, limb, limb)
		c.VPAND(Y15, limb, limb)
	case 3:
		c.VPSRLQ(Imm(14), Y11, limb)
		c.VPAND(Y15, limb, limb)
	case 4:
		c.VPSRLQ(Imm(40), Y11, limb)
	}
}

// avx2Products adds to the sums the products of limb i with a power, whose first
// coefficient is at the given place.
func avx2Products(c *build.Context, i int, limb VecPhysical, power Mem) {
	for n := range 5 {
		j := (n + i) % 5
		coefficient := j - i
		if j < i {
			coefficient += 9
		}
		t := []VecPhysical{Y13, Y14}[n%2]
		c.VPMULUDQ(power.Offset(32*coefficient), limb, t)
		c.VPADDQ(t, avx2D[j], avx2D[j])
	}
}

// avx2Carry reduces the sums to the accumulator.
func avx2Carry(c *build.Context) {
	carry := func(from, to int, t VecPhysical) {
		c.VPSRLQ(Imm(26), avx2D[from], t)
		c.VPAND(Y15, avx2D[from], avx2D[from])
		c.VPADDQ(t, avx2D[to], avx2D[to])
		if from == 4 {
			c.VPSLLQ(Imm(2), t, t)
			c.VPADDQ(t, avx2D[to], avx2D[to])
		}
	}
	carry(3, 4, Y13)
	carry(0, 1, Y14)
	carry(4, 0, Y13)
	carry(1, 2, Y14)
	carry(0, 1, Y13)
	carry(2, 3, Y14)
	carry(3, 4, Y13)
	for i, d := range avx2D {
		c.VMOVDQA(d, avx2H[i])
	}
}

// avx2Last multiplies each lane with its power, the first coefficient of which is at
// the given place, and adds up the lanes. The sum, reduced, is then in R8, R9, R10.
func avx2Last(c *build.Context, lanes Mem) {
	for _, d := range avx2D {
		c.VPXOR(d, d, d)
	}
	for i, limb := range avx2H {
		avx2Products(c, i, limb, lanes)
	}
	c.Comment("add up the lanes")
	for _, pair := range [][2]VecPhysical{{Y0, Y1}, {Y2, Y3}, {Y4, Y4}} {
		c.VPUNPCKLQDQ(pair[1], pair[0], Y13)
		c.VPUNPCKHQDQ(pair[1], pair[0], Y14)
		c.VPADDQ(Y14, Y13, pair[0])
	}
	c.VEXTRACTI128(Imm(1), Y0, X13)
	c.VEXTRACTI128(Imm(1), Y2, X14)
	c.VEXTRACTI128(Imm(1), Y4, X12)
	c.VPADDQ(X13, X0, X0)
	c.VPADDQ(X14, X2, X2)
	c.VPADDQ(X12, X4, X4)
	c.VMOVQ(X0, R8)
	c.VPEXTRQ(Imm(1), X0, R11)
	c.VMOVQ(X2, R12)
	c.VPEXTRQ(Imm(1), X2, R13)
	c.VMOVQ(X4, R15)
	c.Comment("from limbs R8, R11, R12, R13, R15 to words R8, R9, R10")
	c.MOVQ(R11, RAX)
	c.SHLQ(Imm(26), RAX)
	c.SHRQ(Imm(38), R11)
	c.MOVQ(R12, R9)
	c.SHLQ(Imm(52), R12)
	c.SHRQ(Imm(12), R9)
	c.ADDQ(RAX, R8)
	c.ADCQ(R11, R9)
	c.MOVQ(R13, R10)
	c.SHLQ(Imm(14), R13)
	c.SHRQ(Imm(50), R10)
	c.ADDQ(R12, R8)
	c.ADCQ(R13, R9)
	c.ADCQ(Imm(0), R10)
	c.MOVQ(R15, RAX)
	c.SHLQ(Imm(40), RAX)
	c.SHRQ(Imm(24), R15)
	c.ADDQ(RAX, R9)
	c.ADCQ(R15, R10)
	mulx.Reduce(c)
}

// lane26 is the lane of the power.
func lane26(power int) int {
	for lane, p := range avx2Lanes {
		if p == power {
			return lane
		}
	}
	panic("no such power")
}

// storeState stores the words R8, R9, R10 as accumulator of the state at DI.
func storeState(c *build.Context) {
	c.MOVQ(R8, Mem{Base: RDI})
	c.MOVQ(R9, Mem{Base: RDI, Disp: 8})
	c.MOVQ(R10, Mem{Base: RDI, Disp: 16})
}
