package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/emit"
	"github.com/quarterround/quarterround/tools/amd64gen/mulx"
)

const ifmaHeader = `
Poly1305 in base 2^44 with VPMADD52, eight blocks to a vector.

A number is three limbs of 44, 44 and 42 bits, one to a register; a register has
eight lanes, one to a block. VPUNPCK gives the blocks of 128 bytes this order:

  lane     0  1  2  3  4  5  6  7
  block    0  4  1  5  2  6  3  7
  power    8  4  7  3  6  2  5  1      the power of r it is multiplied with last

Powers, in words:   0 limb 0 | 8 limb 1 | 16 limb 2 of r^8 .. r^1, by lane
                    24 r^8 | 29 r^16 | 34 r^24 | 39 r^32, as b0 b1 b2 s1 s2
                    with s = 20*b, because 2^132 = 20 mod 2^130-5
Of the last the x8 kernel has one, the x16 kernel two, the x32 kernel four.

Registers:
  Z0  Z1  Z2    sum of the low halves of the products, by limb
  Z3  Z4  Z5    sum of the high halves
  Z6  Z7  Z8    accumulator
  Z9  Z10 Z11   a group of eight blocks in limbs      Z12 Z13   temporaries
  Z14-Z18, Z19-Z23, Z24-Z28   b0 b1 b2 s1 s2 of r^8, r^16, r^24
  Z29 2^44-1    Z30 2^42-1    Z31 2^40, the bit above a block
  SI  next byte    CX  groups left    DX  Powers    DI  state

A batch of k groups M1 .. Mk costs one reduction:

  H = H*r^(8k) + M1*r^(8(k-1)) + ... + Mk

The first group may be short: its missing blocks are lanes of zero in front,
without the bit above the block. The state is added to its first real block.

Work of a batch, and cycles on Zen 5, where products take two of four ports and 4
cycles, the others 2. The latency is that of the code as written, with the sum of a
product as late as its factors; that the x32 kernel is below it says that the
processor takes the sum later.

	groups   products   shuffles   others   latency   ports   measured
	   1        18         13        17        22      12        23
	   2        36         18        20        28      18.5      26.5
	   4        72         28        26        52      36        45.5

Bounds, for k <= 4: limbs of the powers are below 2^44 + 2^15, 2^44 + 2^15 and
2^43, s below 20*(2^44 + 2^15) < 2^49. H and M below 2^45. A low half is below 2^52, a sum of them with
Mk below 12 * 2^52 + 2^44. A high half is below 2^(45+49-52) = 2^42, a sum of
them below 12 * 2^42; times 2^12 + 2^10 it is below 12 * 2^54.4. So D0 < 2^59,
and D1, D2 < 12 * 2^52 + 2^44 + 12 * 2^50 < 2^56. One round of carries, all at
once, leaves H0 < 2^44 + 5 * 2^14, H1 < 2^44 + 2^15, H2 < 2^42 + 2^12: below
2^45. At the end eight lanes of D are added up before any carry: below 2^62.
`

// A vector44 is a register for each of the three limbs.
type vector44 [3]VecPhysical

// An operand44 is a multiplier: b0 b1 b2 s1 s2, in registers or, as words that
// are broadcast, in memory.
type operand44 struct {
	words     [5]Op
	broadcast bool
}

var (
	ifmaLow   = vector44{Z0, Z1, Z2}
	ifmaHigh  = vector44{Z3, Z4, Z5}
	ifmaH     = vector44{Z6, Z7, Z8}
	ifmaM     = vector44{Z9, Z10, Z11}
	ifmaMul   = [3][5]Op{{Z14, Z15, Z16, Z17, Z18}, {Z19, Z20, Z21, Z22, Z23}, {Z24, Z25, Z26, Z27, Z28}}
	ifmaLanes = [8]int{8, 4, 7, 3, 6, 2, 5, 1}
)

// powerWord is the place in Powers of r^(8k) as multiplier.
func powerWord(k int) int { return 24 + 5*(k-1) }

// ifmaAbsorb emits the kernel whose batches are of k groups.
func ifmaAbsorb(c *build.Context, k int) {
	name := fmt.Sprintf("ifmaAbsorbX%d", 8*k)
	emit.Text(c, name, "func(state *MACState, powers *Powers, msg []byte)")
	c.Load(c.Param("state"), RDI)
	c.Load(c.Param("powers"), RDX)
	c.Load(c.Param("msg").Base(), RSI)
	c.Load(c.Param("msg").Len(), RCX)
	c.VPTERNLOGD(Imm(0xff), Z29, Z29, Z29)
	ifmaFirst(c)

	muls := make([]operand44, k+1)
	for i := 1; i <= k; i++ {
		muls[i] = inMemory(RDX, powerWord(i))
		if i <= len(ifmaMul) {
			muls[i] = inRegisters(c, RDX, i)
		}
	}
	c.TESTQ(RCX, RCX)
	c.JZ(LabelRef("last"))

	if k > 1 {
		c.Label("single")
		c.TESTQ(U32(uint32(k-1)), RCX)
		c.JZ(LabelRef("batches"))
		ifmaBatch(c, muls[:2])
		c.DECQ(RCX)
		c.JNZ(LabelRef("single"))
		c.JMP(LabelRef("last"))
	}
	c.Label("batches")
	ifmaBatch(c, muls)
	c.SUBQ(Imm(uint64(k)), RCX)
	c.JNZ(LabelRef("batches"))

	c.Label("last")
	ifmaLast(c)
	c.VZEROUPPER()
	c.RET()
}

// inMemory is the multiplier at a word of Powers.
func inMemory(powers Register, word int) operand44 {
	o := operand44{broadcast: true}
	for i := range o.words {
		o.words[i] = Mem{Base: powers, Disp: 8 * (word + i)}
	}
	return o
}

// inRegisters loads the multiplier r^(8k).
func inRegisters(c *build.Context, powers Register, k int) operand44 {
	o := operand44{words: ifmaMul[k-1]}
	for i, r := range o.words {
		c.VPBROADCASTQ(Mem{Base: powers, Disp: 8 * (powerWord(k) + i)}, r)
	}
	return o
}

// ifmaMasks makes the masks of Z29 with all bits set.
func ifmaMasks(c *build.Context) {
	c.VPSRLQ(Imm(22), Z29, Z30)
	c.VPSRLQ(Imm(63), Z29, Z31)
	c.VPSRLQ(Imm(20), Z29, Z29)
	c.VPSLLQ(Imm(40), Z31, Z31)
}

// ifmaFirst reads 1 to 8 blocks, such that whole groups are left, adds the
// state and leaves the sum in the accumulator. SI moves on; CX, the length in
// bytes, becomes the number of groups left.
func ifmaFirst(c *build.Context) {
	c.Comment("R9: blocks, R8: missing blocks in front, CX: words of them")
	c.MOVQ(RCX, R9)
	c.SHRQ(Imm(4), R9)
	c.MOVQ(R9, R8)
	c.NEGQ(R8)
	c.ANDQ(Imm(7), R8)
	c.LEAQ(Mem{Base: R8, Index: R8, Scale: 1}, RCX)
	c.Comment("K1, K2: the words that are there")
	c.MOVL(U32(0xffff), EAX)
	c.SHRL(CL, EAX)
	c.KMOVW(EAX, K1)
	c.SHRL(Imm(8), EAX)
	c.KMOVW(EAX, K2)
	c.VMOVDQU64_Z(Mem{Base: RSI}, K1, Z12)
	c.VMOVDQU64_Z(Mem{Base: RSI, Disp: 64}, K2, Z13)
	c.Comment("K3: the lanes that are there, K4: the first of them")
	c.VPBROADCASTQ(R8, Z9)
	c.VMOVDQU64(laneOrder(c), Z10)
	c.VPSUBQ(Z9, Z10, Z11)
	c.VPCMPUQ(Imm(5), Z9, Z10, K3)
	c.VPCMPEQQ(Z9, Z10, K4)
	c.Comment("the words of a lane are twice its block, less the missing ones, and the next")
	c.VPADDQ(Z11, Z11, ifmaH[0])
	c.VPSUBQ(Z29, ifmaH[0], ifmaH[2])
	c.VPERMI2Q_Z(Z13, Z12, K3, ifmaH[0])
	c.VPERMI2Q_Z(Z13, Z12, K3, ifmaH[2])
	ifmaMasks(c)
	ifmaSplit(c, ifmaH)
	c.VPORQ(Z31, ifmaH[2], K3, ifmaH[2])
	c.Comment("state in limbs")
	c.MOVQ(Mem{Base: RDI}, R10)
	c.MOVQ(Mem{Base: RDI, Disp: 8}, R11)
	c.MOVQ(Mem{Base: RDI, Disp: 16}, R12)
	limbs44(c, R10, R11, R12, RAX)
	for i, limb := range []Op{R10, R11, R12} {
		c.VPBROADCASTQ(limb, ifmaM[i])
		c.VPADDQ(ifmaM[i], ifmaH[i], K4, ifmaH[i])
	}
	c.Comment("on to the whole groups")
	c.SHLQ(Imm(4), R8)
	c.SUBQ(R8, RSI)
	c.ADDQ(U32(128), RSI)
	c.LEAQ(Mem{Base: R9, Disp: -1}, RCX)
	c.SHRQ(Imm(3), RCX)
}

// limbs44 turns a number of three words into three limbs of 44 bits, the top
// one with what is left. It needs a word to work with.
func limbs44(c *build.Context, w0, w1, w2, t GPPhysical) {
	c.SHLQ(Imm(40), w2)
	c.MOVQ(w1, t)
	c.SHRQ(Imm(24), t)
	c.ORQ(t, w2)
	c.SHLQ(Imm(20), w1)
	c.MOVQ(w0, t)
	c.SHRQ(Imm(44), t)
	c.ORQ(t, w1)
	c.MOVQ(U64(1<<44-1), t)
	c.ANDQ(t, w0)
	c.ANDQ(t, w1)
}

// laneOrder is the block in each lane.
func laneOrder(c *build.Context) Mem {
	return NewDataAddr(Symbol{Name: "laneOrder", Static: true}, 0)
}

// ifmaLaneOrder emits the data behind laneOrder.
func ifmaLaneOrder(c *build.Context) {
	c.StaticGlobal("laneOrder")
	c.DataAttributes(24) // NOPTR | RODATA
	for i, power := range ifmaLanes {
		c.AddDatum(8*i, U64(8-power))
	}
}

// ifmaLoad reads a group and splits it into limbs.
func ifmaLoad(c *build.Context, group int, m vector44) {
	c.VMOVDQU64(Mem{Base: RSI, Disp: 128 * group}, Z12)
	c.VMOVDQU64(Mem{Base: RSI, Disp: 128*group + 64}, Z13)
	c.VPUNPCKLQDQ(Z13, Z12, m[0])
	c.VPUNPCKHQDQ(Z13, Z12, m[2])
	ifmaSplit(c, m)
	c.VPORQ(Z31, m[2], m[2])
}

// ifmaSplit splits blocks, whose low words are in m[0] and whose high words are
// in m[2], into limbs, without the bit above the block.
func ifmaSplit(c *build.Context, m vector44) {
	c.VPSRLQ(Imm(44), m[0], m[1])
	c.VPSLLQ(Imm(20), m[2], Z12)
	c.VPANDQ(Z29, m[0], m[0])
	c.Comment("(a or b) and c")
	c.VPTERNLOGQ(Imm(0xa8), Z29, Z12, m[1])
	c.VPSRLQ(Imm(24), m[2], m[2])
}

// ifmaBatch absorbs len(muls)-1 groups; muls[i] is r^(8i).
func ifmaBatch(c *build.Context, muls []operand44) {
	k := len(muls) - 1
	ifmaLoad(c, k-1, ifmaLow)
	for _, r := range ifmaHigh {
		c.VPXORQ(r, r, r)
	}
	for i := range k - 1 {
		ifmaLoad(c, i, ifmaM)
		ifmaProducts(c, ifmaM, muls[k-1-i])
	}
	ifmaProducts(c, ifmaH, muls[k])
	c.ADDQ(U32(uint32(128*k)), RSI)
	ifmaFold(c)
	ifmaCarry(c)
}

// ifmaProducts adds the nine products of a and b to the sums:
//
//	D0 = a0*b0 + a1*s2 + a2*s1
//	D1 = a0*b1 + a1*b0 + a2*s2
//	D2 = a0*b2 + a1*b1 + a2*b0
//
// a0 comes last because the carries give it last.
func ifmaProducts(c *build.Context, a vector44, b operand44) {
	const b0, b1, b2, s1, s2 = 0, 1, 2, 3, 4
	for _, p := range []struct{ limb, a, b int }{
		{2, 1, b1}, {0, 1, s2}, {1, 1, b0},
		{2, 2, b0}, {0, 2, s1}, {1, 2, s2},
		{2, 0, b2}, {0, 0, b0}, {1, 0, b1},
	} {
		if b.broadcast {
			c.VPMADD52HUQ_BCST(b.words[p.b], a[p.a], ifmaHigh[p.limb])
			c.VPMADD52LUQ_BCST(b.words[p.b], a[p.a], ifmaLow[p.limb])
		} else {
			c.VPMADD52HUQ(b.words[p.b], a[p.a], ifmaHigh[p.limb])
			c.VPMADD52LUQ(b.words[p.b], a[p.a], ifmaLow[p.limb])
		}
	}
}

// ifmaFold adds the high halves to the low ones: 2^52 is 2^8 of the next limb,
// and above the last limb 2^140 = 5 * 2^10.
func ifmaFold(c *build.Context) {
	c.VPSLLQ(Imm(10), ifmaHigh[2], Z12)
	c.VPSLLQ(Imm(12), ifmaHigh[2], Z13)
	c.VPADDQ(Z12, ifmaLow[0], ifmaLow[0])
	c.VPSLLQ(Imm(8), ifmaHigh[0], ifmaHigh[0])
	c.VPSLLQ(Imm(8), ifmaHigh[1], ifmaHigh[1])
	c.VPADDQ(ifmaHigh[0], ifmaLow[1], ifmaLow[1])
	c.VPADDQ(ifmaHigh[1], ifmaLow[2], ifmaLow[2])
	c.VPADDQ(Z13, ifmaLow[0], ifmaLow[0])
}

// ifmaCarry carries once from each limb to the next and leaves the result in
// the accumulator.
func ifmaCarry(c *build.Context) {
	c.VPSRLQ(Imm(42), ifmaLow[2], Z12)
	c.VPSRLQ(Imm(44), ifmaLow[1], ifmaH[2])
	c.VPSRLQ(Imm(44), ifmaLow[0], ifmaH[1])
	c.VPANDQ(Z29, ifmaLow[0], ifmaLow[0])
	c.VPANDQ(Z29, ifmaLow[1], ifmaLow[1])
	c.VPANDQ(Z30, ifmaLow[2], ifmaLow[2])
	c.VPSLLQ(Imm(2), Z12, Z13)
	c.VPADDQ(Z12, ifmaLow[0], ifmaLow[0])
	c.VPADDQ(ifmaLow[1], ifmaH[1], ifmaH[1])
	c.VPADDQ(ifmaLow[2], ifmaH[2], ifmaH[2])
	c.VPADDQ(Z13, ifmaLow[0], ifmaH[0])
}

// ifmaLast multiplies each lane with its power, adds up the lanes and stores
// the sum as state.
func ifmaLast(c *build.Context) {
	b := operand44{words: [5]Op{Z9, Z10, Z11, Z14, Z15}}
	for i := range 3 {
		c.VMOVDQU64(Mem{Base: RDX, Disp: 64 * i}, b.words[i].(VecPhysical))
	}
	for i, r := range []VecPhysical{Z10, Z11} {
		s := b.words[3+i].(VecPhysical)
		c.VPSLLQ(Imm(2), r, Z12)
		c.VPSLLQ(Imm(4), r, s)
		c.VPADDQ(Z12, s, s)
	}
	for i := range 3 {
		c.VPXORQ(ifmaLow[i], ifmaLow[i], ifmaLow[i])
		c.VPXORQ(ifmaHigh[i], ifmaHigh[i], ifmaHigh[i])
	}
	ifmaProducts(c, ifmaH, b)
	ifmaFold(c)
	c.Comment("add up the lanes of Z0, Z1, Z2")
	c.VPUNPCKLQDQ(Z1, Z0, Z3)
	c.VPUNPCKHQDQ(Z1, Z0, Z4)
	c.VPUNPCKHQDQ(Z2, Z2, Z5)
	c.VPADDQ(Z4, Z3, Z0)
	c.VPADDQ(Z5, Z2, Z2)
	c.VEXTRACTI64X4(Imm(1), Z0, Y3)
	c.VEXTRACTI64X4(Imm(1), Z2, Y4)
	c.VPADDQ(Y3, Y0, Y0)
	c.VPADDQ(Y4, Y2, Y2)
	c.VEXTRACTI128(Imm(1), Y0, X3)
	c.VEXTRACTI128(Imm(1), Y2, X4)
	c.VPADDQ(X3, X0, X0)
	c.VPADDQ(X4, X2, X2)
	c.VMOVQ(X0, R8)
	c.VPEXTRQ(Imm(1), X0, R9)
	c.VMOVQ(X2, R10)
	words64(c)
	c.MOVQ(R8, Mem{Base: RDI})
	c.MOVQ(R9, Mem{Base: RDI, Disp: 8})
	c.MOVQ(R10, Mem{Base: RDI, Disp: 16})
}

// words64 turns the limbs R8, R9, R10 of 44 bits and more into words.
func words64(c *build.Context) {
	c.MOVQ(R9, RAX)
	c.SHRQ(Imm(20), R9)
	c.SHLQ(Imm(44), RAX)
	c.MOVQ(R10, RBX)
	c.SHLQ(Imm(24), RBX)
	c.SHRQ(Imm(40), R10)
	c.ADDQ(RAX, R8)
	c.ADCQ(RBX, R9)
	c.ADCQ(Imm(0), R10)
	mulx.Reduce(c)
}

// ifmaSetup emits Setup for the kernel whose batches are of k groups.
func ifmaSetup(c *build.Context, k int) {
	emit.Text(c, fmt.Sprintf("ifmaSetupX%d", 8*k), "func(powers *Powers, r *[2]uint64)")
	frame := c.AllocLocal(16)
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
		limbs44(c, R14, R15, RBX, RAX)
		for i, limb := range []GPPhysical{R14, R15, RBX} {
			c.VMOVQ(limb, setupLimbs[power-1][i])
		}
	}
	ifmaSetupLanes(c)
	c.Comment("r^8")
	c.VMOVQ(X6, R14)
	c.VMOVQ(X7, R15)
	c.VMOVQ(X8, RBX)
	storeMultiplier(c, powerWord(1))
	for i := 2; i <= k; i++ {
		c.Comment(fmt.Sprintf("r^%d", 8*i))
		multiply44(c, powerWord(i/2), powerWord(i-i/2))
		storeMultiplier(c, powerWord(i))
	}
	c.VZEROUPPER()
	c.RET()
}

// setupHalf are the registers of r^4 with two lanes more.
var setupHalf = [3]VecPhysical{Y9, Y10, Y11}

// setupLimbs are the limbs of r .. r^4 in lane 0.
var setupLimbs = [4][3]VecPhysical{{X0, X1, X2}, {X3, X4, X5}, {X6, X7, X8}, {X9, X10, X11}}

// ifmaSetupLanes stores r^8 .. r^1 by lane and leaves them in Z6, Z7, Z8: the
// upper four are the lower four times r^4, whose limbs are in R14, R15, BX.
func ifmaSetupLanes(c *build.Context) {
	c.Comment("Z9, Z10, Z11: r^4 r^4 r^3 r^3 r^2 r^2 r r")
	c.VPTERNLOGD(Imm(0xff), Z29, Z29, Z29)
	c.VPSRLQ(Imm(62), Z29, Z13)
	c.VPANDQ(laneOrder(c), Z13, Z13)
	ifmaMasks(c)
	for i, m := range ifmaM {
		r1, r2, r3, r4 := setupLimbs[0][i], setupLimbs[1][i], setupLimbs[2][i], setupLimbs[3][i]
		c.VPUNPCKLQDQ(r1, r2, r1)
		c.VPUNPCKLQDQ(r3, r4, r4)
		c.VINSERTI128(Imm(1), r1, setupHalf[i], setupHalf[i])
		c.VPERMQ(m, Z13, m)
	}
	c.Comment("times r^4")
	b := operand44{words: ifmaMul[0]}
	for i, limb := range []GPPhysical{R14, R15, RBX} {
		c.VPBROADCASTQ(limb, b.words[i])
		if i > 0 {
			timesTwenty(c, limb)
			c.VPBROADCASTQ(RAX, b.words[2+i])
		}
	}
	for i := range 3 {
		c.VPXORQ(ifmaLow[i], ifmaLow[i], ifmaLow[i])
		c.VPXORQ(ifmaHigh[i], ifmaHigh[i], ifmaHigh[i])
	}
	ifmaProducts(c, ifmaM, b)
	ifmaFold(c)
	ifmaCarry(c)
	c.Comment("r^8 r^4 r^7 r^3 r^6 r^2 r^5 r")
	c.MOVL(U32(0xaa), EAX)
	c.KMOVW(EAX, K1)
	for i, h := range ifmaH {
		c.VMOVDQA64(ifmaM[i], K1, h)
		c.VMOVDQU64(h, Mem{Base: RSI, Disp: 64 * i})
	}
}

// timesTwenty leaves 20 times a limb in AX.
func timesTwenty(c *build.Context, limb GPPhysical) {
	c.LEAQ(Mem{Base: limb, Index: limb, Scale: 4}, RAX)
	c.SHLQ(Imm(2), RAX)
}

// storeMultiplier stores the limbs R14, R15, BX as b0 b1 b2 s1 s2.
func storeMultiplier(c *build.Context, word int) {
	c.MOVQ(R14, Mem{Base: RSI, Disp: 8 * word})
	c.MOVQ(R15, Mem{Base: RSI, Disp: 8 * (word + 1)})
	c.MOVQ(RBX, Mem{Base: RSI, Disp: 8 * (word + 2)})
	for i, w := range []GPPhysical{R15, RBX} {
		timesTwenty(c, w)
		c.MOVQ(RAX, Mem{Base: RSI, Disp: 8 * (word + 3 + i)})
	}
}

// multiply44 multiplies two multipliers in Powers and leaves the limbs, below
// 2^44, 2^44 and 2^43, in R14, R15, BX. The sums of products D0, D1, D2 are
// R9:R8, R11:R10, R13:R12.
func multiply44(c *build.Context, a, b int) {
	const b0, b1, b2, s1, s2 = 0, 1, 2, 3, 4
	sums := [3][2]GPPhysical{{R8, R9}, {R10, R11}, {R12, R13}}
	for i, row := range [3][3]int{{b0, b1, b2}, {s2, b0, b1}, {s1, s2, b0}} {
		c.MOVQ(Mem{Base: RSI, Disp: 8 * (a + i)}, RDX)
		for limb, word := range row {
			factor := Mem{Base: RSI, Disp: 8 * (b + word)}
			if i == 0 {
				c.MULXQ(factor, sums[limb][0], sums[limb][1])
				continue
			}
			c.MULXQ(factor, RAX, RCX)
			c.ADDQ(RAX, sums[limb][0])
			c.ADCQ(RCX, sums[limb][1])
		}
	}
	c.MOVQ(U64(1<<44-1), RDI)
	carry44(c, sums[0], 44, R14)
	c.ADDQ(RAX, R10)
	c.ADCQ(Imm(0), R11)
	carry44(c, sums[1], 44, R15)
	c.ADDQ(RAX, R12)
	c.ADCQ(Imm(0), R13)
	c.SHRQ(Imm(2), RDI)
	carry44(c, sums[2], 42, RBX)
	c.LEAQ(Mem{Base: RAX, Index: RAX, Scale: 4}, RAX)
	c.ADDQ(RAX, R14)
	c.MOVQ(R14, RAX)
	c.SHRQ(Imm(44), RAX)
	c.ADDQ(RAX, R15)
	c.SHLQ(Imm(2), RDI)
	c.ORQ(Imm(3), RDI)
	c.ANDQ(RDI, R14)
	c.Comment("one carry more keeps limb 1 below 2^44")
	c.MOVQ(R15, RAX)
	c.SHRQ(Imm(44), RAX)
	c.ADDQ(RAX, RBX)
	c.ANDQ(RDI, R15)
}

// carry44 splits a sum: its low bits, masked by DI, and in AX the rest.
func carry44(c *build.Context, sum [2]GPPhysical, bits int, low GPPhysical) {
	c.MOVQ(sum[0], low)
	c.ANDQ(RDI, low)
	c.MOVQ(sum[0], RAX)
	c.SHRQ(Imm(uint64(bits)), RAX)
	c.SHLQ(Imm(uint64(64-bits)), sum[1])
	c.ORQ(sum[1], RAX)
}
