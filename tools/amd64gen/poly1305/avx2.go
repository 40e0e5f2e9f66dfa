package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/emit"
	"github.com/quarterround/quarterround/tools/amd64gen/mulx"
)

const avx2Header = `
Poly1305 in base 2^26 with VPMULUDQ, four blocks to a vector.

A number is five limbs of 26 bits, one to a register; a register has four lanes,
one to a block. VPUNPCK gives the blocks of 64 bytes this order:

  lane     0  1  2  3
  block    0  2  1  3
  power    4  2  3  1      the power of r it is multiplied with last

Powers, in vectors of four words:
    0 b0 b1 b2 b3 b4 s1 s2 s3 s4 of r^4 .. r^1, by lane
    9 the same of r^4, in all lanes     18 of r^8
  with s = 5*b, because 2^130 = 5 mod 2^130-5
Words 108 to 112 hold r^4 in base 2^44 while Setup runs.

Registers:
  Y0-Y4         sums of products D0 .. D4
  Y5-Y9         accumulator
  Y10 Y11       low and high words of four blocks
  Y12           a limb of them          Y13 Y14   products
  Y15 2^26-1
  SI  next byte    CX  groups left    DX  Powers    DI  state

A batch of two groups M1 M2 costs one reduction, a single group as well:

  H = H*r^8 + M1*r^4 + M2        H = H*r^4 + M1

The first group may be short: its missing blocks are lanes of zero in front,
without the bit above the block. The state is added to its first real block.

Work of a batch of two groups: 50 products and 22 shifts and shuffles on two ports
each, 77 additions and logic; 54 operands in memory. Cycles on Zen 5: 23 by latency,
where a product takes 3 and the others 2; 37 by ports, of which there are four; 44.5
measured.

Bounds: b < 2^26 + 2^4, s < 5 * (2^26 + 2^4). M < 2^26; H < 2^26 + 2^12 after a
reduction and H < 2^28 before the first. So D < 21 * (2^28 + 2^26) * (2^26 + 2^4)
+ 2^26 < 2^61, at the end four lanes of D < 4 * 21 * 2^54.1 < 2^61. Carries, in
two chains side by side:

  D0 -> D1 -> D2 -> D3 -> D4        carries below 2^35.1, the last below 2^10
  D3 -> D4 -> D0 -> D1              5 times the second below 2^37.5, the last below 2^12
`

var (
	avx2D     = [5]VecPhysical{Y0, Y1, Y2, Y3, Y4}
	avx2H     = [5]VecPhysical{Y5, Y6, Y7, Y8, Y9}
	avx2Lanes = [4]int{4, 2, 3, 1}
)

// Places in Powers, in words.
const (
	avx2LaneWord = 0
	avx2R4Word   = 36
	avx2R8Word   = 72
	avx2TempWord = 108
)

// vector26 is the place of coefficient i, b0 .. b4 s1 .. s4, at a word of the
// Powers.
func vector26(powers Register, word, i int) Mem {
	return Mem{Base: powers, Disp: 8 * (word + 4*i)}
}

// avx2Absorb emits the kernel.
func avx2Absorb(c *build.Context) {
	emit.Text(c, "base26Absorb", "func(state *MACState, powers *Powers, msg []byte)")
	c.Load(c.Param("state"), RDI)
	c.Load(c.Param("powers"), RDX)
	c.Load(c.Param("msg").Base(), RSI)
	c.Load(c.Param("msg").Len(), RCX)
	c.VMOVDQU(constant26(0), Y15)
	avx2First(c)
	c.TESTQ(U32(1), RCX)
	c.JZ(LabelRef("even"))
	avx2Batch(c, avx2R4Word)
	c.DECQ(RCX)
	c.Label("even")
	c.TESTQ(RCX, RCX)
	c.JZ(LabelRef("last"))
	c.Label("batches")
	avx2Batch(c, avx2R4Word, avx2R8Word)
	c.SUBQ(Imm(2), RCX)
	c.JNZ(LabelRef("batches"))
	c.Label("last")
	avx2Last(c, vector26(RDX, avx2LaneWord, 0))
	storeState(c)
	c.VZEROUPPER()
	c.RET()
}

// storeState stores the words R8, R9, R10 as accumulator of the state at DI.
func storeState(c *build.Context) {
	c.MOVQ(R8, Mem{Base: RDI})
	c.MOVQ(R9, Mem{Base: RDI, Disp: 8})
	c.MOVQ(R10, Mem{Base: RDI, Disp: 16})
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

// avx2First reads 1 to 4 blocks, such that whole groups are left, adds the
// state and leaves the sum in the accumulator. SI moves on; CX, the length in
// bytes, becomes the number of groups left.
func avx2First(c *build.Context) {
	c.Comment("R8: 32 times the missing blocks")
	c.MOVQ(RCX, R8)
	c.NEGQ(R8)
	c.ANDQ(Imm(48), R8)
	c.ADDQ(R8, R8)
	c.SUBQ(Imm(1), RCX)
	c.SHRQ(Imm(6), RCX)
	avx2FirstGroup(c)
	c.Comment("state in limbs")
	limbs26(c, func(c *build.Context, i int, limb GPPhysical) {
		c.VMOVQ(limb, X13)
		c.VPBROADCASTQ(X13, Y13)
		c.VPAND(Y12, Y13, Y13)
		c.VPADDQ(Y13, avx2H[i], avx2H[i])
	}, func(c *build.Context) {
		c.MOVQ(Mem{Base: RDI}, R9)
		c.MOVQ(Mem{Base: RDI, Disp: 8}, R10)
		c.MOVQ(Mem{Base: RDI, Disp: 16}, R11)
	})
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

// limbs26 loads three words to R9, R10, R11 and hands their limbs of 26 bits,
// the top one with what is left, to use. It works with AX, BX and R12.
func limbs26(c *build.Context, use func(*build.Context, int, GPPhysical), load func(*build.Context)) {
	load(c)
	mask := uint32(1<<26 - 1)
	c.MOVL(R9L, EAX)
	c.ANDL(U32(mask), EAX)
	use(c, 0, RAX)
	c.MOVQ(R9, RBX)
	c.SHRQ(Imm(26), RBX)
	c.ANDL(U32(mask), EBX)
	use(c, 1, RBX)
	c.SHRQ(Imm(52), R9)
	c.MOVQ(R10, RAX)
	c.SHLQ(Imm(12), RAX)
	c.ORQ(R9, RAX)
	c.ANDL(U32(mask), EAX)
	use(c, 2, RAX)
	c.MOVQ(R10, RBX)
	c.SHRQ(Imm(14), RBX)
	c.ANDL(U32(mask), EBX)
	use(c, 3, RBX)
	c.SHRQ(Imm(40), R10)
	c.SHLQ(Imm(24), R11)
	c.ORQ(R11, R10)
	use(c, 4, R10)
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

// avx2Batch absorbs as many groups as there are powers given by their words,
// that of the last group's neighbour first.
func avx2Batch(c *build.Context, words ...int) {
	k := len(words)
	avx2Load(c, k-1)
	for i, d := range avx2D {
		avx2Limb(c, i, d)
	}
	c.VPOR(constant26(1), avx2D[4], avx2D[4])
	for group := range k - 1 {
		avx2Load(c, group)
		for i := range 5 {
			avx2Limb(c, i, Y12)
			if i == 4 {
				c.VPOR(constant26(1), Y12, Y12)
			}
			avx2Products(c, i, Y12, vector26(RDX, words[k-2-group], 0))
		}
	}
	for _, i := range []int{2, 0, 1, 3, 4} {
		avx2Products(c, i, avx2H[i], vector26(RDX, words[k-1], 0))
	}
	c.ADDQ(Imm(uint64(64*k)), RSI)
	avx2Carry(c)
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

// avx2Setup emits Setup.
func avx2Setup(c *build.Context) {
	emit.Text(c, "base26Setup", "func(powers *Powers, r *[2]uint64)")
	frame := c.AllocLocal(32)
	c.Load(c.Param("powers"), RSI)
	c.Load(c.Param("r"), RDI)
	c.MOVQ(Mem{Base: RDI}, R11)
	c.MOVQ(Mem{Base: RDI, Disp: 8}, R12)
	mulx.LoadMultiplier(c, frame)
	c.MOVQ(R11, R8)
	c.MOVQ(R12, R9)
	c.XORL(R10L, R10L)
	for power := 1; power <= 4; power++ {
		if power > 1 {
			mulx.EarlyProducts(c)
			mulx.LateProducts(c, frame)
		}
		c.Comment(fmt.Sprintf("r^%d", power))
		c.MOVQ(R8, R14)
		c.MOVQ(R9, R15)
		c.MOVQ(R10, RBX)
		mulx.ReduceWords(c, R14, R15, RBX)
		storeLane26(c, lane26(power))
	}
	c.Comment("r^4 in all lanes")
	for i := range 9 {
		c.VPBROADCASTQ(Mem{Base: RSI, Disp: 8 * (avx2LaneWord + 4*i + lane26(4))}, Y0)
		c.VMOVDQU(Y0, vector26(RSI, avx2R4Word, i))
	}
	c.Comment("r^8")
	limbs44(c, R14, R15, RBX, RAX)
	storeMultiplier(c, avx2TempWord)
	multiply44(c, avx2TempWord, avx2TempWord)
	c.MOVQ(R14, R8)
	c.MOVQ(R15, R9)
	c.MOVQ(RBX, R10)
	words64(c)
	limbs26(c, func(c *build.Context, i int, limb GPPhysical) {
		broadcast26(c, limb, vector26(RSI, avx2R8Word, i))
		if i > 0 {
			c.LEAQ(Mem{Base: limb, Index: limb, Scale: 4}, RCX)
			broadcast26(c, RCX, vector26(RSI, avx2R8Word, 4+i))
		}
	}, func(c *build.Context) {
		c.MOVQ(R10, R11)
		c.MOVQ(R9, R10)
		c.MOVQ(R8, R9)
	})
	c.VZEROUPPER()
	c.RET()
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

// broadcast26 stores a word to four lanes.
func broadcast26(c *build.Context, word GPPhysical, to Mem) {
	c.VMOVQ(word, X0)
	c.VPBROADCASTQ(X0, Y0)
	c.VMOVDQU(Y0, to)
}

// storeLane26 stores the limbs of the words R14, R15, BX, and five times them,
// to a lane. It works with AX, CX and DX.
func storeLane26(c *build.Context, lane int) {
	store := func(i int, limb GPPhysical) {
		c.MOVQ(limb, Mem{Base: RSI, Disp: 8 * (avx2LaneWord + 4*i + lane)})
		if i > 0 {
			c.LEAQ(Mem{Base: limb, Index: limb, Scale: 4}, limb)
			c.MOVQ(limb, Mem{Base: RSI, Disp: 8 * (avx2LaneWord + 4*(4+i) + lane)})
		}
	}
	mask := U32(1<<26 - 1)
	c.MOVL(R14L, EAX)
	c.ANDL(mask, EAX)
	store(0, RAX)
	c.MOVQ(R14, RCX)
	c.SHRQ(Imm(26), RCX)
	c.ANDL(mask, ECX)
	store(1, RCX)
	c.MOVQ(R14, RDX)
	c.SHRQ(Imm(52), RDX)
	c.MOVQ(R15, RAX)
	c.SHLQ(Imm(12), RAX)
	c.ORQ(RDX, RAX)
	c.ANDL(mask, EAX)
	store(2, RAX)
	c.MOVQ(R15, RCX)
	c.SHRQ(Imm(14), RCX)
	c.ANDL(mask, ECX)
	store(3, RCX)
	c.MOVQ(R15, RDX)
	c.SHRQ(Imm(40), RDX)
	c.MOVQ(RBX, RAX)
	c.SHLQ(Imm(24), RAX)
	c.ORQ(RDX, RAX)
	store(4, RAX)
}
