package registry

// streamCall is a stream kernel ready to be called.
type streamCall struct {
	xor   StreamFunc
	step  int // bytes in a step
	steps int // how many the plan wants; unused for the bulk kernel
}

// streamTable is the plan of a stream cipher for one range of lengths: the calls
// for each number of blocks, and the kernel for what is longer.
type streamTable struct {
	short  [][]streamCall // by blocks
	bulk   streamCall
	rounds int
	// counter is the index of the low counter word in the state.
	counter int
}

// smallScratch and largeScratch are the sizes of the buffers a last step runs
// in; the smaller one is there because clearing the larger one costs more than
// a block.
const (
	smallScratch = 4 * BlockSize
	largeScratch = maxStreamBlocks * BlockSize
)

// maxStreamBlocks is the largest width a stream or fused kernel may have.
const maxStreamBlocks = 32

// xor XORs len(src) bytes of keystream into src, writes them to dst and moves
// the counter in state past the blocks that were used, a last incomplete one
// included. If rest is not nil, the block of keystream that the last byte came
// from is left in it where it was not used: in its last bytes, whose number is
// returned.
func (t *streamTable) xor(dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) (unused int) {
	blocks := (len(src) + BlockSize - 1) / BlockSize
	if blocks >= len(t.short) {
		whole := len(src) / t.bulk.step * t.bulk.step
		t.pieces(&t.bulk, dst[:whole], src[:whole], state)
		dst, src = dst[whole:], src[whole:]
		blocks = (len(src) + BlockSize - 1) / BlockSize
	}
	calls := t.short[blocks]
	for i := range calls {
		call := &calls[i]
		whole := call.steps * call.step
		if whole > len(src) {
			// Only the last call can want more than there is.
			whole = len(src) / call.step * call.step
			t.pieces(call, dst[:whole], src[:whole], state)
			return t.lastStep(call, dst[whole:], src[whole:], state, rest)
		}
		t.pieces(call, dst[:whole], src[:whole], state)
		dst, src = dst[whole:], src[whole:]
	}
	return 0
}

// pieces runs whole steps in pieces of bounded size.
func (t *streamTable) pieces(call *streamCall, dst, src []byte, state *[16]uint32) {
	limit := pieceSize / call.step * call.step
	for len(src) > limit {
		t.run(call, dst[:limit], src[:limit], state)
		dst, src = dst[limit:], src[limit:]
	}
	if len(src) > 0 {
		t.run(call, dst, src, state)
	}
}

// run makes one kernel call and advances the counter.
func (t *streamTable) run(call *streamCall, dst, src []byte, state *[16]uint32) {
	callStream(call.xor, dst, src, state, t.rounds)
	advance(state, t.counter, len(src)/BlockSize)
}

// advance adds blocks to the 64-bit counter at state[low] and state[low+1].
func advance(state *[16]uint32, low, blocks int) {
	counter := uint64(state[low+1])<<32 | uint64(state[low])
	counter += uint64(blocks)
	state[low], state[low+1] = uint32(counter), uint32(counter>>32)
}

// lastStep encrypts less than a step by way of a scratch buffer. Blocks that the
// kernel computes beyond len(src) are thrown away and do not advance the
// counter. rest and unused are as in xor.
func (t *streamTable) lastStep(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) (unused int) {
	if len(src) == 0 {
		return 0
	}
	if call.step <= smallScratch {
		unused = t.lastSmallStep(call, dst, src, state, rest)
	} else {
		unused = t.lastLargeStep(call, dst, src, state, rest)
	}
	advance(state, t.counter, (len(src)+BlockSize-1)/BlockSize)
	return unused
}

func (t *streamTable) lastSmallStep(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) int {
	var scratch [smallScratch]byte
	return t.stepIn(scratch[:call.step], call, dst, src, state, rest)
}

func (t *streamTable) lastLargeStep(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) int {
	var scratch [largeScratch]byte
	return t.stepIn(scratch[:call.step], call, dst, src, state, rest)
}

// stepIn runs one step in scratch, which is clear: behind src it then holds
// plain keystream.
func (t *streamTable) stepIn(scratch []byte, call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) (unused int) {
	copy(scratch, src)
	callStream(call.xor, scratch, scratch, state, t.rounds)
	copy(dst, scratch[:len(src)])
	if rest != nil {
		unused = -len(src) & (BlockSize - 1)
		copy(rest[BlockSize-unused:], scratch[len(src):])
	}
	return unused
}
