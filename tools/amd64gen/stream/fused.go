package main

import (
	"fmt"
	"reflect"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/tools/amd64gen/mulq"
)

// registryPath is the package of the types in the signatures of fused kernels.
var registryPath = reflect.TypeFor[registry.MACState]().PkgPath()

// fused writes ChaCha20-Poly1305 kernels: a lane kernel with Poly1305 in the
// general registers meanwhile.
type fused struct {
	*lane
	seal bool
	// unroll is the number of double rounds in the loop, and macBlocks how many
	// blocks of the MAC go beside them; the rest of a step follows the rounds.
	unroll, macBlocks int
}

// fusedScratch is the room at the start of the aligned part of the frame for what
// is not a vector, in bytes.
const fusedScratch = 64

// Offsets of what is there.
const (
	fusedCounter = 0
	fusedDone    = 8
)

const fusedSignature = "func(dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers)"

// Registers of the fused kernels in the rounds, beside those of package mulq.
var (
	regMessage     = reg.RSI // next block of the MAC
	regFusedRounds = reg.R9  // passes of the loop left
)

// newFused returns a kernel of the given number of groups.
func (g *generator) newFused(groups int, seal bool) *fused {
	l := g.newLane(&chacha, g.bytes, groups)
	l.scratch = fusedScratch
	f := &fused{lane: l, seal: seal, unroll: 1}
	blocks := 4 * l.blocks()
	for blocks*f.unroll/10 < mulq.Period {
		f.unroll++
	}
	f.macBlocks = blocks * f.unroll / 10 / mulq.Period * mulq.Period
	return f
}

// write emits the kernel.
func (f *fused) write() {
	name := map[bool]string{true: "fusedSealX", false: "fusedOpenX"}[f.seal] + fmt.Sprint(f.blocks())
	step := 64 * f.blocks()
	code := f.rounds()
	f.Function(name)
	f.SignatureExpr(fusedSignature)
	f.alignScratch()
	f.Load(f.Param("state"), regState)
	f.prologue()
	f.MOVQ(regCounter, at(regScratch, fusedCounter))
	f.MOVQ(operand.U32(0), at(regScratch, fusedDone))
	chain := mulq.NewChain(f.Context)
	f.Load(f.Param("mac"), reg.RAX)
	mulq.Load(f.Context, reg.RAX)

	f.Label("step")
	f.MOVQ(at(regScratch, fusedCounter), regCounter)
	f.begin()
	f.MOVQ(regCounter, at(regScratch, fusedCounter))
	f.MOVL(operand.U32(10/f.unroll), regFusedRounds.As32())
	if f.seal {
		f.Load(f.Param("dst").Base(), regMessage)
		f.MOVQ(at(regScratch, fusedDone), reg.RAX)
		f.TESTQ(reg.RAX, reg.RAX)
		f.JZ(operand.LabelRef("plain"))
		f.LEAQ(operand.Mem{Base: regMessage, Index: reg.RAX, Scale: 1, Disp: -step}, regMessage)
	} else {
		f.Load(f.Param("src").Base(), regMessage)
		f.ADDQ(at(regScratch, fusedDone), regMessage)
	}
	f.Label("rounds")
	f.stitch(code, chain)
	f.DECQ(regFusedRounds)
	f.JNZ(operand.LabelRef("rounds"))
	f.absorb(chain, 4*f.blocks()-f.macBlocks*10/f.unroll)
	chain.Restore()
	if f.seal {
		f.JMP(operand.LabelRef("finish"))
		f.Label("plain")
		for range f.unroll {
			for _, in := range code {
				f.instruction(in)
			}
		}
		f.DECQ(regFusedRounds)
		f.JNZ(operand.LabelRef("plain"))
		f.Label("finish")
	}
	f.Load(f.Param("dst").Base(), regDst)
	f.Load(f.Param("src").Base(), regSrc)
	f.MOVQ(at(regScratch, fusedDone), reg.RAX)
	f.ADDQ(reg.RAX, regDst)
	f.ADDQ(reg.RAX, regSrc)
	f.finish()
	f.ADDQ(operand.U32(step), at(regScratch, fusedDone))
	f.Load(f.Param("src").Len(), reg.RAX)
	f.CMPQ(reg.RAX, at(regScratch, fusedDone))
	f.JNE(operand.LabelRef("step"))

	if f.seal {
		f.MOVQ(regDst, regMessage)
		f.MOVL(operand.U32(4*f.blocks()), regFusedRounds.As32())
		mulq.Absorb(f.Context)
	}
	f.Load(f.Param("mac"), reg.RAX)
	mulq.Store(f.Context, reg.RAX)
	f.end(f.scratch)
}

// stitch emits a pass of the loop: double rounds with blocks of the MAC between
// their instructions.
func (f *fused) stitch(code []instruction, chain *mulq.Chain) {
	var vector, general []func()
	for range f.unroll {
		for _, in := range code {
			vector = append(vector, func() { f.instruction(in) })
		}
	}
	for i := range f.macBlocks {
		general = append(general, chain.Block(at(regMessage, 16*i))...)
	}
	general = append(general, func() { f.advanceMessage(f.macBlocks) })
	done := 0
	for i, emit := range vector {
		emit()
		for ; done < (i+1)*len(general)/len(vector); done++ {
			general[done]()
		}
	}
}

// absorb emits blocks of the MAC alone.
func (f *fused) absorb(chain *mulq.Chain, blocks int) {
	for i := range blocks {
		for _, emit := range chain.Block(at(regMessage, 16*i)) {
			emit()
		}
	}
	f.advanceMessage(blocks)
}

// advanceMessage moves on by some blocks of the MAC.
func (f *fused) advanceMessage(blocks int) {
	f.ADDQ(operand.U32(16*blocks), regMessage)
}
