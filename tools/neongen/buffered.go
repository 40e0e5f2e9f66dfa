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
		var used [4]bool
		for slot := range m.width {
			best := -1
			if slot == 0 {
				best = s.pick(func(c class) bool { return m.unit(c) != 1 })
			}
			if best < 0 {
				best = s.pick(func(c class) bool {
					return c == vector && used[1] || c == vectorPermute && used[1] || memoryClass(c) && used[2]
				})
			}
			if best < 0 {
				break
			}
			n := &s.nodes[best]
			used[m.unit(n.ins.class)] = true
			s.place(best)
			out = append(out, n.ins.text)
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

// memoryClass reports whether a class passes through the unit of integer loads and
// stores.
func memoryClass(c class) bool { return c == scalarLoad || c == scalarStore }

// pick returns the instruction with the longest way to go of those that can be taken
// now, or -1.
func (s *buffer) pick(blocked func(class) bool) int {
	best := -1
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.placed || n.waiting > 0 || blocked(n.ins.class) || !buffered(n.ins.class) && s.operands[i] > s.cycle {
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
