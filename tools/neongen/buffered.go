package main

// scheduleBuffered reorders straight-line code, as schedule does, for a processor that
// takes two instructions a cycle in order and lets integer ones wait for their operands
// in a buffer, while a vector instruction or one that accesses memory holds up all
// behind it until it can begin. So a cycle has one vector instruction, if any can begin,
// and one other, and integer instructions come as early as there is room.
func scheduleBuffered(code []string, m machine) []string {
	s := &buffer{m: m, nodes: graph(code, m)}
	s.operands = make([]int, len(s.nodes))
	var out []string
	for s.cycle = 0; len(out) < len(s.nodes); s.cycle++ {
		arithmetic, memory := false, false // taken in this cycle
		for range m.width {
			best := -1
			if !arithmetic {
				best = s.pick(vectorArithmetic)
			}
			if best < 0 {
				best = s.pick(func(c class) bool { return !vectorArithmetic(c) && !(memory && memoryClass(c)) })
			}
			if best < 0 {
				break
			}
			ins := &s.nodes[best].ins
			arithmetic = arithmetic || vectorArithmetic(ins.class)
			memory = memory || memoryClass(ins.class)
			s.place(best)
			out = append(out, ins.text)
		}
	}
	return out
}

// A buffer is the state of scheduleBuffered.
type buffer struct {
	m        machine
	nodes    []node
	operands []int // cycle in which all operands are there
	cycle    int
	multiply int // cycle from which the multiplier is free
}

// buffered reports whether a class waits for its operands in the buffer.
func buffered(c class) bool { return c == scalar || c == scalarMultiply }

// vectorArithmetic reports whether a class is for the vector unit itself.
func vectorArithmetic(c class) bool { return c == vector || c == vectorPermute }

// memoryClass reports whether a class passes through the unit of integer loads and
// stores.
func memoryClass(c class) bool { return c == scalarLoad || c == scalarStore }

// pick returns the instruction with the longest way to go of those that can be taken
// now and are of a class that may be, or -1.
func (s *buffer) pick(may func(class) bool) int {
	best := -1
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.placed || n.waiting > 0 || !may(n.ins.class) {
			continue
		}
		if !buffered(n.ins.class) && s.operands[i] > s.cycle {
			continue
		}
		if best < 0 || n.height > s.nodes[best].height {
			best = i
		}
	}
	return best
}

// place takes an instruction.
func (s *buffer) place(i int) {
	n := &s.nodes[i]
	n.placed = true
	begin := max(s.cycle, s.operands[i])
	if n.ins.class == scalarMultiply {
		begin = max(begin, s.multiply)
		s.multiply = begin + s.m.multiplyBusy
	}
	for _, e := range n.after {
		s.nodes[e.to].waiting--
		at := s.cycle
		if e.delay > 0 {
			at = begin + e.delay
		}
		s.operands[e.to] = max(s.operands[e.to], at)
	}
}
