package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A vectorKernel is what a mixed kernel needs of a row or lane kernel.
type vectorKernel interface {
	name() string
	blocks() int
	// rounds returns the code of a double round.
	rounds() []instruction
	instruction(in instruction)
	// prologue is emitted once, begin and finish before and after the rounds of
	// each step.
	prologue()
	begin()
	finish()
	// frame returns how many bytes of the frame are in use.
	frame() int
}

// mixed writes kernels that do blocks in general registers beside those in vectors,
// instruction by instruction: the vector units leave the others idle. Those blocks are
// the first of a step. If there are two of them they are done one after the other, each
// beside half of the rounds of the vectors, of which there is an even number.
type mixed struct {
	*scalar
	vector  vectorKernel
	scalars int // blocks in general registers, one or two
}

// mixedScratch is the room of the scalar blocks at the start of the aligned part of
// the frame, in bytes.
const mixedScratch = 128

func newMixed(g *generator, c *cipher, v vectorKernel, scalars int) *mixed {
	var registers []reg.GPPhysical
	for _, r := range generalRegisters {
		if r != regScratch {
			registers = append(registers, r)
		}
	}
	s := &scalar{generator: g, cipher: c, registers: registers, base: at(regScratch, 0)}
	return &mixed{s, v, scalars}
}

// write emits the kernel.
func (m *mixed) write() {
	name, step := m.vector.name(), m.vector.blocks()
	vector := m.vector.rounds()
	_, general := m.rounds()
	m.function(name)
	m.alignScratch()
	if m.scalars == 2 {
		m.SHRL(operand.U8(1), reg.EBX)
	}
	m.MOVL(reg.EBX, m.home(homeDouble))
	m.vector.prologue()
	m.loadCounter(m.cipher)
	m.MOVQ(regCounter, m.home(homeCounter))
	m.MOVQ(operand.U32(0), m.home(homeDone))
	m.Label(name + "_step")
	m.ADDQ(operand.U8(m.scalars), regCounter)
	m.vector.begin()
	if m.scalars == 2 {
		m.twoBlocks(name, vector, general)
	} else {
		m.block(name, vector, general, m.xorBlock)
	}
	m.Load(m.Param("dst").Base(), regDst)
	m.Load(m.Param("src").Base(), regSrc)
	m.Load(m.Param("state"), regState)
	m.ADDQ(m.home(homeDone), regDst)
	m.ADDQ(m.home(homeDone), regSrc)
	m.vector.finish()
	m.MOVQ(m.home(homeDone), regLen)
	m.advance(step, regLen)
	m.MOVQ(m.home(homeCounter), regCounter)
	m.JNE(operand.LabelRef(name + "_step"))
	if m.scratch > mixedScratch {
		panic("the scalar blocks need more room in the frame")
	}
	m.end(max(m.vector.frame(), mixedScratch))
}

// block emits a block in general registers beside the vectors, and finish behind it.
func (m *mixed) block(name string, vector, general []instruction, finish func()) {
	m.begin()
	m.Label(name + "_rounds")
	m.interleave(vector, general)
	m.DECL(m.home(homeRounds))
	m.JNZ(operand.LabelRef(name + "_rounds"))
	finish()
}

// xorBlock adds the input and XORs.
func (m *mixed) xorBlock() { m.finish() }

// twoBlocks emits two blocks in general registers beside the vectors, two double rounds
// to one.
func (m *mixed) twoBlocks(name string, vector, general []instruction) {
	m.home(homeRounds) // as if there were one block
	m.MOVL(operand.U32(2), m.home(homeBlocks))
	m.Label(name + "_block")
	m.Load(m.Param("state"), regState)
	m.block(name, vector, append(general, general...), m.xorBlock)
	m.ADDQ(operand.U8(1), m.home(homeCounter))
	m.ADDQ(operand.U8(64), m.home(homeDone))
	m.DECL(m.home(homeBlocks))
	m.JNZ(operand.LabelRef(name + "_block"))
	m.SUBQ(operand.U8(2), m.home(homeCounter))
	m.SUBQ(operand.I32(128), m.home(homeDone))
}

// interleave emits the instructions of both in proportion.
func (m *mixed) interleave(vector, general []instruction) {
	done := 0
	for i, in := range vector {
		m.vector.instruction(in)
		for ; done < (i+1)*len(general)/len(vector); done++ {
			m.instruction(general[done])
		}
	}
}
