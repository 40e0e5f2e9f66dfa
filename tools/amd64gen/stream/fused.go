package main

import (
	"reflect"
	"strconv"

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

// doubleRounds is the number of double rounds of ChaCha20.
const doubleRounds = 10

// newFused returns a kernel of the given number of groups.
func (g *generator) newFused(groups int, seal bool) *fused {
	l := g.newLane(&chacha, g.bytes, groups)
	l.scratch = fusedScratch
	f := &fused{lane: l, seal: seal, unroll: 1}
	for f.stepMACBlocks()*f.unroll/doubleRounds < mulq.Period {
		f.unroll++
	}
	f.macBlocks = f.stepMACBlocks() * f.unroll / doubleRounds / mulq.Period * mulq.Period
	return f
}

// stepBytes returns the number of bytes in a step.
func (f *fused) stepBytes() int { return 64 * f.blocks() }

// stepMACBlocks returns the number of MAC blocks in a step.
func (f *fused) stepMACBlocks() int { return 4 * f.blocks() }

// write emits the kernel.
func (f *fused) write() {
	code := f.rounds()
	f.start()
	f.Label("step")
	f.MOVQ(at(regScratch, fusedCounter), regCounter)
	f.begin()
	f.MOVQ(regCounter, at(regScratch, fusedCounter))
	f.findMessage()
	f.stitched(code)
	if f.seal {
		f.JMP(operand.LabelRef("finish"))
		f.plain(code)
		f.Label("finish")
	}
	f.out()
	f.Load(f.Param("src").Len(), reg.RAX)
	f.CMPQ(reg.RAX, at(regScratch, fusedDone))
	f.JNE(operand.LabelRef("step"))
	if f.seal {
		f.MOVQ(regDst, regMessage)
		f.MOVL(operand.U32(f.stepMACBlocks()), regFusedRounds.As32())
		mulq.Absorb(f.Context)
	}
	f.Load(f.Param("mac"), reg.RAX)
	mulq.Store(f.Context, reg.RAX)
	f.end(f.scratch)
}

// start emits the head of the function, up to its first step.
func (f *fused) start() {
	name := "fusedOpenX"
	if f.seal {
		name = "fusedSealX"
	}
	f.Function(name + strconv.Itoa(f.blocks()))
	f.SignatureExpr(fusedSignature)
	f.alignScratch()
	f.Load(f.Param("state"), regState)
	f.prologue()
	f.MOVQ(regCounter, at(regScratch, fusedCounter))
	f.MOVQ(operand.U32(0), at(regScratch, fusedDone))
	f.Load(f.Param("mac"), reg.RAX)
	mulq.Load(f.Context, reg.RAX)
}

// findMessage emits what points the MAC at the ciphertext that goes with a step, and
// sets the count of passes. The first step of seal has none.
func (f *fused) findMessage() {
	f.MOVL(operand.U32(doubleRounds/f.unroll), regFusedRounds.As32())
	if !f.seal {
		f.Load(f.Param("src").Base(), regMessage)
		f.ADDQ(at(regScratch, fusedDone), regMessage)
		return
	}
	f.Load(f.Param("dst").Base(), regMessage)
	f.MOVQ(at(regScratch, fusedDone), reg.RAX)
	f.TESTQ(reg.RAX, reg.RAX)
	f.JZ(operand.LabelRef("plain"))
	f.LEAQ(operand.Mem{Base: regMessage, Index: reg.RAX, Scale: 1, Disp: -f.stepBytes()}, regMessage)
}

// stitched emits the rounds of a step with the MAC.
func (f *fused) stitched(code []instruction) {
	chain := mulq.NewChain(f.Context)
	f.Label("rounds")
	f.stitch(code, chain)
	f.DECQ(regFusedRounds)
	f.JNZ(operand.LabelRef("rounds"))
	f.absorb(chain, f.stepMACBlocks()-f.macBlocks*doubleRounds/f.unroll)
	chain.Restore()
}

// plain emits the rounds of a step without the MAC.
func (f *fused) plain(code []instruction) {
	f.Label("plain")
	for range f.unroll {
		for _, in := range code {
			f.instruction(in)
		}
	}
	f.DECQ(regFusedRounds)
	f.JNZ(operand.LabelRef("plain"))
}

// out emits the XOR of a step, and goes on to the next.
func (f *fused) out() {
	f.Load(f.Param("dst").Base(), regDst)
	f.Load(f.Param("src").Base(), regSrc)
	f.MOVQ(at(regScratch, fusedDone), reg.RAX)
	f.ADDQ(reg.RAX, regDst)
	f.ADDQ(reg.RAX, regSrc)
	f.finish()
	f.ADDQ(operand.U32(f.stepBytes()), at(regScratch, fusedDone))
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
