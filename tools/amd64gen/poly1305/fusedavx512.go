package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const fusedAVX512Header = `
ChaCha20-Poly1305 in AVX-512, 32 blocks a step: ChaCha20 in two groups of sixteen
lanes, with Poly1305 in base 2^44 in the gaps that the chains of two groups leave.

Registers in the rounds:
  Z0-Z3 a  Z4-Z7 b  Z8-Z11 d of group 0       Z12-Z15 a  Z16-Z19 b  Z20-Z23 d of group 1
  Z24 Z25     c of two quarter rounds; at home they are in the frame, for they
              are the words with the longest pause between uses
  Z26-Z31     the MAC
  AX dst   BX src   CX state   DX Powers   SI next byte of the MAC   DI frame
  R8 bytes left   R9 counter   R10, R11 loops   R12 double rounds with MAC / 2

Frame, aligned to 64 bytes, at DI:
     0 + 64*(4*g+i)     c of group g, words 8+i
   512 + 128*g          counters of group g, low words, then high words
   768                  H, limbs of the accumulator
   960                  X, limbs of the state, in the lane of the first block; then zero
  1152 + 192*m + 64*i   limb i of group m of the batch

Two double rounds have one batch of four groups of eight blocks:

  H = H*r^32 + (M0 + X)*r^24 + M1*r^16 + M2*r^8 + M3

so a step's 128 MAC blocks take eight double rounds, two have none. Seal
authenticates the ciphertext of the step before and leaves that of the last step
to its caller. Open authenticates what it is about to decrypt.

Work of a step: 2638 vector operations, 1040 of them shuffles, rotations and products
on two ports. Cycles on Zen 5: 480 by the latency of the rounds; 660 by ports; 840
measured, where the rounds alone take 665.

Lanes, Powers and bounds: as in Poly1305 in base 2^44 with batches of four groups;
M0 + X is below 2^45 as H is there.
`

// fusedAVX512 writes the AVX-512 kernels.
type fusedAVX512 struct{ *build.Context }

// Places in the frame.
const (
	wideCounters = 512
	wideH        = 768
	wideX        = 960
	wideGroups   = 1152
	wideSize     = 1920
)

const wideStep = 32 * 64

// Rows of a group in registers: a, b and d.
var wideRows = [2][16]VecPhysical{
	{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z24, Z25, Z26, Z27, Z8, Z9, Z10, Z11},
	{Z12, Z13, Z14, Z15, Z16, Z17, Z18, Z19, Z24, Z25, Z26, Z27, Z20, Z21, Z22, Z23},
}

func wideFrame(offset int) Mem { return Mem{Base: RDI, Disp: offset} }

// wideC is the home of word 8+i of group g.
func wideC(g, i int) Mem { return wideFrame(64 * (4*g + i)) }

// wideM is the place of a limb of a group of the batch.
func wideM(group, limb int) Mem { return wideFrame(wideGroups + 192*group + 64*limb) }

// data emits the constants.
func (c fusedAVX512) data() {
	ifmaLaneOrder(c.Context)
	c.StaticGlobal("fusedData")
	c.DataAttributes(24) // NOPTR | RODATA
	for lane := range 16 {
		c.AddDatum(4*lane, U32(lane))
	}
	for i, v := range []uint64{1<<44 - 1, 1<<42 - 1, 1 << 40} {
		c.AddDatum(64+8*i, U64(v))
	}
	c.AddDatum(88, U64(1))
}

func fusedConstant(offset int) Mem {
	return NewDataAddr(Symbol{Name: "fusedData", Static: true}, offset)
}

func mask44() Mem  { return fusedConstant(64) }
func mask42() Mem  { return fusedConstant(72) }
func padBit() Mem  { return fusedConstant(80) }
func oneWord() Mem { return fusedConstant(88) }

// kernel emits Open, or Seal without the MAC of the last step.
func (c fusedAVX512) kernel(name string, seal bool) {
	c.Function(name)
	c.SignatureExpr("func(dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers)")
	local := c.AllocLocal(wideSize + 64)
	c.LEAQ(local.Offset(63), RDI)
	c.ANDQ(I8(-64), RDI)
	c.Load(c.Param("dst").Base(), RAX)
	c.Load(c.Param("src").Base(), RBX)
	c.Load(c.Param("src").Len(), R8)
	c.Load(c.Param("state"), RCX)
	c.Load(c.Param("powers"), RDX)
	c.MOVQ(Mem{Base: RCX, Disp: 48}, R9)
	if seal {
		c.MOVQ(RAX, RSI)
		c.XORL(R12L, R12L)
	} else {
		c.MOVQ(RBX, RSI)
		c.MOVL(U32(4), R12L)
	}
	c.state()

	c.Label("step")
	c.begin()
	c.MOVL(U32(5), R11L)
	c.SUBL(R12L, R11L)
	c.MOVL(R12L, R10L)
	c.TESTL(R10L, R10L)
	c.JZ(LabelRef("plain"))
	c.Label("rounds")
	c.rounds(c.batch())
	c.DECL(R10L)
	c.JNZ(LabelRef("rounds"))
	c.Label("plain")
	c.rounds(nil)
	c.DECL(R11L)
	c.JNZ(LabelRef("plain"))
	c.finish()
	if seal {
		c.MOVL(U32(4), R12L)
	}
	c.SUBQ(U32(wideStep), R8)
	c.JNZ(LabelRef("step"))

	if seal {
		c.Comment("with one step there is no MAC yet")
		c.Load(c.Param("dst").Base(), RAX)
		c.CMPQ(RAX, RSI)
		c.JE(LabelRef("done"))
	}
	c.Load(c.Param("mac"), RDI)
	c.LEAQ(local.Offset(63), RBX)
	c.ANDQ(I8(-64), RBX)
	for i, h := range ifmaH {
		c.VMOVDQA64(Mem{Base: RBX, Disp: wideH + 64*i}, h)
	}
	ifmaLast(c.Context)
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// state clears H and puts the state of the MAC into lane 0 of X.
func (c fusedAVX512) state() {
	c.Load(c.Param("mac"), R10)
	c.MOVQ(Mem{Base: R10}, R11)
	c.MOVQ(Mem{Base: R10, Disp: 8}, R13)
	c.MOVQ(Mem{Base: R10, Disp: 16}, R14)
	limbs44(c.Context, R11, R13, R14, R15)
	c.VPXORQ(Z0, Z0, Z0)
	for i, limb := range []GPPhysical{R11, R13, R14} {
		c.VMOVQ(limb, X1)
		c.VMOVDQA64(Z0, wideFrame(wideH+64*i))
		c.VMOVDQA64(Z1, wideFrame(wideX+64*i))
	}
}

// begin sets up the vectors of a step and advances the counter.
func (c fusedAVX512) begin() {
	for w := range 16 {
		if w == 12 || w == 13 {
			continue
		}
		if w/4 == 2 {
			c.VPBROADCASTD(Mem{Base: RCX, Disp: 4 * w}, Z24)
			c.VMOVDQA64(Z24, wideC(0, w-8))
			c.VMOVDQA64(Z24, wideC(1, w-8))
			continue
		}
		c.VPBROADCASTD(Mem{Base: RCX, Disp: 4 * w}, wideRows[0][w])
		c.VMOVDQA64(wideRows[0][w], wideRows[1][w])
	}
	for g := range 2 {
		low, high := wideRows[g][12], wideRows[g][13]
		c.VPBROADCASTD(R9L, Z24)
		c.MOVQ(R9, R10)
		c.SHRQ(Imm(32), R10)
		c.VPBROADCASTD(R10L, high)
		c.VPADDD(fusedConstant(0), Z24, low)
		c.VPCMPUD(Imm(1), Z24, low, K1)
		c.VPADDD_BCST(oneWord(), high, K1, high)
		c.VMOVDQA64(low, wideFrame(wideCounters+128*g))
		c.VMOVDQA64(high, wideFrame(wideCounters+128*g+64))
		c.ADDQ(Imm(16), R9)
	}
}

// rounds emits two double rounds with the given instructions spread over
// them.
func (c fusedAVX512) rounds(extra []func()) {
	total := 2 * 8 * 12
	done, at := 0, 0
	tick := func() {
		at++
		for ; done < len(extra)*at/total; done++ {
			extra[done]()
		}
	}
	for range 2 {
		for _, round := range chachaQuarters {
			for g := range 2 {
				for pair := 0; pair < 4; pair += 2 {
					c.quarterRounds(g, round[pair], round[pair+1], tick)
				}
			}
		}
	}
}

// chachaQuarters are the words of the quarter rounds of a double round.
var chachaQuarters = [2][4][4]int{
	{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}},
	{{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}},
}

// quarterRounds emits two quarter rounds side by side, and calls tick after each of
// their twelve steps.
func (c fusedAVX512) quarterRounds(g int, first, second [4]int, tick func()) {
	words := [2][4]int{first, second}
	temps := [2]VecPhysical{Z24, Z25}
	step := func(emit func(a, b, cc, d VecPhysical, home Mem)) {
		for i, w := range words {
			emit(wideRows[g][w[0]], wideRows[g][w[1]], temps[i], wideRows[g][w[3]], wideC(g, w[2]-8))
		}
		tick()
	}
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPADDD(b, a, a) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPXORD(a, d, d) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPROLD(Imm(16), d, d) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPADDD(home, d, cc) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPXORD(cc, b, b) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPROLD(Imm(12), b, b) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPADDD(b, a, a) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPXORD(a, d, d) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPROLD(Imm(8), d, d) })
	step(func(a, b, cc, d VecPhysical, home Mem) {
		c.VPADDD(d, cc, cc)
		c.VMOVDQA64(cc, home)
	})
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPXORD(cc, b, b) })
	step(func(a, b, cc, d VecPhysical, home Mem) { c.VPROLD(Imm(7), b, b) })
}

// batch returns the instructions of one batch, which move SI on. The sums of
// low halves D0, D1, D2 end in Z26, Z28, Z27; the high halves of a limb are
// folded into the next one as soon as they are there, to free their register.
func (c fusedAVX512) batch() []func() {
	var list []func()
	add := func(f func()) { list = append(list, f) }
	for group := range 4 {
		c.split(add, group)
	}
	add(func() { c.ADDQ(U32(512), RSI) })
	c.column(add, 0, Z26, Z27)
	add(func() { c.VPSLLQ(Imm(8), Z27, Z27) })
	c.column(add, 1, Z28, Z29)
	add(func() { c.VPADDQ(Z27, Z28, Z28) })
	add(func() { c.VPSLLQ(Imm(8), Z29, Z29) })
	c.column(add, 2, Z27, Z31)
	add(func() { c.VPADDQ(Z29, Z27, Z27) })
	add(func() { c.VPSLLQ(Imm(10), Z31, Z30) })
	add(func() { c.VPSLLQ(Imm(12), Z31, Z31) })
	add(func() { c.VPADDQ(Z30, Z26, Z26) })
	add(func() { c.VPADDQ(Z31, Z26, Z26) })
	c.carry(add)
	return list
}

// carry adds the instructions that carry from the sums in Z26, Z28, Z27 to H,
// once from each limb to the next.
func (c fusedAVX512) carry(add func(func())) {
	add(func() { c.VPSRLQ(Imm(42), Z27, Z29) })
	add(func() { c.VPSRLQ(Imm(44), Z26, Z30) })
	add(func() { c.VPSRLQ(Imm(44), Z28, Z31) })
	add(func() { c.VPANDQ_BCST(mask44(), Z26, Z26) })
	add(func() { c.VPANDQ_BCST(mask44(), Z28, Z28) })
	add(func() { c.VPANDQ_BCST(mask42(), Z27, Z27) })
	add(func() { c.VPADDQ(Z29, Z26, Z26) })
	add(func() { c.VPSLLQ(Imm(2), Z29, Z29) })
	add(func() { c.VPADDQ(Z30, Z28, Z28) })
	add(func() { c.VPADDQ(Z31, Z27, Z27) })
	add(func() { c.VPADDQ(Z29, Z26, Z26) })
	add(func() { c.VMOVDQA64(Z28, wideFrame(wideH+64)) })
	add(func() { c.VMOVDQA64(Z27, wideFrame(wideH+128)) })
	add(func() { c.VMOVDQA64(Z26, wideFrame(wideH)) })
}

// split adds the instructions that split a group into limbs in the frame.
func (c fusedAVX512) split(add func(func()), group int) {
	x, y, t := Z28, Z29, Z30
	if group%2 == 1 {
		x, y, t = Z26, Z27, Z31
	}
	at := 128 * group
	add(func() { c.VMOVDQU64(Mem{Base: RSI, Disp: at}, x) })
	add(func() { c.VMOVDQU64(Mem{Base: RSI, Disp: at + 64}, t) })
	add(func() { c.VPUNPCKHQDQ(t, x, y) })
	add(func() { c.VPUNPCKLQDQ(t, x, x) })
	add(func() { c.VPSRLQ(Imm(24), y, t) })
	add(func() { c.VPORQ_BCST(padBit(), t, t) })
	if group == 0 {
		add(func() { c.VPADDQ(wideFrame(wideX+128), t, t) })
	}
	add(func() { c.VMOVDQA64(t, wideM(group, 2)) })
	add(func() { c.VPSLLQ(Imm(20), y, y) })
	add(func() { c.VPSRLQ(Imm(44), x, t) })
	add(func() { c.VPTERNLOGQ_BCST(Imm(0xa8), mask44(), y, t) })
	add(func() { c.VPANDQ_BCST(mask44(), x, x) })
	if group == 0 {
		add(func() { c.VPADDQ(wideFrame(wideX+64), t, t) })
		add(func() { c.VPADDQ(wideFrame(wideX), x, x) })
	}
	add(func() { c.VMOVDQA64(t, wideM(group, 1)) })
	add(func() { c.VMOVDQA64(x, wideM(group, 0)) })
	if group == 0 {
		add(func() { c.VPXORQ(y, y, y) })
		for i := range 3 {
			add(func() { c.VMOVDQA64(y, wideFrame(wideX+64*i)) })
		}
	}
}

// column adds the products of one limb: those of H come last.
func (c fusedAVX512) column(add func(func()), limb int, lo, hi VecPhysical) {
	const b0, b1, b2, s1, s2 = 0, 1, 2, 3, 4
	row := [3][3]int{{b0, s2, s1}, {b1, b0, s2}, {b2, b1, b0}}[limb]
	add(func() { c.VMOVDQA64(wideM(3, limb), lo) })
	add(func() { c.VPXORQ(hi, hi, hi) })
	for power := 1; power <= 4; power++ {
		for i, word := range row {
			factor := Mem{Base: RDX, Disp: 8 * (powerWord(power) + word)}
			from := wideFrame(wideH + 64*i)
			if power < 4 {
				from = wideM(3-power, i)
			}
			add(func() { c.VMOVDQA64(from, Z30) })
			add(func() { c.VPMADD52LUQ_BCST(factor, Z30, lo) })
			add(func() { c.VPMADD52HUQ_BCST(factor, Z30, hi) })
		}
	}
}

// finish adds the input, turns vectors of words into blocks, XORs them and
// moves on.
func (c fusedAVX512) finish() {
	for g := range 2 {
		x := wideRows[g]
		for i := range 4 {
			c.VMOVDQA64(wideC(g, i), x[8+i])
		}
		for w := range 16 {
			if w == 12 || w == 13 {
				c.VPADDD(wideFrame(wideCounters+128*g+64*(w-12)), x[w], x[w])
			} else {
				c.VPADDD_BCST(Mem{Base: RCX, Disp: 4 * w}, x[w], x[w])
			}
		}
		t := [4]VecPhysical{Z28, Z29, Z30, Z31}
		for k := 0; k < 16; k += 4 {
			c.VPUNPCKLDQ(x[k+1], x[k], t[0])
			c.VPUNPCKHDQ(x[k+1], x[k], t[1])
			c.VPUNPCKLDQ(x[k+3], x[k+2], t[2])
			c.VPUNPCKHDQ(x[k+3], x[k+2], t[3])
			c.VPUNPCKLQDQ(t[2], t[0], x[k])
			c.VPUNPCKHQDQ(t[2], t[0], x[k+1])
			c.VPUNPCKLQDQ(t[3], t[1], x[k+2])
			c.VPUNPCKHQDQ(t[3], t[1], x[k+3])
		}
		c.Comment("x[4k+j]: words 4k .. 4k+3 of the blocks j, 4+j, 8+j, 12+j")
		for j := range 4 {
			c.VSHUFI32X4(Imm(0x44), x[4+j], x[j], t[0])
			c.VSHUFI32X4(Imm(0xee), x[4+j], x[j], t[1])
			c.VSHUFI32X4(Imm(0x44), x[12+j], x[8+j], t[2])
			c.VSHUFI32X4(Imm(0xee), x[12+j], x[8+j], t[3])
			c.VSHUFI32X4(Imm(0x88), t[2], t[0], x[j])
			c.VSHUFI32X4(Imm(0xdd), t[2], t[0], x[4+j])
			c.VSHUFI32X4(Imm(0x88), t[3], t[1], x[8+j])
			c.VSHUFI32X4(Imm(0xdd), t[3], t[1], x[12+j])
			for i := range 4 {
				at := 64 * (16*g + 4*i + j)
				c.VPXORQ(Mem{Base: RBX, Disp: at}, x[4*i+j], x[4*i+j])
				c.VMOVDQU64(x[4*i+j], Mem{Base: RAX, Disp: at})
			}
		}
	}
	c.ADDQ(U32(wideStep), RAX)
	c.ADDQ(U32(wideStep), RBX)
}
