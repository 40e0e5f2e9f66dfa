// Package schedule orders the instructions of a basic block for an in-order
// core.
//
// The generators write the instructions of a loop body in the order in which
// they are easiest to read, with the registers already assigned; the scheduler
// then interleaves independent strands (the carry of one iteration, the
// multiplications of the next, the scalar work beside the vector work). Cores
// that reorder instructions themselves hardly notice; the small in-order ones,
// for which most of this project's assembly is made, depend on it.
//
// It is greedy list scheduling: cycle by cycle, of the instructions whose
// operands are ready, those with the longest path of dependent work behind them
// are issued first. The body is treated as a loop: what an instruction of the
// next iteration waits for counts as work behind.
package schedule

import (
	"github.com/quarterround/quarterround/tools/internal/dataflow"
	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// Body returns the lines of text, which must be instructions of one basic
// block, in the order that is best for m. With loop, the block is followed by
// itself.
func Body(a gnuas.Arch, m *Machine, text string, loop bool) string {
	ops := decodeAll(a, text)
	edges := dependencies(ops, m, loop)
	height := dataflow.Heights(edges, make([]int, 2*len(ops)))
	state := newIssue(m)
	order := state.run(ops, edges, height)
	if loop { // again, with the results of the previous iteration under way
		state.wrap()
		order = state.run(ops, edges, height)
	}
	out := ""
	for _, i := range order {
		out += ops[i].text + "\n"
	}
	return out
}

// dependencies returns the edges of the operations, with loop into the next turn too.
func dependencies(ops []op, m *Machine, loop bool) []dataflow.Edge {
	reads, writes := make([][]resource, len(ops)), make([][]resource, len(ops))
	for i := range ops {
		reads[i], writes[i] = ops[i].reads, ops[i].writes
	}
	return dataflow.Edges(reads, writes, func(i, _ int, r resource) int { return m.latency(&ops[i], r) }, loop)
}

// issue is the state of the core's front end.
type issue struct {
	m     *Machine
	ready map[resource]int // cycle in which a result can be used
	busy  [units]int       // cycle from which a unit is free
	cycle int
	slots int
	used  [units]bool // units used in this cycle
}

func newIssue(m *Machine) *issue {
	return &issue{m: m, ready: map[resource]int{}}
}

// wrap makes the current cycle the first of the next iteration.
func (s *issue) wrap() {
	for r, t := range s.ready {
		s.ready[r] = t - s.cycle
	}
	for u := range s.busy {
		s.busy[u] -= s.cycle
	}
	s.cycle, s.slots = 0, 0
	s.used = [units]bool{}
}

// run issues all operations and returns their order.
func (s *issue) run(ops []op, edges []dataflow.Edge, height []int) []int {
	n := len(ops)
	waits := make([]int, n)    // unissued predecessors
	earliest := make([]int, n) // by edges within the iteration
	out := make([][]dataflow.Edge, n)
	for _, e := range edges {
		if e.To < n {
			waits[e.To]++
			out[e.From] = append(out[e.From], e)
		}
	}
	for i := range ops {
		if waits[i] == 0 {
			for _, r := range ops[i].reads {
				earliest[i] = max(earliest[i], s.ready[r])
			}
		}
	}
	issued := make([]bool, n)
	var order []int
	for len(order) < n {
		best := -1
		for i := range ops {
			if issued[i] || waits[i] > 0 || earliest[i] > s.cycle || !s.free(&ops[i]) {
				continue
			}
			if best < 0 || height[i] > height[best] {
				best = i
			}
		}
		if best < 0 {
			s.next()
			continue
		}
		issued[best] = true
		order = append(order, best)
		s.take(&ops[best])
		for _, e := range out[best] {
			waits[e.To]--
			earliest[e.To] = max(earliest[e.To], s.cycle+e.Delay)
		}
	}
	s.next()
	return order
}

func (s *issue) next() {
	s.cycle++
	s.slots = 0
	s.used = [units]bool{}
}

// free reports whether o may issue in this cycle.
func (s *issue) free(o *op) bool {
	c := &s.m.classes[o.class]
	if s.slots >= s.m.width || s.busy[c.unit] > s.cycle {
		return false
	}
	return c.unit == alu || !s.used[c.unit]
}

func (s *issue) take(o *op) {
	c := &s.m.classes[o.class]
	s.slots++
	s.used[c.unit] = true
	s.busy[c.unit] = s.cycle + s.m.occupancy(o)
	if c.unit == alu {
		s.busy[c.unit] = 0
	}
	for _, r := range o.writes {
		s.ready[r] = s.cycle + s.m.latency(o, r)
	}
	if s.m.blocking && o.vector { // the second half of a 128-bit operation holds the issue stage
		s.cycle += s.m.occupancy(o) - 1
		if s.m.occupancy(o) > 1 {
			s.slots = s.m.width
		}
	}
}
