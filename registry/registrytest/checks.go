package registrytest

import (
	"github.com/quarterround/quarterround/registry"
)

// allLengths is the length in bytes up to which every length is checked.
const allLengths = 1100

// checksFor returns the checks for a kernel of this kind.
func checksFor(k *registry.Kernel) []check {
	checks := []check{
		{name: "description", run: checkDescription, first: true},
		{name: "vectors", run: checkVectors},
		{name: "lengths", run: checkLengths},
	}
	if k.Kind != registry.KindMAC {
		checks = append(checks, check{name: "tails", run: checkTails})
	}
	checks = append(checks, check{name: "splits", run: checkSplits}, check{name: "offsets", run: checkOffsets}, check{name: "piece", run: checkPiece})
	if k.Kind != registry.KindMAC {
		checks = append(checks,
			check{name: "counter-carry", run: checkCounterCarry},
			check{name: "counter-wrap", run: checkCounterWrap},
			check{name: "state-extremes", run: checkStateExtremes})
	}
	if k.Lead.XOR != nil {
		checks = append(checks, check{name: "lead", run: checkLead})
	}
	if k.Kind != registry.KindStream {
		checks = append(checks, check{name: "mac-extremes", run: checkMACExtremes}, check{name: "mac-limbs", run: checkMACLimbs})
	}
	if k.Setup != nil {
		checks = append(checks, check{name: "powers", run: checkPowers})
	}
	return append(checks,
		check{name: "kernel-change", run: checkKernelChange},
		check{name: "random", run: checkRandom},
		check{name: "allocations", run: checkAllocations},
		check{name: "retention", run: checkRetention},
		check{name: "concurrency", run: checkConcurrency},
		check{name: "garbage-collection", run: checkGarbageCollection},
		check{name: "stack-growth", run: checkStackGrowth},
		check{name: "stress", run: checkStress})
}

// maxLength returns the length in bytes of the longest call.
func maxLength(k *registry.Kernel) int {
	step := max(1, k.Blocks) * registry.BlockSize
	return max(65536+2*step, 8*step)
}

// checkDescription checks what the other checks rely on.
func checkDescription(s *subject) {
	k := s.kernel
	switch {
	case k.Name == "":
		s.fail(-1, "the kernel has no name")
	case k.Blocks < 1:
		s.fail(-1, "Blocks is %d", k.Blocks)
	case (k.Kind == registry.KindMAC) != (k.Cipher == registry.NoCipher):
		s.fail(-1, "a %s kernel has cipher %s", k.Kind, k.Cipher)
	case k.Kind == registry.KindStream && (k.Setup != nil || k.Powers != ""):
		s.fail(-1, "a stream kernel has Setup or Powers")
	case k.Lead.XOR != nil && (k.XOR == nil || k.Cipher != registry.ChaCha):
		s.fail(-1, "a Lead is for stream kernels of ChaCha that have XOR")
	case k.Lead.XOR != nil && (k.Lead.From < 1 || k.Lead.From > (k.Blocks-1)*registry.BlockSize):
		s.fail(-1, "a Lead from %d bytes on, of a kernel of %d blocks", k.Lead.From, k.Blocks)
	case (k.Setup == nil) != (k.Powers == ""):
		s.fail(-1, "Setup and the name of the Powers layout must come together")
	}
}

// callLengths returns the multiples of unit up to allLengths and three steps,
// and those next to 4096 and 65536.
func (s *subject) callLengths() []int {
	unit := s.unit()
	var lengths []int
	for n := unit; n <= max(allLengths, 3*s.kernel.Step()); n += unit {
		lengths = append(lengths, n)
	}
	if s.long {
		for n := lengths[len(lengths)-1] + unit; n <= 8192; n += unit {
			lengths = append(lengths, n)
		}
	}
	for _, around := range []int{4096, 65536} {
		for n := around / unit * unit; n <= around+unit; n += unit {
			if n > lengths[len(lengths)-1] {
				lengths = append(lengths, n)
			}
		}
	}
	return lengths
}

// checkLengths runs one call of every length, apart and in place, against the
// upper and the lower guard page.
func checkLengths(s *subject) {
	lengths := s.callLengths()
	for i := range s.routines {
		r := &s.routines[i]
		for _, rounds := range s.roundsOf() {
			e := expect(r, s.randomInput(rounds, lengths[len(lengths)-1]))
			for _, n := range lengths {
				if rounds != 0 && rounds < 20 && n > 2*allLengths && !s.long {
					break
				}
				s.eachPlacement(r, e, n)
			}
		}
	}
}

// eachPlacement runs the first n bytes of e in one call in each placement.
func (s *subject) eachPlacement(r *routine, e *expectation, n int) {
	for _, p := range placements {
		if p.inPlace && !r.encrypts() {
			continue
		}
		s.begin(r, e).kernelCall(n, p)
	}
}

// checkTails runs messages of every length in bytes, the rest through scratch
// memory.
func checkTails(s *subject) {
	limit := max(allLengths, 2*s.unit())
	for i := range s.routines {
		r := &s.routines[i]
		for _, rounds := range s.roundsOf() {
			e := expect(r, s.randomInput(rounds, limit/registry.BlockSize*registry.BlockSize+registry.BlockSize))
			for n := 0; n <= limit; n++ {
				s.begin(r, e).bytes(n, placements[n%len(placements)])
			}
			if !s.long {
				break
			}
		}
	}
}

// checkSplits runs a message in two calls, split at every place.
func checkSplits(s *subject) {
	step := s.kernel.Step()
	total := 4*step + registry.BlockSize
	if s.kernel.Kind == registry.KindFused {
		total = 8 * step
	}
	for i := range s.routines {
		r := &s.routines[i]
		e := expect(r, s.randomInput(s.roundsOf()[0], total))
		for at := 0; at <= total; at++ {
			if !s.splitAt(at) {
				continue
			}
			p := placements[at%2]
			m := s.begin(r, e)
			m.split(at, p)
			m.split(total-at, p)
		}
	}
}

// splitAt reports whether a message is to be split at this byte.
func (s *subject) splitAt(at int) bool {
	step := s.kernel.Step()
	if s.kernel.Kind != registry.KindStream {
		return at%s.unit() == 0
	}
	if s.long || at <= min(2*step, 512) {
		return true
	}
	if at <= 2*step {
		return at%registry.BlockSize == 0
	}
	beside := at % step
	return beside == 0 || beside == registry.BlockSize || beside == step-registry.BlockSize
}

// split does n bytes: a stream kernel any number, the others a multiple of
// their unit.
func (m *message) split(n int, p placement) {
	if m.kernel.Kind == registry.KindStream {
		m.bytes(n, p)
	} else if n > 0 {
		m.kernelCall(n, p)
	}
}

// checkOffsets runs calls with src and dst at every offset from 0 to 15 from
// an aligned address.
func checkOffsets(s *subject) {
	for i := range s.routines {
		r := &s.routines[i]
		n := 3 * s.kernel.Step()
		e := expect(r, s.randomInput(s.roundsOf()[0], n))
		for src := range 16 {
			for dst := range 16 {
				if dst > 0 && !r.encrypts() {
					break
				}
				s.begin(r, e).kernelCall(n-(src+dst)%3*s.kernel.Step(), placement{src: src, dst: dst})
			}
			s.begin(r, e).kernelCall(n, placement{inPlace: r.encrypts(), src: src, dst: src})
			s.begin(r, e).kernelCall(n, placement{atEnd: true, src: src, dst: 15 - src})
		}
	}
}

// checkPiece runs one call of the longest piece that callers hand to a kernel.
func checkPiece(s *subject) {
	for i := range s.routines {
		r := &s.routines[i]
		n := max(1, pieceSize/s.unit()) * s.unit()
		e := expect(r, s.randomInput(s.roundsOf()[0], n))
		s.eachPlacement(r, e, n)
	}
}

// pieceSize is the bound, in bytes, up to which callers hand input to kernels.
const pieceSize = 16384

// checkKernelChange lets the reference do one or two units between calls of
// the kernel, at every boundary in two steps.
func checkKernelChange(s *subject) {
	unit, step := s.unit(), s.kernel.Step()
	between := unit
	if s.kernel.Kind != registry.KindMAC {
		between = registry.BlockSize
	}
	for i := range s.routines {
		r := &s.routines[i]
		total := 5*step + 2*between
		e := expect(r, s.randomInput(s.roundsOf()[0], total))
		for at := 0; at <= 2*step; at += unit {
			m := s.begin(r, e)
			m.whole(at)
			m.skip(between)
			m.whole(unit)
			m.skip(between)
			m.whole((total - m.pos) / unit * unit)
		}
		m := s.begin(r, e)
		for m.pos+between+unit <= total {
			m.skip(between)
			m.whole(unit)
		}
	}
}

// whole is kernelCall, apart, for n that may be 0.
func (m *message) whole(n int) {
	if n > 0 {
		m.kernelCall(n, placements[m.turnOf(n)])
	}
}

// turnOf alternates between the two placements that are apart.
func (m *message) turnOf(n int) int { return (m.pos + n) / m.unit() % 2 }

// checkRandom runs random messages in random calls at random places.
func checkRandom(s *subject) {
	cases := 150
	if s.long {
		cases = 4000
	}
	for range cases {
		r := &s.routines[s.rand.IntN(len(s.routines))]
		rounds := s.roundsOf()[s.rand.IntN(len(s.roundsOf()))]
		total := (1 + s.rand.IntN(6)) * s.kernel.Step()
		e := expect(r, s.randomInput(rounds, total))
		m := s.begin(r, e)
		for m.pos < total {
			n := (1 + s.rand.IntN((total-m.pos)/s.unit())) * s.unit()
			m.kernelCall(n, placement{
				atEnd:   s.rand.IntN(2) == 0,
				inPlace: r.encrypts() && s.rand.IntN(2) == 0,
				src:     s.rand.IntN(64),
				dst:     s.rand.IntN(64),
			})
		}
	}
}
