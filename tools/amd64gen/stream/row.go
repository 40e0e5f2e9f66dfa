package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// row writes kernels in which a vector holds one row of the matrix of each of
// its blocks, one block in 128 bits. For Salsa20 the rows are the diagonals.
// With more than one set of four vectors the step is that many times wider.
type row struct {
	*generator
	cipher *cipher
	sets   int
	unused int // blocks at the end that are computed but not put out
	first  int // blocks of a step that come before the rows'
	lead   *lead
}

// blocks returns the number of blocks in a step.
func (r *row) blocks() int { return r.first + r.inRows() }

// inRows returns the number of them that are in the rows.
func (r *row) inRows() int { return r.sets*r.bytes/16 - r.unused }

// name returns the name of the assembly function.
func (r *row) name() string {
	if r.lead != nil {
		return r.lead.name
	}
	return fmt.Sprintf("%sX%d", r.cipher.name, r.blocks())
}

// counterRow returns the row that holds the block counter in its low half.
func (r *row) counterRow() int { return r.cipher.counter / 4 }

// A permutation rotates the words within each row, as PSHUFD encodes it.
const (
	rotateWords1 = 0x39 // word i takes word i+1
	rotateWords2 = 0x4e
	rotateWords3 = 0x93
)

// rounds implements vectorKernel.
func (r *row) rounds() []instruction {
	w := &writer{dialect: r.dialect()}
	body := r.doubleRound(w)
	var carried []variable
	for v := range 4 * r.sets {
		carried = append(carried, variable(v))
	}
	if r.needsShuffles(r.cipher) {
		carried = append(carried, rotate16, rotate8)
	}
	code, places := allocate(body, r.saved(), carried, r.dialect().threeOperand)
	if !inOrder(places, carried) {
		panic("a row kernel does not fit into the registers")
	}
	if r.lead == nil { // it is listed as another kernel
		r.summarize(r.name()+" row", r.blocks(), body, code)
	}
	return code
}

// write emits the kernel.
func (r *row) write() {
	code := r.rounds()
	r.function(r.name())
	r.prologue()
	r.steps(r.name()+"_step", 64*r.blocks(), func() {
		r.begin()
		r.loop(r.name()+"_rounds", func() {
			for _, in := range code {
				r.instruction(in)
			}
		})
		r.finish()
	})
	r.end(0)
}

// instruction implements vectorKernel.
func (r *row) instruction(in instruction) {
	r.operation(in.kind, r.vector(in.dst.register), r.vector(in.a.register), r.vector(in.b.register), in.n)
}

// frame implements vectorKernel.
func (r *row) frame() int { return r.lead.frame() }

// prologue implements vectorKernel.
func (r *row) prologue() {
	if r.needsShuffles(r.cipher) {
		r.move(r.vector(4*r.sets), r.constant("rotate16"))
		r.move(r.vector(4*r.sets+1), r.constant("rotate8"))
	}
	if r.isa == evex && r.bytes == 64 {
		r.masks()
	}
	r.firstCounters()
}

// inOrder reports whether each variable is in the register of its position.
func inOrder(places map[variable]place, carried []variable) bool {
	for i, v := range carried {
		if p := places[v]; p.inMemory || p.register != i {
			return false
		}
	}
	return true
}

// doubleRound returns one double round of all sets, side by side. One row stays
// where it is between the rounds: the one that is finished last. The others
// have time to be rotated before they are needed.
func (r *row) doubleRound(w *writer) []operation {
	var body []operation
	for round := range 2 {
		streams := make([][][]operation, r.sets)
		for set := range streams {
			v := variable(4 * set)
			streams[set] = r.cipher.rowRound(w, [4]variable{v, v + 1, v + 2, v + 3}, round)
		}
		for step := range streams[0] {
			for _, s := range streams {
				body = append(body, s[step]...)
			}
		}
	}
	return body
}

// rowRound returns the steps of one round of one set of rows, followed by the
// rotations of rows that lead to the other kind of round.
func (c *cipher) rowRound(w *writer, x [4]variable, round int) [][]operation {
	turn := func(v variable, n int) operation { return operation{kind: opPermute, dst: v, a: v, n: n} }
	one, three := rotateWords1, rotateWords3
	if round == 1 {
		one, three = three, one
	}
	if c == &chacha {
		steps := w.chachaQuarter(x[0], x[1], x[2], x[3])
		steps[9] = append(steps[9], turn(x[0], three))
		steps[10] = append(steps[10], turn(x[3], rotateWords2))
		return append(steps, []operation{turn(x[2], one)})
	}
	// Rows 1 and 3 change roles in every other round.
	turns := []operation{turn(x[1], three), turn(x[3], one), turn(x[2], rotateWords2)}
	if round == 1 {
		x[1], x[3] = x[3], x[1]
	}
	return append(w.salsaQuarter(x[0], x[1], x[2], x[3]), turns)
}

// counters returns the register with the counter row of a set, kept from one
// step to the next.
func (r *row) counters(set int) reg.Register { return r.vector(r.saved() + set) }

// saved is the first register after the state and its temporaries.
func (r *row) saved() int {
	if r.isa == evex && r.bytes == 64 {
		return 24
	}
	return 16 - r.sets
}

// loadRow emits dst = row i of the state in every block.
func (r *row) loadRow(dst reg.Register, i int) {
	m := at(regState, 16*i)
	switch {
	case r.bytes == 16:
		r.moveUnaligned(dst, m)
	case r.isa == avx2:
		r.VBROADCASTI128(m, dst)
	default:
		r.VBROADCASTI32X4(m, dst)
	}
}

// loadWords emits dst = four words of the state in every block, and clobbers the spare
// register. It loads them one by one: the caller has just written them in pieces, and a
// load of all four would have to wait until these are in the cache, which is after
// everything before them is done, the end of the last message included.
func (r *row) loadWords(dst reg.Register, words [4]int) {
	word := func(i int) operand.Mem { return at(regState, 4*words[i]) }
	spare := r.vector(r.spare())
	if r.isa == sse {
		r.MOVSS(word(0), dst)
		r.MOVSS(word(1), spare)
		r.PUNPCKLLQ(spare, dst)
		r.MOVSS(word(2), spare)
		r.PUNPCKLQDQ(spare, dst)
		r.MOVSS(word(3), spare)
		r.PSLLO(operand.U8(12), spare)
		r.POR(spare, dst)
		return
	}
	r.VPBROADCASTD(word(0), dst)
	for i := 1; i < 4; i++ {
		if r.bytes == 64 {
			r.VPBROADCASTD(word(i), r.mask(1<<i), dst)
			continue
		}
		r.VPBROADCASTD(word(i), spare)
		r.VPBLENDD(operand.U8(0x11<<i), spare, dst, dst)
	}
}

// loadDiagonals loads the diagonals of the Salsa20 matrix of all sets. Diagonal i has
// word j of row i+j.
func (r *row) loadDiagonals() {
	for i := range 4 {
		var words [4]int
		for j := range words {
			words[j] = 4*((i+j)&3) + j
		}
		r.loadWords(r.vector(i), words)
	}
	for set := r.sets - 1; set >= 0; set-- {
		if set > 0 {
			for i := range 4 {
				r.move(r.vector(4*set+i), r.vector(i))
			}
		}
		// The halves of the counter, words 0 and 1 of row 2.
		r.replace(r.vector(4*set+2), r.counters(set), 0x1)
		r.replace(r.vector(4*set+1), r.counters(set), 0x2)
	}
}

// replace emits dst = src in those words whose bit is set in mask, in each 128 bits.
func (r *row) replace(dst, src reg.Register, mask uint8) {
	switch {
	case r.isa == sse:
		spare := r.vector(r.spare())
		r.move(spare, src)
		r.PXOR(dst, spare)
		r.PAND(r.constant(fmt.Sprintf("words%x", mask)), spare)
		r.PXOR(spare, dst)
	case r.bytes < 64:
		r.VPBLENDD(operand.U8(mask|mask<<4), src, dst, dst)
	default:
		r.VPBLENDMD(src, dst, r.mask(mask), dst)
	}
}

// firstCounters sets the counter rows: each block one more than the one before
// it, as a 64-bit number.
func (r *row) firstCounters() {
	row, first := r.vector(0), r.cipher.counter
	r.loadWords(row, [4]int{first, first + 1, first + 2, first + 3})
	for set := range r.sets {
		c := r.counters(set)
		if r.inRows() > 1 {
			r.add64(c, row, r.constant("blockNumbers").Offset(r.bytes*set))
		} else {
			r.move(c, row)
		}
		if r.first > 0 {
			r.add64(c, c, r.constant(fmt.Sprintf("advance%d", r.first)))
		}
	}
}

// begin implements vectorKernel. It loads the state of all sets.
func (r *row) begin() {
	if r.cipher == &salsa {
		r.loadDiagonals()
		return
	}
	for set := range r.sets {
		for i := range 4 {
			x := r.vector(4*set + i)
			switch {
			case i == r.counterRow():
				r.move(x, r.counters(set))
			case set == 0:
				r.loadRow(x, i)
			default:
				r.move(x, r.vector(i))
			}
		}
	}
}

// spare returns a register that is free outside the rounds, one of the lower 16.
func (r *row) spare() int {
	if r.isa == evex && r.bytes == 64 {
		return 15
	}
	return r.saved() - 1
}

// finish implements vectorKernel.
func (r *row) finish() {
	for set := range r.sets {
		r.finishSet(set)
	}
}

// finishSet brings one set back into rows, adds the input, and XORs.
func (r *row) finishSet(set int) {
	if r.cipher == &salsa {
		r.undoDiagonals(set)
	}
	x := make([]int, 4)
	for i := range x {
		x[i] = 4*set + i
		v := r.vector(x[i])
		if i == r.counterRow() {
			r.add(v, v, r.counters(set))
			r.add64(r.counters(set), r.counters(set), r.constant(fmt.Sprintf("advance%d", r.blocks())))
			continue
		}
		r.loadRow(r.vector(r.spare()), i)
		r.add(v, v, r.vector(r.spare()))
	}
	blocks := min(r.bytes/16, r.inRows()-set*r.bytes/16)
	offset := set * 4 * r.bytes
	r.lead.begin(set == r.sets-1)
	r.storeRows(x, offset+r.lead.offset(r.first), blocks)
}

// undoDiagonals turns the diagonals of the Salsa20 matrix of one set into its rows.
func (r *row) undoDiagonals(set int) {
	x := func(i int) int { return 4*set + i }
	// The middles of diagonals 1 and 3 change places, then the upper halves of 0 and
	// 2, and the odd words of 2 and 3, and of 0 and 1.
	r.exchange(x(1), x(3), 0x6)
	r.exchange(x(0), x(2), 0xc)
	r.exchange(x(2), x(3), 0xa)
	r.exchange(x(0), x(1), 0xa)
}

// exchange swaps those words of registers a and b whose bit is set in mask, in
// each 128 bits.
func (r *row) exchange(a, b int, mask uint8) {
	x, y, t := r.vector(a), r.vector(b), r.vector(r.spare())
	switch {
	case r.isa == sse:
		r.MOVO(x, t)
		r.PXOR(y, t)
		r.PAND(r.constant(fmt.Sprintf("words%x", mask)), t)
		r.PXOR(t, x)
		r.PXOR(t, y)
	case r.bytes < 64:
		wide := operand.U8(mask | mask<<4)
		r.VPBLENDD(wide, y, x, t)
		r.VPBLENDD(wide, x, y, y)
		r.move(x, t)
	default:
		r.VPBLENDMD(y, x, r.mask(mask), t)
		r.VPBLENDMD(x, y, r.mask(mask), y)
		r.move(x, t)
	}
}

// wordMasks are the mask registers by the words that they stand for, one bit each.
var wordMasks = map[uint8]reg.Register{
	0x2: reg.K1, 0x4: reg.K2, 0x8: reg.K3, // to load words
	0x1: reg.K4, 0xa: reg.K5, 0xc: reg.K6, 0x6: reg.K7, // for diagonals
}

// masks sets the mask registers that the cipher needs.
func (r *row) masks() {
	needed := []uint8{0x2, 0x4, 0x8}
	if r.cipher == &salsa {
		needed = append(needed, 0x1, 0xa, 0xc, 0x6)
	}
	for _, mask := range needed {
		r.MOVL(operand.U32(0x1111*uint32(mask)), reg.R10L)
		r.KMOVW(reg.R10L, r.mask(mask))
	}
}

// mask returns the mask register for some words of each 128 bits.
func (r *row) mask(words uint8) reg.Register { return wordMasks[words] }

// storeRows XORs the given number of blocks of one set of rows into the output
// from the given offset on.
func (r *row) storeRows(x []int, offset, blocks int) {
	v := r.vector
	spare := r.spare()
	switch r.bytes {
	case 16:
		for i, n := range x {
			r.xorStore(offset+16*i, v(n), v(spare))
		}
	case 32:
		low := func(dst, a, b int) { r.VPERM2I128(operand.U8(0x20), v(b), v(a), v(dst)) }
		high := func(dst, a, b int) { r.VPERM2I128(operand.U8(0x31), v(b), v(a), v(dst)) }
		butterfly(&x[0], &x[1], &spare, low, high)
		butterfly(&x[2], &x[3], &spare, low, high)
		for i, n := range []int{0, 2, 1, 3}[:2*blocks] {
			r.xorStore(offset+32*i, v(x[n]), nil)
		}
	case 64:
		refs := []*int{&x[0], &x[1], &x[2], &x[3]}
		r.transposeQuarters(refs, &spare)
		for i, n := range refs[:blocks] {
			r.xorStore(offset+64*i, v(*n), nil)
		}
	}
}
