package poly26

// A number26 is a number modulo 2^130-5 in five limbs of 26 bits, least
// significant first. Limbs may exceed 26 bits where it is said so.
type number26 [5]uint32

const mask26 = 1<<26 - 1

// split26 returns h < 2^131 in base 2^26; the top limb is below 2^27.
func split26(h *[3]uint64) number26 {
	w0, w1, w2, w3 := uint32(h[0]), uint32(h[0]>>32), uint32(h[1]), uint32(h[1]>>32)
	return number26{
		w0 & mask26,
		(w0>>26 | w1<<6) & mask26,
		(w1>>20 | w2<<12) & mask26,
		(w2>>14 | w3<<18) & mask26,
		w3>>8 | uint32(h[2])<<24,
	}
}

// add26 returns h + x as a number below 2^130 + 2^4 in base 2^64, for h < 2^131 and
// limbs of x at most 2^27.
func add26(h *[3]uint64, x *number26) [3]uint64 {
	// In words of 32 bits, for the sake of 32-bit CPUs.
	x1 := x[1] + x[0]>>26
	x2 := x[2] + x1>>26
	x3 := x[3] + x2>>26
	x4 := x[4] + x3>>26
	c := uint64(uint32(h[0])) + uint64(x[0]&mask26|x1<<26)
	w0 := uint32(c)
	c = c>>32 + uint64(uint32(h[0]>>32)) + uint64(x1&mask26>>6|x2<<20)
	w1 := uint32(c)
	c = c>>32 + uint64(uint32(h[1])) + uint64(x2&mask26>>12|x3<<14)
	w2 := uint32(c)
	c = c>>32 + uint64(uint32(h[1]>>32)) + uint64(x3&mask26>>18|x4<<8)
	w3 := uint32(c)
	w4 := uint32(c>>32) + uint32(h[2]) + x4>>24
	// What is above 2^130 comes back as 5 * (w4 >> 2).
	c = uint64(w0) + uint64(5*(w4>>2))
	w0 = uint32(c)
	c = c>>32 + uint64(w1)
	w1 = uint32(c)
	c = c>>32 + uint64(w2)
	w2 = uint32(c)
	c = c>>32 + uint64(w3)
	w3 = uint32(c)
	return [3]uint64{
		uint64(w1)<<32 | uint64(w0),
		uint64(w3)<<32 | uint64(w2),
		uint64(w4&3 + uint32(c>>32)),
	}
}
