package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/tools/amd64gen/mulx"
)

const fusedMulxLayout = `
ChaCha20-Poly1305: lanes, with Poly1305 in base 2^64, one chain, in the general
registers meanwhile. Which vector register holds what changes from instruction to
instruction; what does not fit is at home in the frame. In the rounds:

	R8-R13                      accumulator and multiplier of the MAC
	AX BX CX DX BP R14 R15      its products
	SI  next block of the MAC
	DI  64-byte aligned part of the frame

and between the rounds:

	DI  dst    SI  src    DX  state    R9  block counter, R10 a copy
	R8  64-byte aligned part of the frame

The frame:

	 0  block counter            16  5*r0 | 24  5*r1
	 8  bytes done               32  h0 | 40  h1 | 48  h2, between the rounds
	56  double rounds left, of those with MAC or of the others, or blocks of the
	    last MAC
	64  vectors

The blocks of the MAC are beside eight of the ten double rounds. Seal authenticates the ciphertext of the step before,
and after the last step that of the last. Open authenticates what it is about to
decrypt. The accumulator of the MAC is bounded as in Poly1305 in base 2^64, one chain.
A block is added before the product here, so t2 grows by 2 at most: still below
8 * 2^60.

Work of a step, and what bounds it in cycles on Zen 5: latency and ports of the vectors,
where an operation takes 2 and 4 ports do it, 2 of them rotations, shifts and shuffles;
latency and port of the MAC, a block of which takes 10.8 and 8 products. "memory" counts
operands in the frame or among the constants. Cycles measured are in fused.go.

	blocks    operations  turns  memory  products  latency   MAC  ports   MAC
`

// fusedMulx writes ChaCha20-Poly1305 kernels: a lane kernel with Poly1305 by package
// mulx meanwhile.
type fusedMulx struct {
	*lane
	seal bool
}

// Offsets in the frame.
const (
	mulxCounter   = 0
	mulxDone      = 8
	mulxMultiples = 16
	mulxH         = 32
	mulxLeft      = 56
)

const macRounds = 8 // double rounds with MAC

func (g *generator) newFusedMulx(groups int, seal bool) *fusedMulx {
	l := g.newLane(&chacha, g.bytes, groups)
	l.scratch = fusedScratch
	return &fusedMulx{lane: l, seal: seal}
}

// inFrame is memory of the frame.
func (f *fusedMulx) inFrame(offset int) operand.Mem { return at(f.frameBase, offset) }

// write emits the kernel.
func (f *fusedMulx) write() {
	name := map[bool]string{true: "fusedSealX", false: "fusedOpenX"}[f.seal] + fmt.Sprint(f.blocks())
	step := 64 * f.blocks()
	code := f.rounds()
	f.Function(name)
	f.SignatureExpr(fusedSignature)
	f.alignScratch()
	f.Load(f.Param("state"), regState)
	f.prologue()
	f.MOVQ(regCounter, f.inFrame(mulxCounter))
	f.MOVQ(operand.U32(0), f.inFrame(mulxDone))
	f.Load(f.Param("mac"), reg.RAX)
	for i := range 3 {
		f.MOVQ(at(reg.RAX, 8*i), reg.RBX)
		f.MOVQ(reg.RBX, f.inFrame(mulxH+8*i))
	}

	f.Label("step")
	f.MOVQ(f.inFrame(mulxCounter), regCounter)
	f.begin()
	f.MOVQ(regCounter, f.inFrame(mulxCounter))
	f.enter()
	if f.seal {
		f.MOVQ(f.inFrame(mulxDone), reg.RAX)
		f.Load(f.Param("dst").Base(), regMessage)
		f.LEAQ(operand.Mem{Base: regMessage, Index: reg.RAX, Scale: 1, Disp: -step}, regMessage)
		f.MOVQ(operand.U32(10), f.inFrame(mulxLeft))
		f.TESTQ(reg.RAX, reg.RAX)
		f.JZ(operand.LabelRef("plain"))
	} else {
		f.Load(f.Param("src").Base(), regMessage)
		f.ADDQ(f.inFrame(mulxDone), regMessage)
	}
	f.MOVQ(operand.U32(macRounds), f.inFrame(mulxLeft))
	f.Label("rounds")
	f.stitch(code)
	f.DECQ(f.inFrame(mulxLeft))
	f.JNZ(operand.LabelRef("rounds"))
	f.MOVQ(operand.U32(10-macRounds), f.inFrame(mulxLeft))
	f.Label("plain")
	for _, in := range code {
		f.instruction(in)
	}
	f.DECQ(f.inFrame(mulxLeft))
	f.JNZ(operand.LabelRef("plain"))
	f.leave()
	f.MOVQ(f.inFrame(mulxDone), reg.RAX)
	f.Load(f.Param("dst").Base(), regDst)
	f.Load(f.Param("src").Base(), regSrc)
	f.Load(f.Param("state"), regState)
	f.ADDQ(reg.RAX, regDst)
	f.ADDQ(reg.RAX, regSrc)
	f.finish()
	f.ADDQ(operand.U32(step), f.inFrame(mulxDone))
	f.Load(f.Param("src").Len(), reg.RAX)
	f.CMPQ(reg.RAX, f.inFrame(mulxDone))
	f.JNE(operand.LabelRef("step"))

	if f.seal {
		f.MOVQ(regDst, regMessage)
	}
	f.enter()
	if f.seal {
		f.lastMAC()
	}
	mulx.Reduce(f.Context)
	f.Load(f.Param("mac"), reg.RCX)
	for i, h := range []reg.Register{reg.R8, reg.R9, reg.R10} {
		f.MOVQ(h, at(reg.RCX, 8*i))
	}
	f.end(f.scratch)
	f.frameBase = regScratch
}

// enter brings the MAC into its registers.
func (f *fusedMulx) enter() {
	f.MOVQ(regScratch, reg.RDI)
	f.frameBase = reg.RDI
	f.Load(f.Param("mac"), reg.RAX)
	f.MOVQ(at(reg.RAX, 24), reg.R11)
	f.MOVQ(at(reg.RAX, 32), reg.R12)
	mulx.LoadMultiplier(f.Context, f.inFrame(mulxMultiples))
	for i, h := range []reg.Register{reg.R8, reg.R9, reg.R10} {
		f.MOVQ(f.inFrame(mulxH+8*i), h)
	}
}

// leave puts the accumulator into the frame.
func (f *fusedMulx) leave() {
	for i, h := range []reg.Register{reg.R8, reg.R9, reg.R10} {
		f.MOVQ(h, f.inFrame(mulxH+8*i))
	}
	f.MOVQ(reg.RDI, regScratch)
	f.frameBase = regScratch
}

// block returns what absorbs a block, in three parts.
func (f *fusedMulx) block() []func() {
	return []func(){
		func() {
			f.ADDQ(at(regMessage, 0), reg.R8)
			f.ADCQ(at(regMessage, 8), reg.R9)
			f.ADCQ(operand.Imm(1), reg.R10)
			f.LEAQ(at(regMessage, 16), regMessage)
		},
		func() { mulx.EarlyProducts(f.Context) },
		func() { mulx.LateProducts(f.Context, f.inFrame(mulxMultiples)) },
	}
}

// stitch emits a double round with its share of the MAC between the instructions.
func (f *fusedMulx) stitch(code []instruction) {
	var general []func()
	for range 4 * f.blocks() / macRounds {
		general = append(general, f.block()...)
	}
	done := 0
	for i, in := range code {
		f.instruction(in)
		for ; done < (i+1)*len(general)/len(code); done++ {
			general[done]()
		}
	}
}

// lastMAC absorbs the ciphertext of the last step.
func (f *fusedMulx) lastMAC() {
	f.MOVQ(operand.U32(uint32(4*f.blocks())), f.inFrame(mulxLeft))
	f.Label("last")
	for _, emit := range f.block() {
		emit()
	}
	f.DECQ(f.inFrame(mulxLeft))
	f.JNZ(operand.LabelRef("last"))
}

// fusedMulxHeader returns the comment at the head of the file.
func (g *generator) fusedMulxHeader() string {
	var b strings.Builder
	b.WriteString(fusedMulxLayout)
	for _, s := range *g.summaries {
		line := fmt.Sprintf("\t%-8d%12d%7d%8d%10d%9d%6d%7d%6d\n", s.blocks, 10*s.operations, 10*s.turns, 10*s.memory,
			32*s.blocks, 20*s.chain, 43*s.blocks, 10*s.operations/4, 32*s.blocks)
		if !strings.Contains(b.String(), line) {
			b.WriteString(line)
		}
	}
	return b.String()
}
