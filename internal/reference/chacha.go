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
// state itself is not changed. Rounds is a multiple of four: 8, 12 or 20.
// RFC 8439 section 2.3; D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008.
//
// Two double rounds are spelled out in local variables, one addition or one
// rotation a line. The compiler schedules by line number, so that quarter rounds
// written as calls, whose lines are all the same, would be interleaved and need
// more registers than a 32-bit CPU has.
func XORChaCha(dst, src []byte, state *[16]uint32, rounds int) {
	counter := uint64(state[13])<<32 | uint64(state[12])
	for len(src) >= blockSize && len(dst) >= blockSize {
		x0, x1, x2, x3 := state[0], state[1], state[2], state[3]
		x4, x5, x6, x7 := state[4], state[5], state[6], state[7]
		x8, x9, x10, x11 := state[8], state[9], state[10], state[11]
		x12, x13, x14, x15 := uint32(counter), uint32(counter>>32), state[14], state[15]

		for i := rounds; i > 0; i -= 4 {
			// columns of the first double round
			x0 += x4
			x12 = bits.RotateLeft32(x12^x0, 16)
			x8 += x12
			x4 = bits.RotateLeft32(x4^x8, 12)
			x0 += x4
			x12 = bits.RotateLeft32(x12^x0, 8)
			x8 += x12
			x4 = bits.RotateLeft32(x4^x8, 7)
			x1 += x5
			x13 = bits.RotateLeft32(x13^x1, 16)
			x9 += x13
			x5 = bits.RotateLeft32(x5^x9, 12)
			x1 += x5
			x13 = bits.RotateLeft32(x13^x1, 8)
			x9 += x13
			x5 = bits.RotateLeft32(x5^x9, 7)
			x2 += x6
			x14 = bits.RotateLeft32(x14^x2, 16)
			x10 += x14
			x6 = bits.RotateLeft32(x6^x10, 12)
			x2 += x6
			x14 = bits.RotateLeft32(x14^x2, 8)
			x10 += x14
			x6 = bits.RotateLeft32(x6^x10, 7)
			x3 += x7
			x15 = bits.RotateLeft32(x15^x3, 16)
			x11 += x15
			x7 = bits.RotateLeft32(x7^x11, 12)
			x3 += x7
			x15 = bits.RotateLeft32(x15^x3, 8)
			x11 += x15
			x7 = bits.RotateLeft32(x7^x11, 7)

			// diagonals of the first double round
			x0 += x5
			x15 = bits.RotateLeft32(x15^x0, 16)
			x10 += x15
			x5 = bits.RotateLeft32(x5^x10, 12)
			x0 += x5
			x15 = bits.RotateLeft32(x15^x0, 8)
			x10 += x15
			x5 = bits.RotateLeft32(x5^x10, 7)
			x1 += x6
			x12 = bits.RotateLeft32(x12^x1, 16)
			x11 += x12
			x6 = bits.RotateLeft32(x6^x11, 12)
			x1 += x6
			x12 = bits.RotateLeft32(x12^x1, 8)
			x11 += x12
			x6 = bits.RotateLeft32(x6^x11, 7)
			x2 += x7
			x13 = bits.RotateLeft32(x13^x2, 16)
			x8 += x13
			x7 = bits.RotateLeft32(x7^x8, 12)
			x2 += x7
			x13 = bits.RotateLeft32(x13^x2, 8)
			x8 += x13
			x7 = bits.RotateLeft32(x7^x8, 7)
			x3 += x4
			x14 = bits.RotateLeft32(x14^x3, 16)
			x9 += x14
			x4 = bits.RotateLeft32(x4^x9, 12)
			x3 += x4
			x14 = bits.RotateLeft32(x14^x3, 8)
			x9 += x14
			x4 = bits.RotateLeft32(x4^x9, 7)

			// columns of the second double round
			x0 += x4
			x12 = bits.RotateLeft32(x12^x0, 16)
			x8 += x12
			x4 = bits.RotateLeft32(x4^x8, 12)
			x0 += x4
			x12 = bits.RotateLeft32(x12^x0, 8)
			x8 += x12
			x4 = bits.RotateLeft32(x4^x8, 7)
			x1 += x5
			x13 = bits.RotateLeft32(x13^x1, 16)
			x9 += x13
			x5 = bits.RotateLeft32(x5^x9, 12)
			x1 += x5
			x13 = bits.RotateLeft32(x13^x1, 8)
			x9 += x13
			x5 = bits.RotateLeft32(x5^x9, 7)
			x2 += x6
			x14 = bits.RotateLeft32(x14^x2, 16)
			x10 += x14
			x6 = bits.RotateLeft32(x6^x10, 12)
			x2 += x6
			x14 = bits.RotateLeft32(x14^x2, 8)
			x10 += x14
			x6 = bits.RotateLeft32(x6^x10, 7)
			x3 += x7
			x15 = bits.RotateLeft32(x15^x3, 16)
			x11 += x15
			x7 = bits.RotateLeft32(x7^x11, 12)
			x3 += x7
			x15 = bits.RotateLeft32(x15^x3, 8)
			x11 += x15
			x7 = bits.RotateLeft32(x7^x11, 7)

			// diagonals of the second double round
			x0 += x5
			x15 = bits.RotateLeft32(x15^x0, 16)
			x10 += x15
			x5 = bits.RotateLeft32(x5^x10, 12)
			x0 += x5
			x15 = bits.RotateLeft32(x15^x0, 8)
			x10 += x15
			x5 = bits.RotateLeft32(x5^x10, 7)
			x1 += x6
			x12 = bits.RotateLeft32(x12^x1, 16)
			x11 += x12
			x6 = bits.RotateLeft32(x6^x11, 12)
			x1 += x6
			x12 = bits.RotateLeft32(x12^x1, 8)
			x11 += x12
			x6 = bits.RotateLeft32(x6^x11, 7)
			x2 += x7
			x13 = bits.RotateLeft32(x13^x2, 16)
			x8 += x13
			x7 = bits.RotateLeft32(x7^x8, 12)
			x2 += x7
			x13 = bits.RotateLeft32(x13^x2, 8)
			x8 += x13
			x7 = bits.RotateLeft32(x7^x8, 7)
			x3 += x4
			x14 = bits.RotateLeft32(x14^x3, 16)
			x9 += x14
			x4 = bits.RotateLeft32(x4^x9, 12)
			x3 += x4
			x14 = bits.RotateLeft32(x14^x3, 8)
			x9 += x14
			x4 = bits.RotateLeft32(x4^x9, 7)
		}

		xorWord(dst[0:4], src[0:4], x0+state[0])
		xorWord(dst[4:8], src[4:8], x1+state[1])
		xorWord(dst[8:12], src[8:12], x2+state[2])
		xorWord(dst[12:16], src[12:16], x3+state[3])
		xorWord(dst[16:20], src[16:20], x4+state[4])
		xorWord(dst[20:24], src[20:24], x5+state[5])
		xorWord(dst[24:28], src[24:28], x6+state[6])
		xorWord(dst[28:32], src[28:32], x7+state[7])
		xorWord(dst[32:36], src[32:36], x8+state[8])
		xorWord(dst[36:40], src[36:40], x9+state[9])
		xorWord(dst[40:44], src[40:44], x10+state[10])
		xorWord(dst[44:48], src[44:48], x11+state[11])
		xorWord(dst[48:52], src[48:52], x12+uint32(counter))
		xorWord(dst[52:56], src[52:56], x13+uint32(counter>>32))
		xorWord(dst[56:60], src[56:60], x14+state[14])
		xorWord(dst[60:64], src[60:64], x15+state[15])

		dst, src = dst[blockSize:], src[blockSize:]
		counter++
	}
}

// xorWord writes src XOR w to dst, both four bytes in little-endian order.
func xorWord(dst, src []byte, w uint32) {
	binary.LittleEndian.PutUint32(dst, binary.LittleEndian.Uint32(src)^w)
}

// HChaCha returns the eight words that HChaCha derives from a ChaCha state
// whose words 12 to 15 hold the 16-byte input: words 0 to 3 and 12 to 15 after
// the rounds (draft-irtf-cfrg-xchacha section 2.2). They are a keystream block
// less the state that the block function adds at its end.
func HChaCha(state *[16]uint32, rounds int) [8]uint32 {
	var block [blockSize]byte
	XORChaCha(block[:], block[:], state, rounds)
	var out [8]uint32
	for i, j := range [8]int{0, 1, 2, 3, 12, 13, 14, 15} {
		out[i] = binary.LittleEndian.Uint32(block[4*j:]) - state[j]
	}
	return out
}
