package main

import (
	"strings"

	"github.com/quarterround/quarterround/tools/internal/dataflow"
)

// A machine is the processor the scheduler arranges a block for. It issues in
// order, at most Width instructions a cycle, and no two of one unit.
type machine struct {
	width int
	// vector is the number of cycles for which a 128-bit instruction keeps
	// anything from issuing, result the number after which one that depends on
	// it may issue.
	vector, result int
	// load is the latency of loads, shift that of an integer instruction with
	// a shifted operand.
	load, shift int
	// multiply is the latency of an integer multiplication, multiplyBusy for how
	// long it keeps the multiplier.
	multiply, multiplyBusy int
	// sooner is by how much a vector shift or reversal needs its operands sooner
	// than other vector instructions.
	sooner int
	// buffered is true for a processor that scheduleBuffered is for.
	buffered bool
	// insert is the number of extra cycles a shift and insert takes.
	insert int
	// permute is true if permutes share the unit of vector loads and stores.
	permute bool
}

// latency returns the cycles between ins and an instruction that needs its
// result.
func (m machine) latency(ins *instruction) int {
	switch ins.class {
	case scalar:
		if ins.shifted {
			return m.shift
		}
		return 1
	case scalarMultiply:
		return m.multiply
	case scalarLoad:
		return m.load
	case vector, vectorPermute:
		if strings.HasPrefix(ins.text, "vrev") {
			return m.result - m.sooner
		}
		return m.result
	case vectorLoad:
		return m.load + 1
	}
	return 1
}

// delay returns the cycles between from and to, which needs its result.
func (m machine) delay(from, to *instruction) int {
	d := m.latency(from)
	early := strings.HasPrefix(to.text, "vsh") || strings.HasPrefix(to.text, "vsri") || strings.HasPrefix(to.text, "vrev")
	if early && (from.class == vector || from.class == vectorPermute) {
		d += m.sooner
	}
	return d
}

// occupancy returns the cycles for which an instruction keeps its unit.
func (m machine) occupancy(ins *instruction) int {
	if ins.class == scalarMultiply {
		return m.multiplyBusy
	}
	if strings.HasPrefix(ins.text, "vsri") {
		return 1 + m.insert
	}
	return 1
}

// blocked returns the cycles after the first during which nothing issues.
func (m machine) blocked(ins *instruction) int {
	if ins.class != vector && ins.class != vectorPermute || !strings.Contains(ins.text, "q") {
		return 0
	}
	return m.vector - 1
}

// unit returns which of the machine's units executes a class.
func (m machine) unit(c class) int {
	switch c {
	case scalar:
		return 0
	case vector:
		return 1
	case vectorPermute:
		if !m.permute {
			return 1
		}
	case scalarMultiply:
		return 3
	}
	return 2
}

// A node is an instruction in the dependency graph of its block.
type node struct {
	ins     instruction
	after   []edge // instructions that must come later
	waiting int    // predecessors not yet placed
	ready   int    // earliest cycle
	height  int    // cycles from here to the end of the block
	placed  bool
}

type edge struct{ to, delay int }

// schedule reorders straight-line code for m, keeping its meaning. Memory other
// than the frame is only read, or written from registers that depend on what
// was read there, so it orders nothing.
func schedule(code []string, m machine) []string {
	if m.buffered {
		return scheduleBuffered(code, m)
	}
	nodes := graph(code, m)
	var out []string
	var free [4]int // cycle from which a unit takes another instruction
	for cycle := 0; len(out) < len(nodes); cycle++ {
		issued := 0
		for issued < m.width {
			best := pick(nodes, cycle, func(c class) bool { return c != scalar && free[m.unit(c)] > cycle })
			if best < 0 {
				break
			}
			n := &nodes[best]
			n.placed = true
			free[m.unit(n.ins.class)] = cycle + m.occupancy(&n.ins)
			issued++
			out = append(out, n.ins.text)
			for _, e := range n.after {
				s := &nodes[e.to]
				s.waiting--
				s.ready = max(s.ready, cycle+e.delay)
			}
			cycle += m.blocked(&n.ins)
		}
	}
	return out
}

// pick returns the ready instruction with the longest way to go, or -1.
func pick(nodes []node, cycle int, blocked func(class) bool) int {
	best := -1
	for i := range nodes {
		n := &nodes[i]
		if n.placed || n.waiting > 0 || n.ready > cycle || blocked(n.ins.class) {
			continue
		}
		if best < 0 || n.height > nodes[best].height {
			best = i
		}
	}
	return best
}

// graph builds the dependency graph of straight-line code.
func graph(code []string, m machine) []node {
	nodes := make([]node, len(code))
	uses, defs, results := make([][]string, len(code)), make([][]string, len(code)), make([]int, len(code))
	for i, text := range code {
		ins := parse(text)
		nodes[i] = node{ins: ins}
		uses[i], defs[i], results[i] = ins.uses, ins.defs, m.latency(&ins)
	}
	edges := dataflow.Edges(uses, defs, func(i, j int, _ string) int { return m.delay(&nodes[i].ins, &nodes[j].ins) }, false)
	for _, e := range edges {
		nodes[e.From].after = append(nodes[e.From].after, edge{e.To, e.Delay})
		nodes[e.To].waiting++
	}
	for i, h := range dataflow.Heights(edges, results) {
		nodes[i].height = h
	}
	balance(nodes)
	return nodes
}

// balance scales the heights of integer instructions so that an integer stream
// which shares the block with a vector stream is spread over all of it.
func balance(nodes []node) {
	var tallest [2]int
	kind := func(c class) int {
		if c == scalar || c == scalarMultiply || c == scalarLoad || c == scalarStore {
			return 0
		}
		return 1
	}
	for i := range nodes {
		k := kind(nodes[i].ins.class)
		tallest[k] = max(tallest[k], nodes[i].height)
	}
	if tallest[0] == 0 || tallest[1] == 0 {
		return
	}
	for i := range nodes {
		if kind(nodes[i].ins.class) == 0 {
			nodes[i].height = nodes[i].height * tallest[1] / tallest[0]
		}
	}
}
