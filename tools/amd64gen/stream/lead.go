package main

import (
	"fmt"
	"maps"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// leadSignature is that of a kernel that leads: one step of a mixed kernel with one
// block in general registers, which is written by itself, as it is. An AEAD takes the
// key of the MAC from it. The other blocks are XORed into a message that need not fill
// them.
const leadSignature = "func(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)"

// A lead is where the output of a kernel that leads goes; nil for another kernel. What
// may lack room is its last part: the last group of lanes or set of rows, or all rows
// beside lanes. If the message ends there, that part goes to the frame, behind the scalar
// block, as plain keystream, and what there is of the message is XORed with it.
type lead struct {
	*generator
	name         string
	before, most int // bytes of output before the last part, and with it
}

// offset returns where the output begins in bytes behind so many scalar blocks.
func (o *lead) offset(scalars int) int {
	if o == nil {
		return 64 * scalars
	}
	return 0
}

// frame returns how many bytes of the frame are in use.
func (o *lead) frame() int {
	if o == nil {
		return 0
	}
	return mixedScratch + o.most - o.before
}

// leadLane writes a kernel of lanes and sets of rows that leads.
func (g *generator) leadLane(c *cipher, bytes, groups, sets int) {
	l := g.newLane(c, bytes, groups)
	l.first, l.rows = 1, sets
	before := 64 * l.lanes() * groups
	if sets == 0 {
		before -= 64 * l.lanes()
	}
	l.lead = l.generator.newLead(c, l.blocks(), before)
	l.scratch = l.lead.frame()
	newMixed(g, c, l, 1).lead(l.lead)
}

// leadRow writes a kernel of rows that leads.
func (g *generator) leadRow(c *cipher, bytes, blocks int) {
	r := g.newRow(c, bytes, blocks)
	r.first = 1
	r.lead = r.generator.newLead(c, r.blocks(), (r.sets-1)*4*bytes)
	newMixed(g, c, r, 1).lead(r.lead)
}

func (g *generator) newLead(c *cipher, blocks, before int) *lead {
	return &lead{generator: g, name: fmt.Sprintf("%sLeadX%d", c.name, blocks), before: before, most: 64 * (blocks - 1)}
}

// lead emits the kernel.
func (m *mixed) lead(o *lead) {
	vector := m.vector.rounds()
	_, general := m.rounds()
	m.Function(o.name)
	m.SignatureExpr(leadSignature)
	m.Load(m.Param("state"), regState)
	m.Load(m.Param("rounds"), regRounds)
	m.SHRQ(operand.U8(1), regRounds)
	m.alignScratch()
	m.MOVL(reg.EBX, m.home(homeDouble))
	m.vector.prologue()
	m.loadCounter(m.cipher)
	m.MOVQ(regCounter, m.home(homeCounter))
	m.ADDQ(operand.U8(1), regCounter)
	m.vector.begin()
	m.block(o.name, vector, general, m.writeFirst)
	m.Load(m.Param("dst").Base(), regDst)
	m.Load(m.Param("src").Base(), regSrc)
	m.Load(m.Param("state"), regState)
	m.vector.finish()
	o.end()
	if m.scratch > mixedScratch {
		panic("the scalar block needs more room in the frame")
	}
	m.end(max(m.vector.frame(), mixedScratch))
}

// writeFirst adds the input to the scalar block and writes it.
func (m *mixed) writeFirst() {
	m.where = maps.Clone(m.places)
	m.free = nil
	pointer := func(name string) reg.GPPhysical {
		r := m.registers[m.take()]
		m.Load(m.Param(name), r)
		return r
	}
	state, first := pointer("state"), pointer("first")
	for i := range 16 {
		x := m.sum(variable(i), state)
		m.MOVL(x, at(first, 4*i))
		m.release(variable(i))
	}
}

// begin is called before the part of the output that begins at this offset. If it is the
// last one and the message ends in it, it goes to the frame.
func (o *lead) begin(offset int) {
	if o == nil || offset != o.before {
		return
	}
	whole := o.name + "_whole"
	o.compareLength()
	o.JE(operand.LabelRef(whole))
	o.LEAQ(at(regScratch, mixedScratch), regDst)
	o.LEAQ(o.constant("zeros"), regSrc)
	if offset > 0 {
		o.SUBQ(operand.U32(offset), regDst)
		o.SUBQ(operand.U32(offset), regSrc)
	}
	o.Label(whole)
}

// compareLength compares the length of the message with the most there is.
func (o *lead) compareLength() {
	o.Load(o.Param("src").Len(), regLen)
	o.CMPQ(regLen, operand.U32(o.most))
}

// end XORs the keystream in the frame, if it is there, into the end of the message.
func (o *lead) end() {
	done := o.name + "_done"
	o.compareLength()
	o.JE(operand.LabelRef(done))
	o.Load(o.Param("dst").Base(), regDst)
	o.Load(o.Param("src").Base(), regSrc)
	if o.before > 0 {
		o.ADDQ(operand.U32(o.before), regDst)
		o.ADDQ(operand.U32(o.before), regSrc)
		o.SUBQ(operand.U32(o.before), regLen)
	}
	keystream := reg.RAX
	o.LEAQ(at(regScratch, mixedScratch), keystream)
	y := o.vector(0)
	o.pieces("vectors", o.bytes, func() {
		o.moveUnaligned(y, at(keystream, 0))
		o.xorStore(0, y, o.vector(1))
	})
	o.pieces("words", 8, func() {
		o.MOVQ(at(keystream, 0), reg.RDX)
		o.XORQ(at(regSrc, 0), reg.RDX)
		o.MOVQ(reg.RDX, at(regDst, 0))
	})
	o.pieces("bytes", 1, func() {
		o.MOVB(at(keystream, 0), reg.DL)
		o.XORB(at(regSrc, 0), reg.DL)
		o.MOVB(reg.DL, at(regDst, 0))
	})
	o.Label(done)
}

// pieces repeats body for as many pieces of this size as are left.
func (o *lead) pieces(what string, size int, body func()) {
	label := o.name + "_" + what
	o.SUBQ(operand.U8(size), regLen)
	o.JB(operand.LabelRef(label + "_done"))
	o.Label(label)
	body()
	o.ADDQ(operand.U8(size), reg.RAX)
	o.ADDQ(operand.U8(size), regSrc)
	o.ADDQ(operand.U8(size), regDst)
	o.SUBQ(operand.U8(size), regLen)
	o.JAE(operand.LabelRef(label))
	o.Label(label + "_done")
	o.ADDQ(operand.U8(size), regLen)
}
