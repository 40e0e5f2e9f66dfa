package registry

// streamCall is a stream kernel ready to be called.
type streamCall struct {
	xor  StreamFunc
	lead Lead
	step int // bytes in a step
	// size is how many bytes the plan wants, a multiple of step: for the bulk
	// kernel in one call, of which there may be many.
	size int
}

// streamTable is the plan of a stream cipher for one range of lengths: the calls
// for each number of blocks, and the kernel for what is longer.
type streamTable struct {
	short   [][]streamCall // by blocks
	partial [][]streamCall // by blocks, of which the last is partial
	within  [][]streamCall // by blocks, in a buffer with room for whole steps; of AEADs
	bulk    streamCall
	rounds  int
	// counter is the index of the low counter word in the state.
	counter int
}

// Sizes of the buffers a last step runs in. There are several because clearing
// more than is needed costs as much as a block. They are aligned, because 32-bit ARM
// clears others byte by byte.
const (
	smallScratch  = 4 * BlockSize
	mediumScratch = 8 * BlockSize
	largeScratch  = 16 * BlockSize
)

// maxStreamBlocks is the largest width a stream or fused kernel may have.
const maxStreamBlocks = 32

// xor XORs len(src) bytes of keystream into src, writes them to dst and moves
// the counter in state past the blocks that were used, a last incomplete one
// included. If rest is not nil, the block of keystream that the last byte came
// from is left in it where it was not used: in its last bytes, whose number is
// returned.
func (t *streamTable) xor(dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) (unused int) {
	blocks := dataBlocks(len(src))
	if blocks < len(t.short) {
		if calls := t.short[blocks]; len(calls) == 1 && calls[0].size == len(src) {
			callStream(calls[0].xor, dst, src, state, t.rounds)
			advance(state, t.counter, blocks)
			return 0
		}
	}
	return t.xorInCalls(dst, src, state, rest)
}

// xorInCalls is xor for any number of kernel calls. It is apart because what lives
// across them costs a short message as much as its share of a block.
func (t *streamTable) xorInCalls(dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) (unused int) {
	blocks := dataBlocks(len(src))
	if blocks >= len(t.short) {
		n := t.long(dst, src, state)
		dst, src = dst[n:], src[n:]
		blocks = dataBlocks(len(src))
	}
	calls := t.short[blocks]
	if len(src)%BlockSize != 0 {
		calls = t.partial[blocks]
	}
	for i := range calls {
		call := &calls[i]
		if call.size > len(src) {
			return t.last(call, dst, src, state, rest) // only the last call can want more than there is
		}
		t.run(call, dst[:call.size], src[:call.size], state)
		dst, src = dst[call.size:], src[call.size:]
	}
	return 0
}

// xorWithin is Schedule.XORWithin.
func (t *streamTable) xorWithin(dst, src []byte, blocks int, state *[16]uint32) {
	if blocks < len(t.within) {
		calls := t.within[blocks]
		if len(calls) == 1 && calls[0].size <= len(dst) {
			n := calls[0].size
			calls[0].xor(dst[:n], src[:n], state, t.rounds)
			return
		}
		if sizeOf(calls) <= len(dst) {
			t.xorAll(calls, dst, src, state)
			return
		}
	}
	n := blocks * BlockSize
	t.xor(dst[:n], src[:n], state, nil)
}

// sizeOf returns how many bytes calls want in all.
func sizeOf(calls []streamCall) int {
	n := 0
	for i := range calls {
		n += calls[i].size
	}
	return n
}

// xorAll makes the calls, for which there is room.
func (t *streamTable) xorAll(calls []streamCall, dst, src []byte, state *[16]uint32) {
	for i := range calls {
		n := calls[i].size
		t.run(&calls[i], dst[:n], src[:n], state)
		dst, src = dst[n:], src[n:]
	}
}

// long runs the bulk kernel over as many steps as fit and returns how many bytes
// that were.
func (t *streamTable) long(dst, src []byte, state *[16]uint32) (done int) {
	call := &t.bulk
	for len(src)-done >= call.size {
		t.run(call, dst[done:done+call.size], src[done:done+call.size], state)
		done += call.size
	}
	if n := (len(src) - done) / call.step * call.step; n > 0 {
		t.run(call, dst[done:done+n], src[done:done+n], state)
		done += n
	}
	return done
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

// last runs the last call of a plan, which wants more than there is: whole steps
// in place, and the last one in a scratch buffer. Blocks that the kernel computes
// beyond len(src) are thrown away and do not advance the counter. rest and unused
// are as in xor.
func (t *streamTable) last(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) (unused int) {
	if whole := call.size - call.step; whole > 0 {
		t.run(call, dst[:whole], src[:whole], state)
		dst, src = dst[whole:], src[whole:]
	}
	switch {
	case call.step <= smallScratch:
		unused = t.smallStep(call, dst, src, state, rest)
	case call.step <= mediumScratch:
		unused = t.mediumStep(call, dst, src, state, rest)
	case call.step <= largeScratch:
		unused = t.largeStep(call, dst, src, state, rest)
	default:
		unused = t.largestStep(call, dst, src, state, rest)
	}
	advance(state, t.counter, (len(src)+BlockSize-1)/BlockSize)
	return unused
}

//go:noinline
func (t *streamTable) smallStep(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) int {
	var scratch struct {
		_     [0]uint64
		bytes [smallScratch]byte
	}
	return t.stepIn(scratch.bytes[:call.step], call, dst, src, state, rest)
}

//go:noinline
func (t *streamTable) mediumStep(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) int {
	var scratch struct {
		_     [0]uint64
		bytes [mediumScratch]byte
	}
	return t.stepIn(scratch.bytes[:call.step], call, dst, src, state, rest)
}

//go:noinline
func (t *streamTable) largeStep(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) int {
	var scratch struct {
		_     [0]uint64
		bytes [largeScratch]byte
	}
	return t.stepIn(scratch.bytes[:call.step], call, dst, src, state, rest)
}

//go:noinline
func (t *streamTable) largestStep(call *streamCall, dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) int {
	var scratch struct {
		_     [0]uint64
		bytes [maxStreamBlocks * BlockSize]byte
	}
	return t.stepIn(scratch.bytes[:call.step], call, dst, src, state, rest)
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
