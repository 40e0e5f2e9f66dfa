package poly26

import "math/bits"

const mask26 = 1<<26 - 1

// addLimbs64 adds a number in base 2^26, with limbs of at most 2^27, to h < 2^131, in
// words of 64 bits. The sum is below 2^130 + 2^4: what is above 2^130 comes back
// as five times as much at the bottom.
func addLimbs64(h *[3]uint64, x0, x1, x2, x3, x4 uint64) {
	s0, c := bits.Add64(x0+x1<<26, x2<<52, 0)
	s1, d := bits.Add64(x2>>12+x3<<14, x4<<40, c)
	s0, c = bits.Add64(s0, h[0], 0)
	s1, c = bits.Add64(s1, h[1], c)
	s2 := x4>>24 + d + h[2] + c
	s0, c = bits.Add64(s0, 5*(s2>>2), 0)
	s1, c = bits.Add64(s1, 0, c)
	h[0], h[1], h[2] = s0, s1, s2&3+c
}

// addLimbs32 is addLimbs64 in words of 32 bits.
func addLimbs32(h *[3]uint64, x0, x1, x2, x3, x4 uint32) {
	x1 += x0 >> 26
	x2 += x1 >> 26
	x3 += x2 >> 26
	x4 += x3 >> 26
	w0, c := bits.Add32(uint32(h[0]), x0&mask26|x1<<26, 0)
	w1, c := bits.Add32(uint32(h[0]>>32), x1&mask26>>6|x2<<20, c)
	w2, c := bits.Add32(uint32(h[1]), x2&mask26>>12|x3<<14, c)
	w3, c := bits.Add32(uint32(h[1]>>32), x3&mask26>>18|x4<<8, c)
	w4 := c + uint32(h[2]) + x4>>24
	w0, c = bits.Add32(w0, 5*(w4>>2), 0)
	w1, c = bits.Add32(w1, 0, c)
	w2, c = bits.Add32(w2, 0, c)
	w3, c = bits.Add32(w3, 0, c)
	h[0] = uint64(w1)<<32 | uint64(w0)
	h[1] = uint64(w3)<<32 | uint64(w2)
	h[2] = uint64(w4&3 + c)
}
