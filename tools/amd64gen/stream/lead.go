package main

import (
	"fmt"
	"maps"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// leadSignature is that of a kernel that leads: one step of another kernel whose first
// block is written by itself, as it is. An AEAD takes the key of the MAC from it. The
// other blocks are XORed into a message that need not fill them.
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

// offset returns where the output begins in bytes behind so many scalar blocks, of which
// a lead has one or none.
func (o *lead) offset(scalars int) int {
	if o == nil {
		return 64 * scalars
	}
	return 64 * (scalars - 1)
}

// frame returns how many bytes of the frame are in use.
func (o *lead) frame() int {
	if o == nil {
		return 0
	}
	return mixedScratch + o.most - o.before
}

// leadLane writes a kernel of lanes, sets of rows, and a scalar block or none that leads.
func (g *generator) leadLane(c *cipher, bytes, groups, sets, scalars int) {
	l := g.newLane(c, bytes, groups)
	l.first, l.rows = scalars, sets
	last := 64 * l.lanes()
	if sets > 0 {
		last = 4 * bytes * sets
	}
	l.lead = l.generator.newLead(c, l.blocks(), last)
	l.scratch = l.lead.frame()
	g.writeLead(c, l, l.lead, scalars)
}

// leadRow writes a kernel of rows and a scalar block or none that leads.
func (g *generator) leadRow(c *cipher, bytes, blocks, scalars int) {
	r := g.newRow(c, bytes, blocks)
	r.first = scalars
	r.lead = r.generator.newLead(c, r.blocks(), 4*bytes)
	g.writeLead(c, r, r.lead, scalars)
}

// newLead returns the lead of a kernel whose last part has so many bytes.
func (g *generator) newLead(c *cipher, blocks, last int) *lead {
	most := 64 * (blocks - 1)
	return &lead{generator: g, name: fmt.Sprintf("%sLeadX%d", c.name, blocks), before: max(0, most-last), most: most}
}

func (g *generator) writeLead(c *cipher, v vectorKernel, o *lead, scalars int) {
	if scalars > 0 {
		newMixed(g, c, v, scalars).lead(o)
		return
	}
	code := v.rounds()
	o.enter()
	v.prologue()
	v.begin()
	o.loop(o.name+"_rounds", func() {
		for _, in := range code {
			v.instruction(in)
		}
	})
	o.Load(o.Param("first"), regFirst)
	o.leave(v)
}

// enter begins the function.
func (o *lead) enter() {
	o.Function(o.name)
	o.SignatureExpr(leadSignature)
	o.Load(o.Param("state"), regState)
	o.Load(o.Param("rounds"), regRounds)
	o.SHRQ(operand.U8(1), regRounds)
	o.alignScratch()
}

// leave writes the output and ends the function.
func (o *lead) leave(v vectorKernel) {
	o.Load(o.Param("dst").Base(), regDst)
	o.Load(o.Param("src").Base(), regSrc)
	o.Load(o.Param("state"), regState)
	v.finish()
	o.xorRest()
	o.end(max(v.frame(), mixedScratch))
}

// lead emits the kernel.
func (m *mixed) lead(o *lead) {
	vector := m.vector.rounds()
	_, general := m.rounds()
	o.enter()
	m.MOVL(reg.EBX, m.home(homeDouble))
	m.vector.prologue()
	m.loadCounter(m.cipher)
	m.MOVQ(regCounter, m.home(homeCounter))
	m.ADDQ(operand.U8(1), regCounter)
	m.vector.begin()
	m.block(o.name, vector, general, m.writeFirst)
	if m.scratch > mixedScratch {
		panic("the scalar block needs more room in the frame")
	}
	o.leave(m.vector)
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

// begin is called before each part of the output. If it is the last one and the message
// ends in it, it goes to the frame.
func (o *lead) begin(last bool) {
	if o == nil || !last {
		return
	}
	whole := o.name + "_whole"
	o.compareLength()
	o.JE(operand.LabelRef(whole))
	o.LEAQ(at(regScratch, mixedScratch), regDst)
	o.LEAQ(o.constant("zeros"), regSrc)
	if o.before > 0 {
		o.SUBQ(operand.U32(o.before), regDst)
		o.SUBQ(operand.U32(o.before), regSrc)
	}
	o.Label(whole)
}

// compareLength compares the length of the message with the most there is.
func (o *lead) compareLength() {
	o.Load(o.Param("src").Len(), regLen)
	o.CMPQ(regLen, operand.U32(o.most))
}

// xorRest XORs the keystream in the frame, if it is there, into the end of the message.
func (o *lead) xorRest() {
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
