package main

import (
	"maps"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// scalar writes one-block kernels that hold the state in general registers.
// The words that do not fit, the count of rounds and the block counter live on
// the stack; the arguments are read again when they are needed.
type scalar struct {
	*generator
	cipher    *cipher
	registers []reg.GPPhysical // the last one is RDX, the pointer to the state until it is overwritten
	base      operand.Mem      // of the homes

	homes   map[variable]int
	scratch int
	places  map[variable]place
	where   map[variable]place
	free    []int
}

var generalRegisters = []reg.GPPhysical{
	reg.RAX, reg.RBX, reg.RCX, reg.RSI, reg.RDI, reg.RBP, reg.R8, reg.R9,
	reg.R10, reg.R11, reg.R12, reg.R13, reg.R14, reg.R15, reg.RDX,
}

// Homes of what is not a variable of the rounds.
const (
	homeRounds  variable = 800 + iota // double rounds left
	homeDouble                        // double rounds in all
	homeCounter                       // block counter, 64 bits
	homeHigh                          // its high half
	homeDone                          // bytes done
	homeBlocks                        // blocks left to do beside vectors, if there are two
)

// word returns general register n, as 32 bits.
func (s *scalar) word(n int) reg.Register { return s.registers[n].As32() }

// home returns the memory of v.
func (s *scalar) home(v variable) operand.Mem {
	if _, ok := s.homes[v]; !ok {
		s.homes[v] = s.scratch
		s.scratch += 4
	}
	return s.base.Offset(s.homes[v])
}

// operand returns the register or the memory of a place.
func (s *scalar) operand(p place) operand.Op {
	if p.inMemory {
		return s.home(p.home)
	}
	return s.word(p.register)
}

// rounds allocates a double round and the homes that every kernel needs.
func (s *scalar) rounds() (body []operation, code []instruction) {
	w := &writer{dialect: dialect{rotates: true, threeOperand: true}}
	var carried []variable
	for v := range variable(16) {
		carried = append(carried, v)
	}
	body = s.cipher.doubleRound(w, 1)
	code, s.places = allocate(body, len(s.registers), carried, false)
	s.homes = map[variable]int{}
	// The two halves of the counter are one double word.
	s.home(homeCounter)
	s.home(homeHigh)
	s.homes[homeDone] = s.scratch
	s.scratch += 8
	return body, code
}

// write emits the kernel.
func (s *scalar) write() {
	name := s.cipher.name + "X1"
	body, code := s.rounds()
	s.summarize(name, 1, body, code)
	s.Function(name)
	s.SignatureExpr(signature)
	s.prologue()
	s.Label(name + "_step")
	s.begin()
	s.Label(name + "_rounds")
	for _, in := range code {
		s.instruction(in)
	}
	s.DECL(s.home(homeRounds))
	s.JNZ(operand.LabelRef(name + "_rounds"))
	state, done := s.finish()
	s.MOVQ(state, reg.RDX)
	s.advance(1, done)
	s.JNE(operand.LabelRef(name + "_step"))
	s.RET()
	s.AllocLocal((s.scratch + 7) &^ 7)
	s.nosplit(s.scratch)
}

// prologue copies to the stack what changes from block to block.
func (s *scalar) prologue() {
	s.Load(s.Param("rounds"), reg.RAX)
	s.SHRL(operand.U8(1), reg.EAX)
	s.MOVL(reg.EAX, s.home(homeDouble))
	s.Load(s.Param("state"), reg.RDX)
	// Not as one double word: the caller has just written the halves, and a load
	// that takes parts from two stores has to wait for both to reach the cache.
	s.MOVL(at(reg.RDX, 4*s.cipher.counter), reg.EAX)
	s.MOVL(at(reg.RDX, 4*s.cipher.counter+4), reg.EBX)
	s.MOVL(reg.EAX, s.home(homeCounter))
	s.MOVL(reg.EBX, s.home(homeHigh))
	s.MOVQ(operand.U32(0), s.home(homeDone))
}

// input returns the memory of an input word.
func (s *scalar) input(state reg.Register, i int) operand.Mem {
	switch i {
	case s.cipher.counter:
		return s.home(homeCounter)
	case s.cipher.counter + 1:
		return s.home(homeHigh)
	}
	return at(state, 4*i)
}

// begin loads the state; the register that points to it goes last.
func (s *scalar) begin() {
	state := reg.RDX
	s.MOVL(s.home(homeDouble), reg.EAX)
	s.MOVL(reg.EAX, s.home(homeRounds))
	last := -1
	for v := range variable(16) {
		if p := s.places[v]; p.inMemory {
			s.MOVL(s.input(state, int(v)), reg.EAX)
			s.MOVL(reg.EAX, s.home(v))
		}
	}
	for v := range variable(16) {
		switch p := s.places[v]; {
		case p.inMemory:
		case p.register == len(s.registers)-1:
			last = int(v)
		default:
			s.MOVL(s.input(state, int(v)), s.word(p.register))
		}
	}
	if last >= 0 {
		s.MOVL(s.input(state, last), reg.EDX)
	}
}

// instruction emits one placed instruction.
func (s *scalar) instruction(in instruction) {
	dst, a, b := s.operand(in.dst), s.operand(in.a), s.operand(in.b)
	switch in.kind {
	case opMove:
		s.MOVL(a, dst)
	case opRotate:
		s.ROLL(operand.U8(in.n), dst)
	case opAdd:
		switch {
		case dst == a:
			s.ADDL(b, dst)
		case dst == b:
			s.ADDL(a, dst)
		case in.b.inMemory:
			s.MOVL(a, dst)
			s.ADDL(b, dst)
		default:
			s.LEAL(operand.Mem{Base: s.registers[in.a.register], Index: s.registers[in.b.register], Scale: 1}, dst)
		}
	case opXor:
		switch {
		case dst == b:
			s.XORL(a, dst)
		case dst == a:
			s.XORL(b, dst)
		default:
			panic("exclusive or into a third register")
		}
	}
}

// finish adds the input and XORs. It returns the registers that then hold the
// pointer to the state and the bytes that were done before.
func (s *scalar) finish() (state, done reg.GPPhysical) {
	s.where = maps.Clone(s.places)
	s.free = nil
	pointer := func(load func(r reg.GPPhysical)) reg.GPPhysical {
		r := s.registers[s.take()]
		load(r)
		return r
	}
	state = pointer(func(r reg.GPPhysical) { s.Load(s.Param("state"), r) })
	src := pointer(func(r reg.GPPhysical) { s.Load(s.Param("src").Base(), r) })
	dst := pointer(func(r reg.GPPhysical) { s.Load(s.Param("dst").Base(), r) })
	done = pointer(func(r reg.GPPhysical) { s.MOVQ(s.home(homeDone), r) })
	for i := range 16 {
		x := s.sum(variable(i), state)
		s.XORL(operand.Mem{Base: src, Index: done, Scale: 1, Disp: 4 * i}, x)
		s.MOVL(x, operand.Mem{Base: dst, Index: done, Scale: 1, Disp: 4 * i})
		s.release(variable(i))
	}
	return state, done
}

// sum adds the input to a word of the state and returns the register.
func (s *scalar) sum(v variable, state reg.Register) reg.Register {
	if p := s.where[v]; p.inMemory {
		p.register = s.take()
		s.MOVL(s.home(v), s.word(p.register))
		s.where[v] = place{register: p.register}
	}
	x := s.word(s.where[v].register)
	s.ADDL(s.input(state, int(v)), x)
	return x
}

// release makes the register of a word free.
func (s *scalar) release(v variable) {
	s.free = append(s.free, s.where[v].register)
	s.where[v] = place{home: v, inMemory: true}
}

// advance goes on by some blocks; done is a register with the bytes done before. It
// leaves the flags of comparing what is done now with the length.
func (s *scalar) advance(blocks int, done reg.GPPhysical) {
	s.ADDQ(operand.U8(blocks), s.home(homeCounter))
	s.ADDQ(operand.U32(64*blocks), done)
	s.MOVQ(done, s.home(homeDone))
	end := s.Param("src").Len()
	address, err := end.Resolve()
	if err != nil {
		panic(err)
	}
	s.CMPQ(done, address.Addr)
}

// take returns a free register, sending home the word that is needed last if
// there is none.
func (s *scalar) take() int {
	for v := variable(15); len(s.free) == 0; v-- {
		if p := s.where[v]; !p.inMemory {
			s.MOVL(s.word(p.register), s.home(v))
			s.where[v] = place{home: v, inMemory: true}
			s.free = append(s.free, p.register)
		}
	}
	r := s.free[0]
	s.free = s.free[1:]
	return r
}
