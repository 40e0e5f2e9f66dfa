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
// It computes in base 2^26 with one chain, which needs no product wider than
// 32x32 bits: with h limbs below 2^27 and 5*r limbs below 2^29 the five
// products of a column add up to less than 2^59.
func Poly1305(h *[3]uint64, r *[2]uint64, msg []byte) {
	h0, h1, h2, h3, h4 := split26(h)
	r0 := r[0] & mask26
	r1 := r[0] >> 26 & mask26
	r2 := (r[0]>>52 | r[1]<<12) & mask26
	r3 := r[1] >> 14 & mask26
	r4 := r[1] >> 40
	s1, s2, s3, s4 := 5*r1, 5*r2, 5*r3, 5*r4
	for len(msg) >= 16 {
		lo := binary.LittleEndian.Uint64(msg)
		hi := binary.LittleEndian.Uint64(msg[8:])
		h0 += lo & mask26
		h1 += lo >> 26 & mask26
		h2 += (lo>>52 | hi<<12) & mask26
		h3 += hi >> 14 & mask26
		h4 += hi>>40 | 1<<24

		d0 := h0*r0 + h1*s4 + h2*s3 + h3*s2 + h4*s1
		d1 := h0*r1 + h1*r0 + h2*s4 + h3*s3 + h4*s2
		d2 := h0*r2 + h1*r1 + h2*r0 + h3*s4 + h4*s3
		d3 := h0*r3 + h1*r2 + h2*r1 + h3*r0 + h4*s4
		d4 := h0*r4 + h1*r3 + h2*r2 + h3*r1 + h4*r0

		d1 += d0 >> 26
		d2 += d1 >> 26
		d3 += d2 >> 26
		d4 += d3 >> 26
		h0 = d0&mask26 + 5*(d4>>26)
		h1 = d1&mask26 + h0>>26
		h0 &= mask26
		h2, h3, h4 = d2&mask26, d3&mask26, d4&mask26
		msg = msg[16:]
	}
	join26(h, h0, h1, h2, h3, h4)
}

// split26 returns h in base 2^26. The top limb keeps what is above 2^130.
func split26(h *[3]uint64) (h0, h1, h2, h3, h4 uint64) {
	return h[0] & mask26, h[0] >> 26 & mask26, (h[0]>>52 | h[1]<<12) & mask26, h[1] >> 14 & mask26, h[1]>>40 | h[2]<<24
}

// join26 is the inverse of split26; limbs may exceed 26 bits as long as the
// value stays below 2^131.
func join26(h *[3]uint64, h0, h1, h2, h3, h4 uint64) {
	var c uint64
	h[0], c = bits.Add64(h0+h1<<26, h2<<52, 0)
	h[1], c = bits.Add64(h2>>12+h3<<14, h4<<40, c)
	h[2] = h4>>24 + c
}
