package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Rows beside lanes: ChaCha blocks whose matrix is in four vectors, a row in each,
// two blocks to a vector of AVX2, as row kernels have them. Here their vectors are
// variables like those of the lanes, in a register or at home.

// rowCounterHome names the row with the block counters of a set.
func (l *lane) rowCounterHome(set int) variable { return counterHome(l.groups+set, 0) }

// rowCounters computes the row with the block counters of one set, two blocks exact
// to 64 bits, into its home, and advances the counter. The words beside it are loaded
// one by one: see loadWords.
func (l *lane) rowCounters(set int) {
	row, counter := l.vector(0), l.vector(1)
	l.VPBROADCASTD(at(regState, 4*l.cipher.counter+8), row)
	l.VPBROADCASTD(at(regState, 4*l.cipher.counter+12), counter)
	l.VPBLENDD(operand.U8(0x88), counter, row, row)
	l.VMOVQ(regCounter, vectorOf(1, 16))
	l.VPBROADCASTQ(vectorOf(1, 16), counter)
	l.VPADDQ(l.constant("blockNumbers"), counter, counter)
	l.VPBLENDD(operand.U8(0x33), counter, row, row)
	l.move(l.home(l.rowCounterHome(set)), row)
	l.ADDQ(operand.U8(l.bytes/16), regCounter)
}

// rowInput emits dst = row i of the input of a set.
func (l *lane) rowInput(dst reg.Register, set, i int) {
	if i == l.cipher.counter/4 {
		l.move(dst, l.home(l.rowCounterHome(set)))
		return
	}
	l.VBROADCASTI128(at(regState, 16*i), dst)
}

// finishRows adds the input to one set of rows, puts the halves of each block
// together, and XORs.
func (l *lane) finishRows(set int) {
	x := l.gather(variable(16*l.groups+4*set), 4)
	for i, r := range x {
		l.rowInput(l.vector(l.spare), set, i)
		l.add(l.vector(r), l.vector(r), l.vector(l.spare))
	}
	butterfly(&x[0], &x[1], &l.spare, l.halves(0), l.halves(1))
	butterfly(&x[2], &x[3], &l.spare, l.halves(0), l.halves(1))
	offset := l.offset(l.groups) + 4*l.bytes*set
	for i, n := range []int{0, 2, 1, 3} {
		l.xorStore(offset+l.bytes*i, l.vector(x[n]), nil)
	}
	l.free = append(l.free, x...)
}
