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

// multiply26 returns x * y. Limbs of x and y are at most 2^27; those of the
// result below 2^26, except the lowest, which may be up to 2^26 + 4.
func multiply26(x, y *number26) number26 {
	x0, x1, x2, x3, x4 := x[0], x[1], x[2], x[3], x[4]
	y0, y1, y2, y3, y4 := y[0], y[1], y[2], y[3], y[4]
	z1, z2, z3, z4 := 5*y1, 5*y2, 5*y3, 5*y4
	// Twenty-five products of 54 bits, twenty of them times 5: a column is below
	// 21 * 2^54 < 2^59.
	d := [5]uint64{
		mul(x0, y0) + mul(x1, z4) + mul(x2, z3) + mul(x3, z2) + mul(x4, z1),
		mul(x0, y1) + mul(x1, y0) + mul(x2, z4) + mul(x3, z3) + mul(x4, z2),
		mul(x0, y2) + mul(x1, y1) + mul(x2, y0) + mul(x3, z4) + mul(x4, z3),
		mul(x0, y3) + mul(x1, y2) + mul(x2, y1) + mul(x3, y0) + mul(x4, z4),
		mul(x0, y4) + mul(x1, y3) + mul(x2, y2) + mul(x3, y1) + mul(x4, y0),
	}
	// Limb 4 gives up less than 2^33, so that 5 * 2^33 + 2^26 are left in limb 0
	// after the first pass and only limb 1 has another carry of note.
	d[1] += d[0] >> 26
	d[2] += d[1] >> 26
	d[3] += d[2] >> 26
	d[4] += d[3] >> 26
	c := d[0]&mask26 + 5*(d[4]>>26)
	e0, e1, e2, e3, e4 := uint32(c&mask26), uint32(d[1]&mask26), uint32(d[2]&mask26), uint32(d[3]&mask26), uint32(d[4]&mask26)
	e1 += uint32(c >> 26)
	e2 += e1 >> 26
	e3 += e2 >> 26
	e4 += e3 >> 26
	e0 += 5 * (e4 >> 26)
	return number26{e0, e1 & mask26, e2 & mask26, e3 & mask26, e4 & mask26}
}

// mul returns the 64-bit product of two limbs, one instruction on 32-bit CPUs.
func mul(a, b uint32) uint64 { return uint64(a) * uint64(b) }
