package reference

import (
	"encoding/binary"
	"math/bits"
)

// blockSize is the size of one ChaCha or Salsa20 block in bytes.
const blockSize = 64

// XORChaCha XORs the ChaCha keystream of state into src and writes the result
// to dst. len(src) is a multiple of 64 and len(dst) equals it; both are the
// same memory or disjoint. The counter is words 12 and 13 as one 64-bit number;
// state itself is not changed. RFC 8439 section 2.3, with any even number of
// rounds.
func XORChaCha(dst, src []byte, state *[16]uint32, rounds int) {
	counter := uint64(state[13])<<32 | uint64(state[12])
	in := *state
	for len(src) >= blockSize {
		in[12], in[13] = uint32(counter), uint32(counter>>32)
		x := in
		chachaRounds(&x, rounds)
		xorBlock(dst, src, &x, &in)
		dst, src = dst[blockSize:], src[blockSize:]
		counter++
	}
}

// chachaRounds applies rounds/2 double rounds to x.
func chachaRounds(x *[16]uint32, rounds int) {
	for i := 0; i < rounds; i += 2 {
		chachaQuarter(x, 0, 4, 8, 12)
		chachaQuarter(x, 1, 5, 9, 13)
		chachaQuarter(x, 2, 6, 10, 14)
		chachaQuarter(x, 3, 7, 11, 15)
		chachaQuarter(x, 0, 5, 10, 15)
		chachaQuarter(x, 1, 6, 11, 12)
		chachaQuarter(x, 2, 7, 8, 13)
		chachaQuarter(x, 3, 4, 9, 14)
	}
}

// chachaQuarter is the quarter round of RFC 8439 section 2.1.
func chachaQuarter(x *[16]uint32, a, b, c, d int) {
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 16)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 12)
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 8)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 7)
}

// xorBlock writes src XOR (x + in), as little-endian words, to dst.
func xorBlock(dst, src []byte, x, in *[16]uint32) {
	for i := range x {
		w := binary.LittleEndian.Uint32(src[4*i:]) ^ (x[i] + in[i])
		binary.LittleEndian.PutUint32(dst[4*i:], w)
	}
}

// HChaCha returns the eight words that HChaCha derives from a ChaCha state
// whose words 12 to 15 hold the 16-byte input: words 0 to 3 and 12 to 15 after
// the rounds, without the final addition (draft-irtf-cfrg-xchacha section 2.2).
func HChaCha(state *[16]uint32, rounds int) [8]uint32 {
	x := *state
	chachaRounds(&x, rounds)
	return [8]uint32{x[0], x[1], x[2], x[3], x[12], x[13], x[14], x[15]}
}
