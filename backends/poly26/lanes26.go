//go:build gc && !purego && (arm || arm64)

package poly26

import "math/bits"

// lanes26 is two numbers side by side in base 2^26: limb i of lane k, least
// significant first, is at index 2*i+k. Limbs may exceed 26 bits where it is
// said so.
type lanes26 [10]uint32

// setLanes sets lane 0 to h < 2^131, of which the top limb is below 2^27, and lane
// 1 to zero.
func (l *lanes26) setLanes(h *[3]uint64) {
	w0, w1, w2, w3 := uint32(h[0]), uint32(h[0]>>32), uint32(h[1]), uint32(h[1]>>32)
	l[0], l[1] = w0&mask26, 0
	l[2], l[3] = (w0>>26|w1<<6)&mask26, 0
	l[4], l[5] = (w1>>20|w2<<12)&mask26, 0
	l[6], l[7] = (w2>>14|w3<<18)&mask26, 0
	l[8], l[9] = w3>>8|uint32(h[2])<<24, 0
}

// addLane adds lane k, whose limbs are at most 2^27, to h < 2^131. The sum is
// below 2^130 + 2^4.
func (l *lanes26) addLane(h *[3]uint64, k int) {
	x0, x1, x2, x3, x4 := l[k&1], l[k&1+2], l[k&1+4], l[k&1+6], l[k&1+8]
	if bits.UintSize == 64 {
		addLimbs64(h, uint64(x0), uint64(x1), uint64(x2), uint64(x3), uint64(x4))
		return
	}
	addLimbs32(h, x0, x1, x2, x3, x4)
}
