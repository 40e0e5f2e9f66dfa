package poly26

import "math/bits"

// A number26 is a number modulo 2^130-5 in five limbs of 26 bits, least
// significant first. Limbs may exceed 26 bits where it is said so.
type number26 [5]uint32

const mask26 = 1<<26 - 1

// split26 returns h < 2^131 in base 2^26; the top limb is below 2^27.
func split26(h *[3]uint64) number26 {
	return number26{
		uint32(h[0] & mask26),
		uint32(h[0] >> 26 & mask26),
		uint32((h[0]>>52 | h[1]<<12) & mask26),
		uint32(h[1] >> 14 & mask26),
		uint32(h[1]>>40 | h[2]<<24),
	}
}

// add26 returns h + x as a number below 2^131 in base 2^64, for h < 2^131 and limbs
// of x below 2^27. Only if the sum needs it, what is above 2^130 is folded.
func add26(h *[3]uint64, x *number26) [3]uint64 {
	var s [3]uint64
	var c uint64
	s[0], c = bits.Add64(h[0], uint64(x[0])+uint64(x[1])<<26, 0)
	s[1], c = bits.Add64(h[1], 0, c)
	s[2] = h[2] + c
	s[0], c = bits.Add64(s[0], uint64(x[2])<<52, 0)
	s[1], c = bits.Add64(s[1], uint64(x[2])>>12+uint64(x[3])<<14, c)
	s[2] += c
	s[1], c = bits.Add64(s[1], uint64(x[4])<<40, 0)
	s[2] += uint64(x[4])>>24 + c
	q := s[2] >> 2
	s[2] &= 3
	s[0], c = bits.Add64(s[0], 5*q, 0)
	s[1], c = bits.Add64(s[1], 0, c)
	s[2] += c
	return s
}

// multiply26 returns x * y. Limbs of x and y are at most 2^27; those of the
// result below 2^26, except the lowest, which may be up to 2^26 + 4.
func multiply26(x, y *number26) number26 {
	// Twenty-five products of 54 bits, twenty of them times 5: a column is below
	// 21 * 2^54 < 2^59.
	var d [5]uint64
	for i, a := range x {
		for j, b := range y {
			if i+j < 5 {
				d[i+j] += uint64(a) * uint64(b)
			} else {
				d[i+j-5] += uint64(a) * uint64(5*b)
			}
		}
	}
	// The first pass leaves less than 5 * 2^34 in limb 0, the second less than 5.
	for range 2 {
		d[1] += d[0] >> 26
		d[2] += d[1] >> 26
		d[3] += d[2] >> 26
		d[4] += d[3] >> 26
		d[0] = d[0]&mask26 + 5*(d[4]>>26)
		d[1] &= mask26
		d[2] &= mask26
		d[3] &= mask26
		d[4] &= mask26
	}
	return number26{uint32(d[0]), uint32(d[1]), uint32(d[2]), uint32(d[3]), uint32(d[4])}
}
