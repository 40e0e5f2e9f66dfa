package reference

import "math/bits"

// XORSalsa is XORChaCha for Salsa20: the counter is words 8 and 9.
// D. J. Bernstein, "The Salsa20 family of stream ciphers", 2007.
func XORSalsa(dst, src []byte, state *[16]uint32, rounds int) {
	counter := uint64(state[9])<<32 | uint64(state[8])
	in := *state
	for len(src) >= blockSize {
		in[8], in[9] = uint32(counter), uint32(counter>>32)
		x := in
		salsaRounds(&x, rounds)
		xorBlock(dst, src, &x, &in)
		dst, src = dst[blockSize:], src[blockSize:]
		counter++
	}
}

// salsaRounds applies rounds/2 double rounds (column round, row round) to x.
func salsaRounds(x *[16]uint32, rounds int) {
	for i := 0; i < rounds; i += 2 {
		salsaQuarter(x, 0, 4, 8, 12)
		salsaQuarter(x, 5, 9, 13, 1)
		salsaQuarter(x, 10, 14, 2, 6)
		salsaQuarter(x, 15, 3, 7, 11)
		salsaQuarter(x, 0, 1, 2, 3)
		salsaQuarter(x, 5, 6, 7, 4)
		salsaQuarter(x, 10, 11, 8, 9)
		salsaQuarter(x, 15, 12, 13, 14)
	}
}

// salsaQuarter is the quarter round of the Salsa20 specification, section 3.
func salsaQuarter(x *[16]uint32, a, b, c, d int) {
	x[b] ^= bits.RotateLeft32(x[a]+x[d], 7)
	x[c] ^= bits.RotateLeft32(x[b]+x[a], 9)
	x[d] ^= bits.RotateLeft32(x[c]+x[b], 13)
	x[a] ^= bits.RotateLeft32(x[d]+x[c], 18)
}

// HSalsa returns the eight words that HSalsa20 derives from a Salsa20 state
// whose words 6 to 9 hold the 16-byte input: words 0, 5, 10, 15 and 6 to 9
// after the rounds, without the final addition (D. J. Bernstein, "Extending the
// Salsa20 nonce", 2011, section 2).
func HSalsa(state *[16]uint32, rounds int) [8]uint32 {
	x := *state
	salsaRounds(&x, rounds)
	return [8]uint32{x[0], x[5], x[10], x[15], x[6], x[7], x[8], x[9]}
}
