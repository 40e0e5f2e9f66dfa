package main

import (
	"fmt"
	"maps"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lane writes kernels in which vector i holds word i of as many blocks as a
// vector has lanes. With more than one group of 16 vectors the step is that
// many times wider.
type lane struct {
	*generator
	cipher *cipher
	groups int
	rows   int // sets of four vectors with a row each, whose blocks follow the lanes'
	first  int // blocks of a step that come before the lanes'
	lead   *lead

	frameBase reg.Register       // of the scratch: regScratch outside the rounds
	homes     map[variable]int   // scratch offset of a variable's home
	scratch   int                // bytes of scratch in use
	places    map[variable]place // of the state on entry to the rounds
	where     map[variable]place // of the state after the rounds, as finish goes on
	free      []int              // registers free in finish
	spare     int                // one more
}

// lanes returns the number of blocks in a group.
func (l *lane) lanes() int { return l.bytes / 4 }

// name returns the name of the assembly function.
func (l *lane) name() string {
	if l.lead != nil {
		return l.lead.name
	}
	if l.isa == evex && l.bytes == 32 {
		return l.cipher.name + "YMMX8"
	}
	return fmt.Sprintf("%sX%d", l.cipher.name, l.blocks())
}

// blocks returns the number of blocks in a step.
func (l *lane) blocks() int { return l.beforeRows() + l.bytes/16*l.rows }

// beforeRows returns how many of them come before those in rows.
func (l *lane) beforeRows() int { return l.first + l.lanes()*l.groups }

// words returns the number of variables that hold state.
func (l *lane) words() variable { return variable(16*l.groups + 4*l.rows) }

// registers returns the number of vector registers.
func (l *lane) registers() int {
	if l.isa == evex {
		return 32
	}
	return 16
}

// Homes that are not those of a variable of the rounds.
const (
	firstInput   variable = 700 // input word in all lanes, where isa is sse
	firstCounter variable = 800 // counter vectors: low and high half by group
)

// counterHome names the counter vectors of a group: half 0 is the low one.
func counterHome(group, half int) variable { return firstCounter + variable(2*group+half) }

// home returns the memory of v.
func (l *lane) home(v variable) operand.Mem {
	switch v {
	case rotate16:
		return l.constant("rotate16")
	case rotate8:
		return l.constant("rotate8")
	}
	if _, ok := l.homes[v]; !ok {
		l.homes[v] = l.scratch
		l.scratch += l.bytes
	}
	return at(l.frameBase, l.homes[v])
}

// operand returns the register or the memory of a place.
func (l *lane) operand(p place) operand.Op {
	if p.inMemory {
		return l.home(p.home)
	}
	return l.vector(p.register)
}

// rounds implements vectorKernel.
func (l *lane) rounds() []instruction {
	w := &writer{dialect: l.dialect()}
	var carried []variable
	for v := range l.words() {
		carried = append(carried, v)
	}
	if l.needsShuffles(l.cipher) {
		carried = append(carried, rotate16, rotate8)
	}
	var code []instruction
	body := l.body(w)
	code, l.places = allocate(body, l.registers(), carried, l.dialect().threeOperand)
	if l.lead == nil { // it is listed as another kernel
		l.summarize(l.name(), l.blocks(), body, code)
	}
	l.homes = map[variable]int{}
	return code
}

// body returns a double round.
func (l *lane) body(w *writer) []operation {
	if table, ok := lanesStarts[l.cipher][shape{l.groups, l.rows}]; ok && l.isa == avx2 {
		return l.cipher.doubleRoundFrom(w, l.groups, l.rows, table)
	}
	return l.cipher.doubleRound(w, l.groups)
}

// write emits the kernel.
func (l *lane) write() {
	code := l.rounds()
	l.function(l.name())
	l.alignScratch()
	l.prologue()
	l.steps(l.name()+"_step", l.blocks()*64, func() {
		l.begin()
		l.loop(l.name()+"_rounds", func() {
			for _, in := range code {
				l.instruction(in)
			}
		})
		l.finish()
	})
	l.end(l.scratch)
}

// instruction implements vectorKernel.
func (l *lane) instruction(in instruction) {
	l.operation(in.kind, l.operand(in.dst), l.operand(in.a), l.operand(in.b), in.n)
}

// frame implements vectorKernel.
func (l *lane) frame() int { return l.scratch }

// isCounter reports whether word is half of the block counter.
func (l *lane) isCounter(word int) bool {
	return word == l.cipher.counter || word == l.cipher.counter+1
}

// prologue implements vectorKernel. It loads the counter and, for want of a broadcast instruction, spreads
// the input words.
func (l *lane) prologue() {
	l.loadCounter(l.cipher)
	if l.isa != sse {
		return
	}
	for word := range 16 {
		if !l.isCounter(word) {
			x := l.vector(word)
			l.MOVL(at(regState, 4*word), reg.R10L)
			l.MOVD(reg.R10L, x)
			l.PSHUFL(operand.U8(0), x, x)
			l.move(l.home(firstInput+variable(word)), x)
		}
	}
}

// input emits dst = the input word in all lanes.
func (l *lane) input(dst reg.Register, group, word int) {
	switch {
	case l.isCounter(word):
		l.move(dst, l.home(counterHome(group, word-l.cipher.counter)))
	case l.isa == sse:
		l.move(dst, l.home(firstInput+variable(word)))
	default:
		l.VPBROADCASTD(at(regState, 4*word), dst)
	}
}

// inputOf emits dst = what variable v is before the rounds.
func (l *lane) inputOf(dst reg.Register, v variable) {
	lanes := variable(16 * l.groups)
	if v < lanes {
		l.input(dst, int(v)/16, int(v)%16)
		return
	}
	l.rowInput(dst, int(v-lanes)/4, int(v-lanes)%4)
}

// begin implements vectorKernel. It sets up the state for one step: first what lives in memory, while
// there are registers left to pass through.
func (l *lane) begin() {
	for g := range l.groups {
		l.counters(g)
	}
	for set := range l.rows {
		l.rowCounters(set)
	}
	for _, inMemory := range []bool{true, false} {
		for v := range l.words() {
			p := l.places[v]
			if p.inMemory != inMemory {
				continue
			}
			r := l.vector(p.register)
			l.inputOf(r, v)
			if inMemory {
				l.move(l.home(v), r)
			}
		}
	}
	for _, v := range []variable{rotate16, rotate8} {
		if p, ok := l.places[v]; ok && !p.inMemory {
			l.move(l.vector(p.register), l.home(v))
		}
	}
}

// counters computes the block counters of one group, exact to 64 bits in each
// lane, into their homes, and advances the counter.
func (l *lane) counters(group int) {
	low, high, start := l.vector(0), l.vector(1), l.vector(2)
	l.MOVQ(regCounter, reg.R10)
	l.SHRQ(operand.U8(32), reg.R10)
	switch l.isa {
	case evex:
		l.VPBROADCASTD(reg.R9L, start)
		l.VPBROADCASTD(reg.R10L, high)
		l.VPADDD(l.constant("laneNumbers"), start, low)
		l.VPCMPUD(operand.U8(1), start, low, reg.K1)
		l.VPADDD_BCST(l.constant("one"), high, reg.K1, high)
	case avx2:
		l.VMOVD(reg.R9L, vectorOf(2, 16))
		l.VMOVD(reg.R10L, vectorOf(1, 16))
		l.VPBROADCASTD(vectorOf(2, 16), start)
		l.VPBROADCASTD(vectorOf(1, 16), high)
		l.VPADDD(l.constant("laneNumbers"), start, low)
		// Compare as unsigned: start > low where the sum wrapped.
		sign := l.vector(3)
		l.VMOVDQU(l.constant("signs"), sign)
		l.VPXOR(sign, start, start)
		l.VPXOR(sign, low, sign)
		l.VPCMPGTD(sign, start, start)
		l.VPSUBD(start, high, high)
	case sse:
		l.MOVD(reg.R9L, start)
		l.MOVD(reg.R10L, high)
		l.PSHUFL(operand.U8(0), start, start)
		l.PSHUFL(operand.U8(0), high, high)
		l.MOVO(start, low)
		l.PADDL(l.constant("laneNumbers"), low)
		sign := l.vector(3)
		l.MOVO(low, sign)
		l.PXOR(l.constant("signs"), start)
		l.PXOR(l.constant("signs"), sign)
		l.PCMPGTL(sign, start)
		l.PSUBL(start, high)
	}
	l.move(l.home(counterHome(group, 0)), low)
	l.move(l.home(counterHome(group, 1)), high)
	l.ADDQ(operand.U8(l.lanes()), regCounter)
}

// finish implements vectorKernel. It adds the input, transposes, and XORs, group by group. At each moment
// it needs one register beyond those that hold state.
func (l *lane) finish() {
	l.findFree()
	together := l.bytes / 4 // words that must be in registers at a time
	for g := range l.groups {
		l.lead.begin(g == l.groups-1 && l.rows == 0)
		for first := 0; first < 16; first += together {
			x := l.gather(variable(16*g+first), together)
			for i, r := range x {
				l.addInput(l.vector(r), g, first+i)
			}
			for i := 0; i < len(x); i += 4 {
				l.transposeWords(x[i : i+4])
			}
			l.xorBlocks(x, l.offset(g)+4*first)
			l.free = append(l.free, x...)
		}
	}
	for set := range l.rows {
		l.lead.begin(set == 0)
		l.finishRows(set)
	}
}

// offset returns where the blocks of a group begin in the output, or those in rows if it
// is the number of groups.
func (l *lane) offset(group int) int {
	return 64*group*l.lanes() + l.lead.offset(l.first)
}

// findFree lists the registers without state, and picks the spare one.
func (l *lane) findFree() {
	l.where = maps.Clone(l.places)
	used := map[int]bool{}
	for v := range l.words() {
		if p := l.where[v]; !p.inMemory {
			used[p.register] = true
		}
	}
	l.free = nil
	for r := range l.registers() {
		if !used[r] {
			l.free = append(l.free, r)
		}
	}
	l.spare = l.take()
}

// take returns a free register, sending home the word that is needed last if
// there is none.
func (l *lane) take() int {
	for v := l.words() - 1; len(l.free) == 0; v-- {
		if v < 0 {
			panic("no word is left to send home")
		}
		if p, waiting := l.where[v]; waiting && !p.inMemory {
			l.move(l.home(v), l.vector(p.register))
			l.where[v] = place{home: v, inMemory: true}
			l.free = append(l.free, p.register)
		}
	}
	r := l.free[0]
	l.free = l.free[1:]
	return r
}

// gather returns the registers of n variables, after loading those that are at home.
// They are no longer among those that take may send there.
func (l *lane) gather(first variable, n int) []int {
	x := make([]int, n)
	for i := range x {
		v := first + variable(i)
		p := l.where[v]
		if p.inMemory {
			p.register = l.take()
			l.move(l.vector(p.register), l.home(v))
		}
		x[i] = p.register
		delete(l.where, v)
	}
	return x
}

// addInput adds the input word to x.
func (l *lane) addInput(x reg.Register, group, word int) {
	switch {
	case l.isCounter(word):
		l.add(x, x, l.home(counterHome(group, word-l.cipher.counter)))
	case l.isa == evex:
		l.VPADDD_BCST(at(regState, 4*word), x, x)
	case l.isa == avx2:
		l.input(l.vector(l.spare), group, word)
		l.add(x, x, l.vector(l.spare))
	default:
		l.add(x, x, l.home(firstInput+variable(word)))
	}
}

// butterfly emits (a, b) = (low(a, b), high(a, b)): a moves into the spare
// register and leaves its own as the next spare.
func butterfly(a, b, spare *int, low, high func(dst, a, b int)) {
	low(*spare, *a, *b)
	high(*b, *a, *b)
	*a, *spare = *spare, *a
}

// transposeWords turns vectors of words k..k+3 into vectors x[j] which hold, in
// their 128-bit lane i, words k..k+3 of block 4i+j.
func (l *lane) transposeWords(x []int) {
	v := l.vector
	dwordLow := func(dst, a, b int) { l.VPUNPCKLDQ(v(b), v(a), v(dst)) }
	dwordHigh := func(dst, a, b int) { l.VPUNPCKHDQ(v(b), v(a), v(dst)) }
	qwordLow := func(dst, a, b int) { l.VPUNPCKLQDQ(v(b), v(a), v(dst)) }
	qwordHigh := func(dst, a, b int) { l.VPUNPCKHQDQ(v(b), v(a), v(dst)) }
	if l.isa == sse {
		l.transposeWordsSSE(x)
		return
	}
	butterfly(&x[0], &x[1], &l.spare, dwordLow, dwordHigh)
	butterfly(&x[2], &x[3], &l.spare, dwordLow, dwordHigh)
	butterfly(&x[0], &x[2], &l.spare, qwordLow, qwordHigh)
	butterfly(&x[1], &x[3], &l.spare, qwordLow, qwordHigh)
	x[1], x[2] = x[2], x[1]
}

// transposeWordsSSE is transposeWords with two-operand instructions.
func (l *lane) transposeWordsSSE(x []int) {
	pair := func(a, b *int, low, high func(b, dst operand.Op)) {
		l.MOVO(l.vector(*a), l.vector(l.spare))
		low(l.vector(*b), l.vector(*a))
		high(l.vector(*b), l.vector(l.spare))
		*b, l.spare = l.spare, *b
	}
	pair(&x[0], &x[1], l.PUNPCKLLQ, l.PUNPCKHLQ)
	pair(&x[2], &x[3], l.PUNPCKLLQ, l.PUNPCKHLQ)
	pair(&x[0], &x[2], l.PUNPCKLQDQ, l.PUNPCKHQDQ)
	pair(&x[1], &x[3], l.PUNPCKLQDQ, l.PUNPCKHQDQ)
	x[1], x[2] = x[2], x[1]
}

// xorBlocks brings what belongs to a block together and XORs it into the
// output from the given offset on.
func (l *lane) xorBlocks(x []int, offset int) {
	v := l.vector
	for j := range 4 {
		switch l.bytes {
		case 16:
			l.xorStore(offset+64*j, v(x[j]), v(l.spare))
		case 32:
			a, b := &x[j], &x[4+j]
			butterfly(a, b, &l.spare, l.halves(0), l.halves(1))
			l.xorStore(offset+64*j, v(*a), nil)
			l.xorStore(offset+64*(4+j), v(*b), nil)
		case 64:
			quarters := []*int{&x[j], &x[4+j], &x[8+j], &x[12+j]}
			l.transposeQuarters(quarters, &l.spare)
			for i, r := range quarters {
				l.xorStore(offset+64*(4*i+j), v(*r), nil)
			}
		}
	}
}

// halves returns dst = half n of a followed by half n of b.
func (l *lane) halves(n int) func(dst, a, b int) {
	return func(dst, a, b int) {
		if l.isa == evex {
			l.VSHUFI32X4(operand.U8(3*n), l.vector(b), l.vector(a), l.vector(dst))
			return
		}
		l.VPERM2I128(operand.U8(0x20+0x11*n), l.vector(b), l.vector(a), l.vector(dst))
	}
}
