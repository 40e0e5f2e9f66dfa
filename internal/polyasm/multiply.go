package polyasm

import "math/bits"

// Multiply returns x * y modulo 2^130-5, below 2^130 + 2^10. Both are below
// 2^131; unlike the multiplier of Blocks neither needs to be clamped.
func Multiply(x, y *[3]uint64) [3]uint64 {
	// Schoolbook. The top limbs are below 8, so their products with the other
	// limbs have a high half below 8 and d[4] stays below 2^7.
	h00, l00 := bits.Mul64(x[0], y[0])
	h01, l01 := bits.Mul64(x[0], y[1])
	h10, l10 := bits.Mul64(x[1], y[0])
	h11, l11 := bits.Mul64(x[1], y[1])
	h02, l02 := bits.Mul64(x[0], y[2])
	h20, l20 := bits.Mul64(x[2], y[0])
	h12, l12 := bits.Mul64(x[1], y[2])
	h21, l21 := bits.Mul64(x[2], y[1])
	var d [5]uint64
	var c uint64
	d[0] = l00
	d[1], c = bits.Add64(h00, l01, 0)
	d[2], c = bits.Add64(h01, l11, c)
	d[3], c = bits.Add64(h11, l12, c)
	d[4] = h12 + x[2]*y[2] + c
	d[1], c = bits.Add64(d[1], l10, 0)
	d[2], c = bits.Add64(d[2], h10, c)
	d[3], c = bits.Add64(d[3], l21, c)
	d[4] += h21 + c
	d[2], c = bits.Add64(d[2], l02, 0)
	d[3], c = bits.Add64(d[3], h02, c)
	d[4] += c
	d[2], c = bits.Add64(d[2], l20, 0)
	d[3], c = bits.Add64(d[3], h20, c)
	d[4] += c
	return fold(&d)
}

// fold returns d modulo 2^130-5, below 2^130 + 2^10, for d below 2^263: what
// is above bit 130, q < 2^133, comes back as 5q = 4q + q.
func fold(d *[5]uint64) [3]uint64 {
	h := [3]uint64{d[0], d[1], d[2] & 3}
	var c uint64
	h[0], c = bits.Add64(h[0], d[2]&^3, 0)
	h[1], c = bits.Add64(h[1], d[3], c)
	h[2] += d[4] + c
	h[0], c = bits.Add64(h[0], d[2]>>2|d[3]<<62, 0)
	h[1], c = bits.Add64(h[1], d[3]>>2|d[4]<<62, c)
	h[2] += d[4]>>2 + c
	q := h[2] >> 2 // below 2^7
	h[2] &= 3
	h[0], c = bits.Add64(h[0], 5*q, 0)
	h[1], c = bits.Add64(h[1], 0, c)
	h[2] += c
	return h
}

// Add returns x + y modulo 2^130-5, below 2^130 + 2^10, for x and y below 2^131.
func Add(x, y *[3]uint64) [3]uint64 {
	var d [5]uint64
	var c uint64
	d[0], c = bits.Add64(x[0], y[0], 0)
	d[1], c = bits.Add64(x[1], y[1], c)
	d[2] = x[2] + y[2] + c
	return fold(&d)
}
