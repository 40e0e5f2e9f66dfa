package registrytest

import (
	"github.com/quarterround/quarterround/registry"
)

// checkCounterCarry starts messages so that the low half of the counter
// overflows into the high half, or changes sign, before each lane of the first
// two steps.
func checkCounterCarry(s *subject) {
	for _, high := range []uint64{0, 0x7fffffff, s.rand.Uint64N(1 << 32)} {
		s.counterPasses(high<<32 + 1<<32)
	}
	s.counterPasses(1 << 31)
	s.counterPasses(s.rand.Uint64N(1<<32)<<32 + 1<<31)
}

// checkCounterWrap starts messages so that the whole counter goes from
// 2^64 - 1 to 0, or changes sign, before each lane of the first two steps.
func checkCounterWrap(s *subject) {
	s.counterPasses(0)
	s.counterPasses(1 << 63)
}

// counterPasses runs messages in which the counter reaches the given value in
// each block from the first of the message to the first of the third step.
func (s *subject) counterPasses(value uint64) {
	unit := s.unit()
	for i := range s.routines {
		r := &s.routines[i]
		for lane := 0; lane <= 2*s.kernel.Blocks; lane++ {
			in := s.randomInput(s.roundsOf()[0], 3*unit)
			setCounter(r.cipher, &in.state, value-uint64(lane))
			e := expect(r, in)
			s.begin(r, e).kernelCall(3*unit, placements[lane%len(placements)])
			m := s.begin(r, e)
			for m.pos < 3*unit {
				m.kernelCall(unit, placements[lane%len(placements)])
			}
		}
	}
}

// checkStateExtremes runs states and texts of zeros and ones only.
func checkStateExtremes(s *subject) {
	for i := range s.routines {
		r := &s.routines[i]
		for _, rounds := range s.roundsOf() {
			for _, word := range []uint32{0, 0xffffffff, 0x80000000, 0x7fffffff, 1} {
				for _, text := range []byte{0, 0xff} {
					in := s.randomInput(rounds, 2*s.unit())
					for w := range in.state {
						in.state[w] = word
					}
					fill(in.text, text)
					s.eachPlacement(r, expect(r, in), len(in.text))
				}
			}
		}
	}
}

// checkVectors runs the published vectors of the kernel's algorithm.
func checkVectors(s *subject) {
	if s.kernel.Kind == registry.KindMAC {
		s.macVectors()
		return
	}
	for i := range s.routines {
		s.streamVectors(&s.routines[i])
		s.streamDigests(&s.routines[i])
	}
}
