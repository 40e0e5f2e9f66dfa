package main

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// inFrame is the place of a variable that is in its frame slot.
const inFrame = -1

// places says where variables are at a block boundary: a register number or
// inFrame. Variables not in it are dead there.
type places map[string]int

// registerFile is one kind of register with what it takes to move it.
type registerFile struct {
	sigil string // "$" or "%"
	pool  []int  // registers the allocator may use
	// load, store and move are the instructions between a register and a frame
	// offset, and between two registers.
	load, store func(reg, offset int) []string
	// loadLow loads the low half of a vector.
	loadLow  func(reg, offset int) []string
	move     func(to, from int) []string
	slotSize int
}

// An allocator assigns registers of one file to the variables of a function
// and spills to the frame those that do not fit, farthest next use first
// (L. A. Belady, 1966).
type allocator struct {
	file  registerFile
	frame *frame
	// constant lists variables whose frame slot is valid at all times.
	constant map[string]bool
	// low lists constants of which only the low half is used.
	low map[string]bool
}

// A frame hands out stack slots.
type frame struct {
	base, size int
	slots      map[string]int
}

// slot returns the offset of a variable's slot from the stack pointer.
func (f *frame) slot(name string, size int) int {
	if at, ok := f.slots[name]; ok {
		return at
	}
	if size >= 8 { // vectors: aligned for ldr q
		f.size = (f.base+f.size+15)&^15 - f.base
	}
	at := f.base + f.size
	f.size += size
	f.slots[name] = at
	return at
}

// state is the allocator's view while it walks through a block.
type state struct {
	*allocator
	out   []string
	reg   map[string]int // variable -> register
	owner map[int]string
	valid map[string]bool // the frame slot holds the value
	home  places
	next  map[string][]int // positions of reads, -1 - position for writes
	freed map[int]int      // register -> number of instructions before it was freed
}

// block allocates straight-line code. before and after give the places of the
// variables that live across its ends; loop says that it is a loop body, so
// that what follows its end is its beginning.
//
// It returns the code and where the variables of after were before they were
// brought to their places.
func (a *allocator) block(code []string, before, after places, loop bool) ([]string, places) {
	s := &state{
		allocator: a, reg: map[string]int{}, owner: map[int]string{}, valid: map[string]bool{},
		home: after, next: map[string][]int{}, freed: map[int]int{},
	}
	for name, at := range before {
		if at == inFrame {
			s.valid[name] = true
		} else {
			s.reg[name] = at
			s.owner[at] = name
		}
	}
	parsed := make([]instruction, len(code))
	for i, text := range code {
		parsed[i] = parse(text)
		for _, v := range s.mine(parsed[i].uses) {
			s.next[v] = append(s.next[v], i)
		}
		for _, v := range s.mine(parsed[i].defs) {
			if !slices.Contains(parsed[i].uses, v) {
				s.next[v] = append(s.next[v], -1-i)
			}
		}
	}
	first := map[string]int{}
	for v, list := range s.next {
		first[v] = list[0]
	}
	for v := range after {
		at := len(code)
		if f, ok := first[v]; loop && ok && f >= 0 {
			at += f
		} else if after[v] == inFrame {
			at += len(code)
		}
		s.next[v] = append(s.next[v], at)
	}
	for v := range before {
		if s.nextUse(v, -1) < 0 {
			s.release(v)
		}
	}
	for i := range code {
		s.step(i, &parsed[i])
	}
	ended := s.current(after)
	s.finish(after)
	return s.out, ended
}

// mine selects the names of this register file, each once.
func (a *allocator) mine(names []string) []string {
	var out []string
	for _, n := range names {
		if strings.HasPrefix(n, a.file.sigil) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// nextUse returns the position of the next read of v after position i, or -1
// if its value is dead.
func (s *state) nextUse(v string, i int) int {
	for _, p := range s.next[v] {
		if p < 0 {
			if -1-p > i {
				return -1
			}
			continue
		}
		if p > i {
			return p
		}
	}
	return -1
}

func (s *state) step(i int, ins *instruction) {
	uses, defs := s.mine(ins.uses), s.mine(ins.defs)
	numbers := map[string]int{}
	for _, v := range uses {
		if _, ok := s.reg[v]; !ok {
			if ins.partial && slices.Contains(defs, v) && !s.valid[v] && !s.constant[v] {
				s.take(v, s.choose(v, i, uses))
			} else {
				s.fetch(v, i, uses)
			}
		}
		numbers[v] = s.reg[v]
	}
	for _, v := range uses {
		if s.nextUse(v, i) < 0 && !slices.Contains(defs, v) {
			s.release(v)
		}
	}
	for _, v := range defs {
		if _, ok := s.reg[v]; !ok {
			s.take(v, s.choose(v, i, slices.Concat(uses, defs)))
		}
		s.valid[v] = false
		numbers[v] = s.reg[v]
	}
	s.out = append(s.out, substitute(ins.text, s.file.sigil, numbers))
	for _, v := range defs {
		if s.nextUse(v, i) < 0 {
			s.release(v)
		}
	}
}

func (s *state) take(v string, r int) { s.reg[v], s.owner[r] = r, v }

func (s *state) release(v string) {
	if r, ok := s.reg[v]; ok {
		delete(s.owner, r)
		s.freed[r] = len(s.out)
		delete(s.reg, v)
	}
}

// fetch brings a variable from its slot into a register.
func (s *state) fetch(v string, i int, pinned []string) {
	if !s.valid[v] && !s.constant[v] {
		panic(fmt.Sprintf("neongen: %s has no value at instruction %d", v, i))
	}
	r := s.choose(v, i, pinned)
	s.take(v, r)
	s.out = append(s.out, s.load(v, r)...)
}

// load returns the instructions that bring v from its slot to register r.
func (s *state) load(v string, r int) []string {
	at := s.frame.slot(v, s.file.slotSize)
	if s.low[v] {
		return s.file.loadLow(r, at)
	}
	return s.file.load(r, at)
}

// choose finds a register for v: its home, the one that has been free longest, so
// that the scheduler may overlap what shares a register least, or that of the variable
// which is needed last, whose value goes to the frame.
func (s *state) choose(v string, i int, pinned []string) int {
	if h, ok := s.home[v]; ok && h != inFrame && s.owner[h] == "" {
		return h
	}
	taken := map[int]bool{}
	for name, h := range s.home {
		if h != inFrame && name != v {
			taken[h] = true
		}
	}
	free := -1
	for _, r := range s.file.pool {
		if s.owner[r] != "" {
			continue
		}
		if free < 0 || taken[free] && !taken[r] || taken[free] == taken[r] && s.freed[r] < s.freed[free] {
			free = r
		}
	}
	if free >= 0 {
		return free
	}
	victim, far := -1, -1
	for _, r := range s.file.pool {
		name := s.owner[r]
		if slices.Contains(pinned, name) {
			continue
		}
		at := s.nextUse(name, i)
		if s.constant[name] {
			at = i + constantWeight*(at-i)
		} else if s.valid[name] { // costs no store
			at += 2
		}
		if at > far {
			victim, far = r, at
		}
	}
	if victim < 0 {
		panic("neongen: instruction needs more registers than there are")
	}
	s.spill(s.owner[victim])
	return victim
}

// constantWeight multiplies the distance to the next use of constants, which
// cost no store and half a load.
const constantWeight = 10

// spill moves a variable to its slot.
func (s *state) spill(v string) {
	if !s.valid[v] && !s.constant[v] {
		s.out = append(s.out, s.file.store(s.reg[v], s.frame.slot(v, s.file.slotSize))...)
		s.valid[v] = true
	}
	s.release(v)
}

// finish brings every variable that lives on to its place.
func (s *state) finish(after places) {
	names := make([]string, 0, len(after))
	for v := range after {
		names = append(names, v)
	}
	sort.Strings(names)
	for _, v := range names {
		if _, ok := s.reg[v]; ok && after[v] == inFrame {
			s.spill(v)
		}
	}
	for moved := true; moved; {
		moved = false
		for _, v := range names {
			r, ok := s.reg[v]
			h := after[v]
			if !ok || h == inFrame || r == h || s.owner[h] != "" {
				continue
			}
			s.out = append(s.out, s.file.move(h, r)...)
			s.release(v)
			s.take(v, h)
			moved = true
		}
	}
	for _, v := range names { // what is left are cycles: through the frame
		if r, ok := s.reg[v]; ok && after[v] != inFrame && r != after[v] {
			s.spill(v)
		}
	}
	for _, v := range names {
		h := after[v]
		if _, ok := s.reg[v]; ok || h == inFrame {
			continue
		}
		if !s.valid[v] && !s.constant[v] {
			panic("neongen: " + v + " has no value at the end")
		}
		if s.owner[h] != "" {
			panic(fmt.Sprint("neongen: ", s.owner[h], " is where ", v, " belongs: ", after, s.reg))
		}
		s.out = append(s.out, s.load(v, h)...)
		s.take(v, h)
	}
}

// current returns where the variables of names are.
func (s *state) current(names places) places {
	out := places{}
	for v := range names {
		if r, ok := s.reg[v]; ok {
			out[v] = r
		} else {
			out[v] = inFrame
		}
	}
	return out
}

var variable = regexp.MustCompile(`([qvrwx])[$%](\w+)|d\$(\w+)\.([lh])`)

// substitute replaces the variables of one sigil in text with their numbers.
func substitute(text, sigil string, numbers map[string]int) string {
	return variable.ReplaceAllStringFunc(text, func(s string) string {
		m := variable.FindStringSubmatch(s)
		if m[3] != "" { // half of a vector
			n, ok := numbers["$"+m[3]]
			if !ok {
				return s
			}
			if m[4] == "h" {
				return "d" + itoa(2*n+1)
			}
			return "d" + itoa(2*n)
		}
		n, ok := numbers[s[1:2]+m[2]]
		if !ok || s[1:2] != sigil {
			return s
		}
		return m[1] + itoa(n)
	})
}
