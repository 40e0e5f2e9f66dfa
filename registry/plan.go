package registry

import (
	"github.com/quarterround/quarterround/internal/noescape"
	"github.com/quarterround/quarterround/internal/planner"
)

// A Plan says, for one algorithm, which kernels run for each length. It does not
// change once made.
type Plan struct {
	algorithm Algorithm
	schedules []Schedule // by length
	// provisional is not nil while measuring may still replace the plan.
	provisional *provisional
}

// A Schedule is the part of a plan for one range of lengths.
type Schedule struct {
	lengths lengthRange
	allowed *allowance
	stream  streamTable
	mac     macTable
	aead    aeadTable
	// What the tables were made from, for reports.
	streamPlan  *planner.Table
	partialPlan *planner.Table // the last block is partial
	withinPlan  *planner.Table // in a buffer with room for whole steps
	macPlan     []planner.MACLevel
	aeadPlan    aeadPlan
	// used are the candidates that occur in the tables.
	used map[*candidate]bool
}

// An aeadPlan is what the plan of sealing was made from.
type aeadPlan struct {
	whole, partial *planner.AEADTable // by whether the last data block is full
}

// forMessage returns the entry for a message of n bytes.
func (p *aeadPlan) forMessage(n int) planner.AEADEntry {
	if n%BlockSize != 0 {
		return p.partial.For(dataBlocks(n))
	}
	return p.whole.For(n / BlockSize)
}

// Algorithm returns the algorithm the plan is for.
func (p *Plan) Algorithm() Algorithm { return p.algorithm }

// For returns the schedule for a call (streams, MAC) or message (AEAD) of n
// bytes.
func (p *Plan) For(n int) *Schedule {
	if p.provisional == nil && len(p.schedules) == 1 {
		return &p.schedules[0]
	}
	return p.countFor(n)
}

// countFor is For where there is something to count or to choose.
func (p *Plan) countFor(n int) *Schedule {
	if p.provisional != nil {
		p.provisional.count(n)
	}
	return p.schedule(n)
}

// Brief returns the plan of an AEAD for a message of n bytes with so many of
// additional data, if it is a short one and the plan the same for all lengths and
// final; else nil.
func (p *Plan) Brief(n, additional int) *Brief {
	if p.provisional != nil || len(p.schedules) != 1 {
		return nil
	}
	t, blocks := &p.schedules[0].aead, uint(n+BlockSize-1)/BlockSize
	if blocks >= uint(len(t.brief)) || additional > t.briefBytes-3*MACBlockSize-n {
		return nil
	}
	return &t.brief[blocks]
}

// schedule is For without counting.
func (p *Plan) schedule(n int) *Schedule {
	if len(p.schedules) == 1 {
		return &p.schedules[0]
	}
	return p.search(n)
}

// search is schedule for plans with several schedules.
func (p *Plan) search(n int) *Schedule {
	s := &p.schedules[0]
	for i := 1; i < len(p.schedules) && p.schedules[i].lengths.min <= n; i++ {
		s = &p.schedules[i]
	}
	return s
}

// XOR XORs len(src) bytes of the keystream of state into src, writes them to
// dst[:len(src)] and advances the 64-bit block counter in state by the number of
// blocks begun. dst and src are the same memory or disjoint.
func (s *Schedule) XOR(dst, src []byte, state *[16]uint32) {
	s.stream.xor(dst[:len(src)], src, state, nil)
}

// XORKeeping is XOR, but keeps what is not used of the last block of keystream
// in the last bytes of rest, and returns how many bytes that is.
func (s *Schedule) XORKeeping(dst, src []byte, state *[16]uint32, rest *[BlockSize]byte) (unused int) {
	return s.stream.xor(dst[:len(src)], src, state, rest)
}

// XORWithin XORs the given number of blocks of keystream into the start of src and
// writes the result to dst, which is as long and the same memory or disjoint. What
// follows the blocks in dst may be overwritten, so that with room for a step no
// scratch buffer is needed. The counter in state is undefined afterwards.
func (s *Schedule) XORWithin(dst, src []byte, blocks int, state *[16]uint32) {
	s.stream.xorWithin(noescape.HideSlice(dst), noescape.HideSlice(src), blocks, noescape.Hide(state))
}

// XORWithinHidden is XORWithin for a caller that has hidden the arguments from escape
// analysis already.
func (s *Schedule) XORWithinHidden(dst, src []byte, blocks int, state *[16]uint32) {
	s.stream.xorWithin(dst, src, blocks, state)
}

// MAC returns the plan of the MAC for a message of total bytes, as far as its
// length is known: it decides whether powers of R are worth computing.
func (s *Schedule) MAC(total int) *MACLevel { return s.mac.level(total) }

// AEAD returns how many data blocks of a message of n bytes, to be sealed or opened,
// should come out of the call that makes the key block, and the fused kernel for it,
// nil if stream and MAC run apart. For XSalsa20-Poly1305 the first 32 bytes of the message belong to
// the key block and are not counted.
func (s *Schedule) AEAD(n int, opening bool) (head int, fused *Fused) {
	way := &s.aead.seal
	if opening {
		way = &s.aead.open
	}
	entry := way.forMessage(n)
	return entry.head, (*Fused)(entry.fused)
}

// MaxHead is the largest number of data blocks that Schedule.AEAD returns.
const MaxHead = 31

func dataBlocks(n int) int { return n/BlockSize + (n%BlockSize+BlockSize-1)/BlockSize }

// Fused is a fused kernel in a schedule, together with the plan of the MAC before
// and after it.
type Fused fusedCall

// Step returns the number of bytes in a step.
func (f *Fused) Step() int { return f.step }

// MAC returns the plan of the MAC before and after the fused steps.
func (f *Fused) MAC() *MACLevel { return f.level }

// Seal encrypts whole steps of src into dst and absorbs the ciphertext. counter
// is the cipher's CounterWord, whose count is advanced.
func (f *Fused) Seal(dst, src []byte, state *[16]uint32, counter int, mac *MACState, powers *Powers) {
	f.run(f.seal, dst, src, state, counter, mac, powers)
}

// Open absorbs the ciphertext src and decrypts it into dst.
func (f *Fused) Open(dst, src []byte, state *[16]uint32, counter int, mac *MACState, powers *Powers) {
	f.run(f.open, dst, src, state, counter, mac, powers)
}

// run makes the calls in pieces of bounded size.
func (f *Fused) run(call FusedFunc, dst, src []byte, state *[16]uint32, counter int, mac *MACState, powers *Powers) {
	f.level.prepare(mac, powers)
	if f.level.layout == 0 {
		powers = nil
	}
	for len(src) > 0 {
		n := min(f.size, len(src))
		callFused(call, dst[:n], src[:n], state, mac, powers)
		advance(state, counter, n/BlockSize)
		dst, src = dst[n:], src[n:]
	}
}
