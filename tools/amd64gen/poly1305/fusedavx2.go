package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/mulx"
)

const fusedAVX2Header = `
ChaCha20-Poly1305 in AVX2, sixteen blocks a step: ChaCha20 in two groups of eight
lanes, with Poly1305 in base 2^64, one chain, on the scalar units meanwhile.

Vector w of group g holds word w of the blocks 8g .. 8g+7, one to a lane of 32
bits. The 32 vectors live in the frame: two groups do not fit 16 registers, and
one group alone waits for its own chain, of 28 operations a quarter round.

Frame, aligned to 32 bytes, at DI:
     0 + 512*g + 32*w    vector w of group g
  1024 + 64*g            counters of group g, low words, then high words
  1152 5*r0 | 1160 5*r1
  1168 double rounds with MAC left, then MAC blocks left | 1176 double rounds
       without MAC left | 1184 double rounds with MAC
  1192 dst | 1200 src | 1208 bytes left | 1216 state | 1224 counter

Registers in the rounds:
  Y0-Y4, Y5-Y9      a b c d of two quarter rounds, and a temporary
  Y14 Y15           byte shuffles: rotate words by 16, by 8
  SI                next block of the MAC     DI    frame
  R8-R13            accumulator and multiplier of the MAC, throughout
  AX BX CX DX BP R14 R15                      products of the MAC
Between the rounds AX is dst, BX src and CX the state.

A step has 64 MAC blocks and 80 pairs of quarter rounds: eight double rounds have
one block beside each pair, two have none. Seal authenticates the ciphertext of
the step before, and after the last step that of the last. Open authenticates what it
is about to decrypt.

Work of a step: 2560 vector operations of the rounds, 960 of them on two ports, and
512 products of the MAC. Cycles on Zen 5: 560 by the latency of the rounds, 691 by that
of the MAC; 640 by vector ports, 512 by that of the products; 1090 measured, where
the rounds alone take 928.

Bounds of the MAC: as in Poly1305 in base 2^64, one chain. A block is added before
the product here, so t2 grows by 2 at most: still below 8 * 2^60.
`

// fusedAVX2 writes the AVX2 kernels.
type fusedAVX2 struct{ *build.Context }

// Offsets in the frame.
const (
	frameCounters = 1024
	frameMulti    = 1152
	frameMACLeft  = 1168
	framePlain    = 1176
	frameMAC      = 1184
	frameDst      = 1192
	frameSrc      = 1200
	frameLen      = 1208
	frameState    = 1216
	frameCounter  = 1224
	frameSize     = 1232
)

const (
	groups    = 2
	lanes     = 8
	stepBytes = groups * lanes * 64
	macRounds = 8 // double rounds with MAC: 8 pairs of quarter rounds in each
	allRounds = 10
)

// frame is a place in the frame.
func frame(offset int) Mem { return Mem{Base: RDI, Disp: offset} }

// row is the place of word w of group g.
func row(g, w int) Mem { return frame(512*g + 32*w) }

// multiples is where package mulx keeps 5*r.
func multiples() Mem { return frame(frameMulti) }

// data emits vectors: 0 and 1 byte shuffles that rotate words by 16 and by
// 8, 2 the numbers of the lanes, 3 the sign bits.
func (c fusedAVX2) data() {
	c.StaticGlobal("avx2Data")
	c.DataAttributes(24) // NOPTR | RODATA
	for i := range 2 {
		for j := range 4 {
			c.AddDatum(32*i+8*j, U64([2][2]uint64{
				{0x0504070601000302, 0x0d0c0f0e09080b0a},
				{0x0605040702010003, 0x0e0d0c0f0a09080b},
			}[i][j%2]))
		}
	}
	for lane := range lanes {
		c.AddDatum(64+4*lane, U32(lane))
	}
	for lane := range lanes {
		c.AddDatum(96+4*lane, U32(1<<31))
	}
}

func constant(i int) Mem { return NewDataAddr(Symbol{Name: "avx2Data", Static: true}, 32*i) }

// kernel emits Seal or Open.
func (c fusedAVX2) kernel(name string, seal bool) {
	c.Function(name)
	c.SignatureExpr("func(dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers)")
	local := c.AllocLocal(frameSize + 32)
	c.LEAQ(local.Offset(31), RDI)
	c.ANDQ(I8(-32), RDI)
	c.prologue(seal)

	c.Label("step")
	c.begin()
	c.MOVQ(frame(frameMAC), RAX)
	c.MOVQ(RAX, frame(frameMACLeft))
	c.MOVL(U32(allRounds), EBX)
	c.SUBQ(RAX, RBX)
	c.MOVQ(RBX, frame(framePlain))
	c.TESTQ(RAX, RAX)
	c.JZ(LabelRef("plain"))
	c.Label("rounds")
	c.doubleRound(true)
	c.DECQ(frame(frameMACLeft))
	c.JNZ(LabelRef("rounds"))
	c.Label("plain")
	c.doubleRound(false)
	c.DECQ(frame(framePlain))
	c.JNZ(LabelRef("plain"))
	c.finish()
	if seal {
		c.MOVQ(U32(macRounds), frame(frameMAC))
	}
	c.SUBQ(U32(stepBytes), frame(frameLen))
	c.JNZ(LabelRef("step"))
	if seal {
		c.lastMAC()
	}

	mulx.Reduce(c.Context)
	c.Load(c.Param("mac"), RCX)
	c.MOVQ(R8, Mem{Base: RCX})
	c.MOVQ(R9, Mem{Base: RCX, Disp: 8})
	c.MOVQ(R10, Mem{Base: RCX, Disp: 16})
	c.VZEROUPPER()
	c.RET()
}

// lastMAC absorbs the ciphertext of the last step.
func (c fusedAVX2) lastMAC() {
	c.MOVQ(U32(stepBytes/16), frame(frameMACLeft))
	c.Label("last")
	c.addBlock()
	mulx.EarlyProducts(c.Context)
	mulx.LateProducts(c.Context, multiples())
	c.DECQ(frame(frameMACLeft))
	c.JNZ(LabelRef("last"))
}

// prologue loads the MAC and keeps the arguments.
func (c fusedAVX2) prologue(seal bool) {
	c.Load(c.Param("mac"), RCX)
	for i, r := range []GPPhysical{R8, R9, R10, R11, R12} {
		c.MOVQ(Mem{Base: RCX, Disp: 8 * i}, r)
	}
	mulx.LoadMultiplier(c.Context, multiples())
	c.Load(c.Param("dst").Base(), RAX)
	c.MOVQ(RAX, frame(frameDst))
	c.Load(c.Param("src").Base(), RBX)
	c.MOVQ(RBX, frame(frameSrc))
	c.Load(c.Param("src").Len(), RDX)
	c.MOVQ(RDX, frame(frameLen))
	c.Load(c.Param("state"), RCX)
	c.MOVQ(RCX, frame(frameState))
	c.MOVQ(Mem{Base: RCX, Disp: 48}, RDX)
	c.MOVQ(RDX, frame(frameCounter))
	if seal {
		c.MOVQ(RAX, RSI)
		c.MOVQ(U32(0), frame(frameMAC))
	} else {
		c.MOVQ(RBX, RSI)
		c.MOVQ(U32(macRounds), frame(frameMAC))
	}
}

// begin sets up the vectors of one step and advances the counter.
func (c fusedAVX2) begin() {
	c.MOVQ(frame(frameState), RCX)
	for w := range 16 {
		if w == 12 || w == 13 {
			continue
		}
		c.VPBROADCASTD(Mem{Base: RCX, Disp: 4 * w}, Y0)
		for g := range groups {
			c.VMOVDQA(Y0, row(g, w))
		}
	}
	c.VMOVDQU(constant(3), Y3)
	for g := range groups {
		c.Comment("counters: the high word is one more where the low word wrapped")
		c.VPBROADCASTD(frame(frameCounter), Y0)
		c.VPBROADCASTD(frame(frameCounter+4), Y1)
		c.VPADDD(constant(2), Y0, Y2)
		c.VPXOR(Y3, Y0, Y4)
		c.VPXOR(Y3, Y2, Y5)
		c.VPCMPGTD(Y5, Y4, Y4)
		c.VPSUBD(Y4, Y1, Y1)
		c.VMOVDQA(Y2, row(g, 12))
		c.VMOVDQA(Y1, row(g, 13))
		c.VMOVDQA(Y2, frame(frameCounters+64*g))
		c.VMOVDQA(Y1, frame(frameCounters+64*g+32))
		c.ADDQ(Imm(lanes), frame(frameCounter))
	}
	c.VMOVDQU(constant(0), Y14)
	c.VMOVDQU(constant(1), Y15)
}

// addBlock adds the next block to the accumulator.
func (c fusedAVX2) addBlock() {
	c.ADDQ(Mem{Base: RSI}, R8)
	c.ADCQ(Mem{Base: RSI, Disp: 8}, R9)
	c.ADCQ(Imm(1), R10)
	c.LEAQ(Mem{Base: RSI, Disp: 16}, RSI)
}

// doubleRound emits one double round of both groups, with one MAC block beside
// each pair of quarter rounds if asked for.
func (c fusedAVX2) doubleRound(mac bool) {
	for _, round := range chachaQuarters {
		for pair := 0; pair < 4; pair += 2 {
			for g := range groups {
				c.quarterRounds(g, round[pair], round[pair+1], mac)
			}
		}
	}
}

// quarterRounds emits two quarter rounds side by side, between the parts of a
// MAC block.
func (c fusedAVX2) quarterRounds(g int, first, second [4]int, mac bool) {
	words := [2][4]int{first, second}
	regs := [2][5]VecPhysical{{Y0, Y1, Y2, Y3, Y4}, {Y5, Y6, Y7, Y8, Y9}}
	const a, b, cc, d, t = 0, 1, 2, 3, 4
	both := func(emit func(x [5]VecPhysical, w [4]int)) {
		for i := range 2 {
			emit(regs[i], words[i])
		}
	}
	rotate := func(x [5]VecPhysical, n uint64) {
		c.VPSLLD(Imm(n), x[b], x[t])
		c.VPSRLD(Imm(32-n), x[b], x[b])
		c.VPXOR(x[t], x[b], x[b])
	}
	if mac {
		c.addBlock()
	}
	both(func(x [5]VecPhysical, w [4]int) { c.VMOVDQA(row(g, w[b]), x[b]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPADDD(row(g, w[a]), x[b], x[a]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPXOR(row(g, w[d]), x[a], x[d]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPSHUFB(Y14, x[d], x[d]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPADDD(row(g, w[cc]), x[d], x[cc]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPXOR(x[cc], x[b], x[b]) })
	both(func(x [5]VecPhysical, w [4]int) { rotate(x, 12) })
	if mac {
		mulx.EarlyProducts(c.Context)
	}
	both(func(x [5]VecPhysical, w [4]int) { c.VPADDD(x[b], x[a], x[a]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VMOVDQA(x[a], row(g, w[a])) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPXOR(x[a], x[d], x[d]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPSHUFB(Y15, x[d], x[d]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VMOVDQA(x[d], row(g, w[d])) })
	both(func(x [5]VecPhysical, w [4]int) { c.VPADDD(x[d], x[cc], x[cc]) })
	both(func(x [5]VecPhysical, w [4]int) { c.VMOVDQA(x[cc], row(g, w[cc])) })
	if mac {
		mulx.LateProducts(c.Context, multiples())
	}
	both(func(x [5]VecPhysical, w [4]int) { c.VPXOR(x[cc], x[b], x[b]) })
	both(func(x [5]VecPhysical, w [4]int) { rotate(x, 7) })
	both(func(x [5]VecPhysical, w [4]int) { c.VMOVDQA(x[b], row(g, w[b])) })
}

// finish adds the input, turns vectors of words into blocks, XORs them and
// moves on.
func (c fusedAVX2) finish() {
	c.MOVQ(frame(frameDst), RAX)
	c.MOVQ(frame(frameSrc), RBX)
	c.MOVQ(frame(frameState), RCX)
	for g := range groups {
		for half := range 2 {
			c.addInput(g, 8*half)
			c.transpose()
			for block, r := range blockOrder {
				at := 64*(lanes*g+block) + 32*half
				c.VPXOR(Mem{Base: RBX, Disp: at}, r, r)
				c.VMOVDQU(r, Mem{Base: RAX, Disp: at})
			}
		}
	}
	c.ADDQ(U32(stepBytes), frame(frameDst))
	c.ADDQ(U32(stepBytes), frame(frameSrc))
}

// addInput loads eight words, to Y0-Y7, and adds the input.
func (c fusedAVX2) addInput(g, first int) {
	for i := range 8 {
		w, x, t := first+i, vectors[i], vectors[8+i%2]
		if w == 12 || w == 13 {
			c.VMOVDQA(frame(frameCounters+64*g+32*(w-12)), t)
		} else {
			c.VPBROADCASTD(Mem{Base: RCX, Disp: 4 * w}, t)
		}
		c.VPADDD(row(g, w), t, x)
	}
}

var vectors = [16]VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}

// blockOrder is where transpose leaves the eight words of each block.
var blockOrder = [8]VecPhysical{Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}

// transpose turns Y0-Y7, which hold a word of eight blocks each, into Y8-Y15,
// which hold eight words of a block each.
func (c fusedAVX2) transpose() {
	for i := 0; i < 8; i += 2 {
		c.VPUNPCKLDQ(vectors[i+1], vectors[i], vectors[8+i])
		c.VPUNPCKHDQ(vectors[i+1], vectors[i], vectors[9+i])
	}
	for i := 0; i < 8; i += 4 {
		c.VPUNPCKLQDQ(vectors[10+i], vectors[8+i], vectors[i])
		c.VPUNPCKHQDQ(vectors[10+i], vectors[8+i], vectors[i+1])
		c.VPUNPCKLQDQ(vectors[11+i], vectors[9+i], vectors[i+2])
		c.VPUNPCKHQDQ(vectors[11+i], vectors[9+i], vectors[i+3])
	}
	for i := range 4 {
		c.VPERM2I128(Imm(0x20), vectors[4+i], vectors[i], blockOrder[i])
		c.VPERM2I128(Imm(0x31), vectors[4+i], vectors[i], blockOrder[4+i])
	}
}
