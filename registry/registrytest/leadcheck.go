package registrytest

import (
	"crypto/subtle"

	"github.com/quarterround/quarterround/registry"
)

// checkLead runs Lead on every length that it takes, with the first block in memory
// that is far from the rest: the other checks have it before dst.
func checkLead(s *subject) {
	for _, rounds := range s.roundsOf() {
		e := expect(&s.routines[0], s.randomInput(rounds, s.kernel.Step()))
		for n := s.kernel.Lead.From; n <= s.kernel.Step()-registry.BlockSize; n++ {
			for _, p := range placements {
				s.leadApart(e, n, p)
			}
		}
		if !s.long {
			break
		}
	}
}

// leadApart leads n bytes of e in this placement and compares everything.
func (s *subject) leadApart(e *expectation, n int, p placement) {
	s.poll()
	s.mem.next()
	s.at.Call, s.at.Length, s.at.Rounds, s.at.Offset = leadName, n, e.rounds, -1
	dst, src := slice(s.mem.dst, p.atEnd, p.dst, n), slice(s.mem.src, p.atEnd, p.src, n)
	from, before := p.dst, 0
	if p.atEnd {
		from, before = len(s.mem.dst)-p.dst-n, len(s.mem.scratch)-registry.BlockSize
	}
	if p.inPlace {
		src = dst
	}
	copy(src, e.text[registry.BlockSize:])
	setCanaries(s.mem.dst, from, from+n)
	setCanaries(s.mem.scratch, before, before+registry.BlockSize)
	first := (*[registry.BlockSize]byte)(s.mem.scratch[before:])
	state := s.mem.statePointer()
	*state = e.state
	s.args = arguments{dst: dst, src: src, state: state, rounds: e.rounds}
	s.kernel.Lead.XOR(first, dst, src, state, e.rounds)

	var block [registry.BlockSize]byte
	subtle.XORBytes(block[:], e.out, e.text[:registry.BlockSize])
	if i := firstDifference(first[:], block[:]); i >= 0 {
		s.fail(i, "wrong first block")
	}
	if i := firstDifference(dst, e.out[registry.BlockSize:][:n]); i >= 0 {
		s.fail(i, "wrong output")
	}
	if i := firstDifference(src, e.text[registry.BlockSize:][:n]); i >= 0 && !p.inPlace {
		s.fail(i, "src was modified")
	}
	if *state != e.state {
		s.fail(-1, "the state argument was modified")
	}
	if off, broken := brokenCanary(s.mem.dst, from, from+n); broken {
		s.fail(-1, "wrote outside dst, at byte %d of %d", off, n)
	}
	if off, broken := brokenCanary(s.mem.scratch, before, before+registry.BlockSize); broken {
		s.fail(-1, "wrote outside the first block, at byte %d", off)
	}
}
