// Package inorder models small in-order ARM cores: it plays an executed trace
// against a scoreboard and says how many cycles it takes.
//
// The model: instructions issue in program order, at most Width a cycle, of
// those at most one for memory, one multiplication, one with a shifted operand
// and one for NEON. An instruction issues when its operands are ready and its
// pipe is free; its results are ready a latency later. Loads hit the first
// level cache, branches are predicted, and instruction fetch is free.
//
// It ranks kernels and shows latency-bound code. It measures nothing: see
// CPUs for how far it is off.
package inorder

import (
	"fmt"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// A CPU is what the scoreboard knows of one core. Latencies and occupancies
// are in cycles.
type CPU struct {
	Name string // as in internal/cpu
	Arch *trace.Arch

	Width      int  // instructions issued a cycle
	BranchEnds bool // nothing issues beside and after a branch in its cycle

	LoadLatency      int
	ShiftLatency     int // added by a shifted register operand
	MultiplyBusy     int // occupancy of the integer multiplier
	MultiplyLatency  int
	QuadBusy         int  // occupancy of the NEON pipe by a 128-bit operation
	DoubleBusy       int  // the same by a 64-bit one
	QuadBlocks       bool // while a NEON operation occupies its pipe nothing issues
	VectorLatency    int
	InsertBusy       int // added to the occupancy of a shift and insert
	VectorMulBusy    int
	VectorMulLatency int
	PermuteBusy      int  // occupancy by a 128-bit permutation
	PermutePairs     bool // NEON loads, stores and permutations issue beside arithmetic
	HalfVectorMove   bool // a NEON load or store moves 128 bits a cycle, not 64
}

// toCore is what a move from a NEON to an integer register takes beyond the
// latency of NEON.
const toCore = 6

// Decode turns the instructions of a trace into what Cycles wants.
func Decode(tr *trace.Trace) ([]Op, error) {
	decode := decodeARM
	if tr.Arch == trace.ARM64 {
		decode = decodeARM64
	}
	ops := make([]Op, len(tr.Instructions))
	for i := range tr.Instructions {
		op, err := decode(tr.Instructions[i].Text)
		if err != nil {
			return nil, fmt.Errorf("at %#x: %w", tr.Instructions[i].Address, err)
		}
		ops[i] = op
	}
	return ops, nil
}

// Cycles returns how long the CPU takes for ops in the given order, from the
// issue of the first to the issue of the last.
func (c *CPU) Cycles(ops []Op, order []int) int {
	b := board{cpu: c}
	for _, i := range order {
		b.issue(&ops[i])
	}
	return b.now
}

// unit is what only one instruction of a cycle may use.
type unit uint8

const (
	unitMemory unit = 1 << iota
	unitMultiply
	unitShift
	unitNEON
	unitPermute
)

// board is the state of the scoreboard. All times are in cycles.
type board struct {
	cpu    *CPU
	now    int
	issued int  // instructions issued in this cycle
	used   unit // by them
	ready  [registers]int

	multiplyFree, memoryFree, neonFree int
}

// besideArithmetic reports whether the op goes to the load, store and permute
// pipe of the NEON unit rather than to its arithmetic.
func (b *board) besideArithmetic(op *Op) bool {
	return b.cpu.PermutePairs && (op.Class == VectorLoad || op.Class == VectorStore || op.Class == VectorPermute)
}

// unitOf returns the unit of the op, or 0 if any number may issue together.
func (b *board) unitOf(op *Op) unit {
	switch {
	case b.besideArithmetic(op):
		return unitPermute
	case op.Class.vector():
		return unitNEON
	case op.Class == Load || op.Class == Store:
		return unitMemory
	case op.Class == Multiply:
		return unitMultiply
	case op.Shifted:
		return unitShift
	}
	return 0
}

// earliest returns when operands and pipe are ready.
func (b *board) earliest(op *Op) int {
	t := b.now
	for _, r := range op.Reads {
		t = max(t, b.ready[r])
	}
	switch op.Class {
	case Multiply:
		t = max(t, b.multiplyFree)
	case Load, Store, VectorLoad, VectorStore:
		t = max(t, b.memoryFree)
	case VectorPermute:
		if b.cpu.PermutePairs {
			return max(t, b.memoryFree)
		}
		t = max(t, b.neonFree)
	case VectorArithmetic, VectorInsert, VectorMultiply, VectorToCore:
		t = max(t, b.neonFree)
	}
	return t
}

// issue issues one instruction.
func (b *board) issue(op *Op) {
	t := b.earliest(op)
	unit := b.unitOf(op)
	if t == b.now && (b.issued >= b.cpu.Width || b.used&unit != 0) {
		t++
	}
	if t > b.now {
		b.now, b.issued, b.used = t, 0, 0
	}
	b.issued++
	b.used |= unit
	if op.Class == Branch && b.cpu.BranchEnds {
		b.issued = b.cpu.Width
	}
	busy, latency := b.cpu.cost(op)
	switch op.Class {
	case Multiply:
		b.multiplyFree = t + busy
	case Load, Store, VectorLoad, VectorStore:
		b.memoryFree = t + busy
	case VectorPermute:
		if b.cpu.PermutePairs {
			b.memoryFree = t + busy
		} else {
			b.neonFree = t + busy
		}
	case VectorArithmetic, VectorInsert, VectorMultiply, VectorToCore:
		b.neonFree = t + busy
	}
	for _, r := range op.Writes {
		b.ready[r] = t + latency
	}
	for _, r := range op.Updates {
		b.ready[r] = t + 1
	}
	if b.cpu.QuadBlocks && op.Class.vector() {
		b.now += busy - 1
	}
}

// cost returns how long the op occupies its pipe and when its result is ready.
func (c *CPU) cost(op *Op) (busy, latency int) {
	switch op.Class {
	case Multiply:
		return c.MultiplyBusy, c.MultiplyLatency
	case Load, Store:
		busy = max(1, (op.Moved+1)/2)
		return busy, c.LoadLatency + busy - 1
	case VectorLoad, VectorStore:
		busy = max(1, op.Moved)
		if c.HalfVectorMove {
			busy = max(1, op.Moved/2)
		}
		return busy, c.VectorLatency + busy
	case VectorMultiply:
		return c.VectorMulBusy, c.VectorMulLatency
	case VectorPermute:
		busy = 1
		if op.Quad {
			busy = c.PermuteBusy
		}
		return busy, c.VectorLatency + busy - 1
	case VectorArithmetic, VectorInsert:
		busy = c.DoubleBusy
		if op.Quad {
			busy = c.QuadBusy
		}
		if op.Class == VectorInsert {
			busy += c.InsertBusy
		}
		return busy, c.VectorLatency + busy - 1
	case VectorToCore:
		return 1, c.VectorLatency + toCore
	}
	if op.Shifted {
		return 1, 1 + c.ShiftLatency
	}
	return 1, 1
}
