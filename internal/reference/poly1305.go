package reference

import (
	"encoding/binary"
	"math/bits"
)

const mask26 = 1<<26 - 1

// Poly1305 absorbs the whole 16-byte blocks of msg: for each block m,
// h = (h + m + 2^128) * r mod 2^130-5 (RFC 8439 section 2.5). h < 2^131 on
// entry and on return, in base 2^64; r is clamped.
//
// It computes in base 2^26 with one chain and 32-bit limbs, so that each product
// is one instruction on a 32-bit CPU. With the message added the limbs of h are
// below 2^27 + 2^7, the top one below 2^27 + 2^25; those of r are below 2^26. The
// five products of a column, at most four of them by 5*r, are below 2^58, so that
// each carry fits in 32 bits.
func Poly1305(h *[3]uint64, r *[2]uint64, msg []byte) {
	h0, h1, h2, h3, h4 := split26(h[0], h[1], h[2])
	r0, r1, r2, r3, r4 := split26(r[0], r[1], 0)
	s1, s2, s3, s4 := 5*r1, 5*r2, 5*r3, 5*r4
	for len(msg) >= 16 {
		m0 := binary.LittleEndian.Uint32(msg[0:4])
		m1 := binary.LittleEndian.Uint32(msg[4:8])
		m2 := binary.LittleEndian.Uint32(msg[8:12])
		m3 := binary.LittleEndian.Uint32(msg[12:16])
		h0 += m0 & mask26
		h1 += (m0>>26 | m1<<6) & mask26
		h2 += (m1>>20 | m2<<12) & mask26
		h3 += (m2>>14 | m3<<18) & mask26
		h4 += m3>>8 | 1<<24

		d0 := uint64(h0)*uint64(r0) + uint64(h1)*uint64(s4) + uint64(h2)*uint64(s3) + uint64(h3)*uint64(s2) + uint64(h4)*uint64(s1)
		d1 := uint64(h0)*uint64(r1) + uint64(h1)*uint64(r0) + uint64(h2)*uint64(s4) + uint64(h3)*uint64(s3) + uint64(h4)*uint64(s2)
		d2 := uint64(h0)*uint64(r2) + uint64(h1)*uint64(r1) + uint64(h2)*uint64(r0) + uint64(h3)*uint64(s4) + uint64(h4)*uint64(s3)
		d3 := uint64(h0)*uint64(r3) + uint64(h1)*uint64(r2) + uint64(h2)*uint64(r1) + uint64(h3)*uint64(r0) + uint64(h4)*uint64(s4)
		d4 := uint64(h0)*uint64(r4) + uint64(h1)*uint64(r3) + uint64(h2)*uint64(r2) + uint64(h3)*uint64(r1) + uint64(h4)*uint64(r0)

		d1 += uint64(uint32(d0 >> 26))
		d2 += uint64(uint32(d1 >> 26))
		d3 += uint64(uint32(d2 >> 26))
		d4 += uint64(uint32(d3 >> 26))
		// No product of d4 is by 5*r: d4 < 2^56.4, and 5 times its carry still
		// fits in 32 bits.
		h0 = uint32(d0)&mask26 + 5*uint32(d4>>26)
		h1 = uint32(d1)&mask26 + h0>>26
		h0 &= mask26
		h2 = uint32(d2) & mask26
		h3 = uint32(d3) & mask26
		h4 = uint32(d4) & mask26
		msg = msg[16:]
	}
	h[0], h[1], h[2] = join26(h0, h1, h2, h3, h4)
}

// split26 returns the number a + b*2^64 + c*2^128 < 2^131 in base 2^26. The top
// limb keeps what is above 2^130.
func split26(a, b, c uint64) (x0, x1, x2, x3, x4 uint32) {
	return uint32(a & mask26), uint32(a >> 26 & mask26), uint32((a>>52 | b<<12) & mask26),
		uint32(b >> 14 & mask26), uint32(b>>40 | c<<24)
}

// join26 is the inverse of split26; limbs may exceed 26 bits as long as the
// value stays below 2^131.
func join26(x0, x1, x2, x3, x4 uint32) (a, b, c uint64) {
	a, c = bits.Add64(uint64(x0)+uint64(x1)<<26, uint64(x2)<<52, 0)
	b, c = bits.Add64(uint64(x2)>>12+uint64(x3)<<14, uint64(x4)<<40, c)
	return a, b, uint64(x4)>>24 + c
}
