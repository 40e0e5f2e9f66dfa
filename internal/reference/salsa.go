package reference

import (
	"encoding/binary"
	"math/bits"
)

// XORSalsa is XORChaCha for Salsa20: the counter is words 8 and 9.
// D. J. Bernstein, "The Salsa20 family of stream ciphers", 2007.
func XORSalsa(dst, src []byte, state *[16]uint32, rounds int) {
	counter := uint64(state[9])<<32 | uint64(state[8])
	for len(src) >= blockSize && len(dst) >= blockSize {
		x0, x1, x2, x3 := state[0], state[1], state[2], state[3]
		x4, x5, x6, x7 := state[4], state[5], state[6], state[7]
		x8, x9, x10, x11 := uint32(counter), uint32(counter>>32), state[10], state[11]
		x12, x13, x14, x15 := state[12], state[13], state[14], state[15]

		for i := rounds; i > 0; i -= 4 {
			// columns of the first double round
			x4 ^= bits.RotateLeft32(x0+x12, 7)
			x8 ^= bits.RotateLeft32(x4+x0, 9)
			x12 ^= bits.RotateLeft32(x8+x4, 13)
			x0 ^= bits.RotateLeft32(x12+x8, 18)
			x9 ^= bits.RotateLeft32(x5+x1, 7)
			x13 ^= bits.RotateLeft32(x9+x5, 9)
			x1 ^= bits.RotateLeft32(x13+x9, 13)
			x5 ^= bits.RotateLeft32(x1+x13, 18)
			x14 ^= bits.RotateLeft32(x10+x6, 7)
			x2 ^= bits.RotateLeft32(x14+x10, 9)
			x6 ^= bits.RotateLeft32(x2+x14, 13)
			x10 ^= bits.RotateLeft32(x6+x2, 18)
			x3 ^= bits.RotateLeft32(x15+x11, 7)
			x7 ^= bits.RotateLeft32(x3+x15, 9)
			x11 ^= bits.RotateLeft32(x7+x3, 13)
			x15 ^= bits.RotateLeft32(x11+x7, 18)

			// rows of the first double round
			x1 ^= bits.RotateLeft32(x0+x3, 7)
			x2 ^= bits.RotateLeft32(x1+x0, 9)
			x3 ^= bits.RotateLeft32(x2+x1, 13)
			x0 ^= bits.RotateLeft32(x3+x2, 18)
			x6 ^= bits.RotateLeft32(x5+x4, 7)
			x7 ^= bits.RotateLeft32(x6+x5, 9)
			x4 ^= bits.RotateLeft32(x7+x6, 13)
			x5 ^= bits.RotateLeft32(x4+x7, 18)
			x11 ^= bits.RotateLeft32(x10+x9, 7)
			x8 ^= bits.RotateLeft32(x11+x10, 9)
			x9 ^= bits.RotateLeft32(x8+x11, 13)
			x10 ^= bits.RotateLeft32(x9+x8, 18)
			x12 ^= bits.RotateLeft32(x15+x14, 7)
			x13 ^= bits.RotateLeft32(x12+x15, 9)
			x14 ^= bits.RotateLeft32(x13+x12, 13)
			x15 ^= bits.RotateLeft32(x14+x13, 18)

			// columns of the second double round
			x4 ^= bits.RotateLeft32(x0+x12, 7)
			x8 ^= bits.RotateLeft32(x4+x0, 9)
			x12 ^= bits.RotateLeft32(x8+x4, 13)
			x0 ^= bits.RotateLeft32(x12+x8, 18)
			x9 ^= bits.RotateLeft32(x5+x1, 7)
			x13 ^= bits.RotateLeft32(x9+x5, 9)
			x1 ^= bits.RotateLeft32(x13+x9, 13)
			x5 ^= bits.RotateLeft32(x1+x13, 18)
			x14 ^= bits.RotateLeft32(x10+x6, 7)
			x2 ^= bits.RotateLeft32(x14+x10, 9)
			x6 ^= bits.RotateLeft32(x2+x14, 13)
			x10 ^= bits.RotateLeft32(x6+x2, 18)
			x3 ^= bits.RotateLeft32(x15+x11, 7)
			x7 ^= bits.RotateLeft32(x3+x15, 9)
			x11 ^= bits.RotateLeft32(x7+x3, 13)
			x15 ^= bits.RotateLeft32(x11+x7, 18)

			// rows of the second double round
			x1 ^= bits.RotateLeft32(x0+x3, 7)
			x2 ^= bits.RotateLeft32(x1+x0, 9)
			x3 ^= bits.RotateLeft32(x2+x1, 13)
			x0 ^= bits.RotateLeft32(x3+x2, 18)
			x6 ^= bits.RotateLeft32(x5+x4, 7)
			x7 ^= bits.RotateLeft32(x6+x5, 9)
			x4 ^= bits.RotateLeft32(x7+x6, 13)
			x5 ^= bits.RotateLeft32(x4+x7, 18)
			x11 ^= bits.RotateLeft32(x10+x9, 7)
			x8 ^= bits.RotateLeft32(x11+x10, 9)
			x9 ^= bits.RotateLeft32(x8+x11, 13)
			x10 ^= bits.RotateLeft32(x9+x8, 18)
			x12 ^= bits.RotateLeft32(x15+x14, 7)
			x13 ^= bits.RotateLeft32(x12+x15, 9)
			x14 ^= bits.RotateLeft32(x13+x12, 13)
			x15 ^= bits.RotateLeft32(x14+x13, 18)
		}

		xorWord(dst[0:4], src[0:4], x0+state[0])
		xorWord(dst[4:8], src[4:8], x1+state[1])
		xorWord(dst[8:12], src[8:12], x2+state[2])
		xorWord(dst[12:16], src[12:16], x3+state[3])
		xorWord(dst[16:20], src[16:20], x4+state[4])
		xorWord(dst[20:24], src[20:24], x5+state[5])
		xorWord(dst[24:28], src[24:28], x6+state[6])
		xorWord(dst[28:32], src[28:32], x7+state[7])
		xorWord(dst[32:36], src[32:36], x8+uint32(counter))
		xorWord(dst[36:40], src[36:40], x9+uint32(counter>>32))
		xorWord(dst[40:44], src[40:44], x10+state[10])
		xorWord(dst[44:48], src[44:48], x11+state[11])
		xorWord(dst[48:52], src[48:52], x12+state[12])
		xorWord(dst[52:56], src[52:56], x13+state[13])
		xorWord(dst[56:60], src[56:60], x14+state[14])
		xorWord(dst[60:64], src[60:64], x15+state[15])

		dst, src = dst[blockSize:], src[blockSize:]
		counter++
	}
}

// HSalsa returns the eight words that HSalsa20 derives from a Salsa20 state
// whose words 6 to 9 hold the 16-byte input: words 0, 5, 10, 15 and 6 to 9
// after the rounds (D. J. Bernstein, "Extending the Salsa20 nonce", 2011,
// section 2). They are a keystream block less the state that the block function
// adds at its end.
func HSalsa(state *[16]uint32, rounds int) [8]uint32 {
	var block [blockSize]byte
	XORSalsa(block[:], block[:], state, rounds)
	var out [8]uint32
	for i, j := range [8]int{0, 5, 10, 15, 6, 7, 8, 9} {
		out[i] = binary.LittleEndian.Uint32(block[4*j:]) - state[j]
	}
	return out
}
