package registrytest

import (
	"github.com/quarterround/quarterround/registry"
)

// multipliers are extreme values of R, clamped.
var multipliers = [][2]uint64{
	{0, 0},
	{1, 0},
	{2, 0},
	{4, 0},
	{clampLow, clampHigh},
	{clampLow, 0},
	{0, clampHigh},
	{0x0fffffff, 0},
	{0x0ffffffc00000000, 0},
	{0, 0x0ffffffc},
	{0, 0x0ffffffc00000000},
	{0x0000000c0fffffff, 0x0ffffffc0ffffffc},
}

// accumulators are extreme values of H, all below 2^131.
var accumulators = [][3]uint64{
	{0, 0, 0},
	{^uint64(0), ^uint64(0), 7}, // 2^131 - 1
	{^uint64(0), ^uint64(0), 3}, // 2^130 - 1
	{0, 0, 4},                   // 2^130
	{^uint64(0) - 5, ^uint64(0), 3},
	{^uint64(0) - 4, ^uint64(0), 3}, // p
	{^uint64(0) - 3, ^uint64(0), 3},
	{^uint64(0) - 9, ^uint64(0), 7}, // 2p
	{0, 0, 7},
	{^uint64(0), 0, 0},
	{0, ^uint64(0), 4},
}

// texts fill a whole message from the number of its byte.
var texts = []func(i int) byte{
	func(int) byte { return 0xff },
	func(int) byte { return 0 },
	func(i int) byte { return byte(-(i / registry.MACBlockSize % 2)) }, // zeros and ones in turn
	func(i int) byte { // the block 2^128 - 5, which makes h = p from h = 0
		if i%registry.MACBlockSize == 0 {
			return 0xfb
		}
		return 0xff
	},
}

// checkMACExtremes runs extremes of R, H and the text against math/big, at
// every length up to three steps.
func checkMACExtremes(s *subject) {
	for i := range s.routines {
		r := &s.routines[i]
		n := 3 * s.kernel.Step()
		for _, multiplier := range multipliers {
			for a, accumulator := range accumulators {
				for t, text := range texts {
					if !s.long && (a+t)%len(texts) != 0 {
						continue
					}
					in := s.randomInput(s.roundsOf()[0], n)
					in.mac.R, in.mac.H = multiplier, accumulator
					for j := range in.text {
						in.text[j] = text(j)
					}
					s.againstBig(r, in)
				}
			}
		}
	}
}

// againstBig runs the input, whose text is what the MAC is to run over, in one
// call of every length.
func (s *subject) againstBig(r *routine, in input) {
	e := &expectation{input: in}
	if r.encrypts() {
		e.out = make([]byte, len(in.text))
		referenceXOR(r.cipher, e.out, in.text, &in.state, in.rounds)
		if !r.decrypts {
			// Encryption is its own inverse: make the ciphertext the extreme.
			e.text, e.out = e.out, e.text
		}
	}
	e.h = bigAbsorb(in.mac.H, in.mac.R, in.text)
	for n := s.unit(); n <= len(in.text); n += s.unit() {
		s.begin(r, e).kernelCall(n, placements[n/s.unit()%2])
	}
}

// checkMACLimbs runs numbers whose limbs, in the radices that kernels use, are
// all ones, all zeros or one off, in random combination, against math/big, in
// one call of each length up to two steps.
func checkMACLimbs(s *subject) {
	cases := 200
	if s.long {
		cases = 5000
	}
	for i := range s.routines {
		r := &s.routines[i]
		for range cases {
			in := s.randomInput(s.roundsOf()[0], (1+s.rand.IntN(2))*s.kernel.Step())
			in.mac.R = [2]uint64{s.edge() & clampLow, s.edge() & clampHigh}
			in.mac.H = [3]uint64{s.edge(), s.edge(), s.rand.Uint64N(8)}
			for at := 0; at < len(in.text); at += 8 {
				word := s.edge()
				for b := range 8 {
					in.text[at+b] = byte(word >> (8 * b))
				}
			}
			s.againstBig(r, in)
		}
	}
}

// edge returns a word of long runs of ones and zeros with breaks at the limb
// boundaries of radix 2^26, 2^32 and 2^44.
func (s *subject) edge() uint64 {
	word := -(s.rand.Uint64() & 1)
	for _, at := range []uint{12, 14, 20, 26, 32, 40, 44, 52} {
		if s.rand.IntN(4) == 0 {
			word ^= -(s.rand.Uint64() & 1) << at
		}
	}
	return word + s.rand.Uint64N(3) - 1
}

// checkPowers checks that Setup depends on R alone, and that kernels of one
// layout understand each other's powers.
func checkPowers(s *subject) {
	for _, multiplier := range append(multipliers, s.randomInput(0, 0).mac.R) {
		var first, second registry.Powers
		s.setup(&first, multiplier, poison)
		s.setup(&second, multiplier, ^uint64(poison))
		for w := range first.Words {
			untouched := first.Words[w] == poison && second.Words[w] == ^uint64(poison)
			if first.Words[w] != second.Words[w] && !untouched {
				s.fail(8*w, "two calls with the same multiplier differ")
			}
		}
	}
	for i := range s.backend.Kernels {
		other := &s.backend.Kernels[i]
		if other != s.kernel && other.Powers == s.kernel.Powers && other.Setup != nil && s.skipReason(other) == "" {
			s.foreignPowers(other)
		}
	}
}

// foreignPowers runs the kernel on powers set up by another of the same layout.
func (s *subject) foreignPowers(other *registry.Kernel) {
	for i := range s.routines {
		r := &s.routines[i]
		e := expect(r, s.randomInput(s.roundsOf()[0], 5*s.kernel.Step()))
		m := s.begin(r, e)
		for w := range m.powers.Words {
			m.powers.Words[w] = poison
		}
		given := e.mac.R
		other.Setup(&m.powers, &given)
		for m.pos < len(e.text) {
			m.kernelCall(s.kernel.Step(), placements[0])
		}
		m = s.begin(r, e)
		other.Setup(&m.powers, &given)
		m.kernelCall(len(e.text), placements[1])
	}
}
