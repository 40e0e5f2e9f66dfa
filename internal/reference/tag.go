package reference

import (
	"encoding/binary"
	"math/bits"
)

// Reduce returns h mod 2^130-5 for h below 2^131 = 2p + 10, without branches.
func Reduce(h [3]uint64) [3]uint64 {
	h = subtractP(h)
	return subtractP(h)
}

// subtractP returns h - p if h >= p, else h.
func subtractP(h [3]uint64) [3]uint64 {
	t0, borrow := bits.Sub64(h[0], ^uint64(4), 0)
	t1, borrow := bits.Sub64(h[1], ^uint64(0), borrow)
	t2, borrow := bits.Sub64(h[2], 3, borrow)
	keep := -borrow // all ones if h < p
	return [3]uint64{h[0]&keep | t0&^keep, h[1]&keep | t1&^keep, h[2]&keep | t2&^keep}
}

// Tag returns the Poly1305 tag: (h mod 2^130-5) + s mod 2^128, little-endian
// (RFC 8439 section 2.5). h is below 2^131.
func Tag(h *[3]uint64, s *[2]uint64) (tag [16]byte) {
	reduced := Reduce(*h)
	lo, carry := bits.Add64(reduced[0], s[0], 0)
	hi, _ := bits.Add64(reduced[1], s[1], carry)
	binary.LittleEndian.PutUint64(tag[:], lo)
	binary.LittleEndian.PutUint64(tag[8:], hi)
	return tag
}
