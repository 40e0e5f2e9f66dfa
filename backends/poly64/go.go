package poly64

import (
	"encoding/binary"
	"math/bits"

	"github.com/quarterround/quarterround/registry"
)

// powersLayout has r^2, below 2^130 + 2^64, in base 2^64 in words 0 to 2.
const powersLayout = "poly64-r2"

// goKernels returns the kernels in pure Go.
func goKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name: "go", Kind: registry.KindMAC, Blocks: 1, Revision: 1,
			Priors: nil,
			Absorb: absorb,
		},
		{
			Name: "go-x2", Kind: registry.KindMAC, Blocks: 2, Revision: 1, Powers: powersLayout,
			Priors: nil,
			Setup:  setup,
			Absorb: absorb2,
		},
	}
}

// absorb is the one-chain kernel: h = (h + m + 2^128) * r for each block.
//
// On entry h < 2^131; after the first block h < 2^130 + 2^64, so that h2 is at
// most 9 when it is multiplied.
func absorb(state *registry.MACState, _ *registry.Powers, msg []byte) {
	h0, h1, h2 := state.H[0], state.H[1], state.H[2]
	r0, r1 := state.R[0], state.R[1]
	s1 := r1 + r1>>2
	for len(msg) >= 16 {
		var c uint64
		h0, c = bits.Add64(h0, binary.LittleEndian.Uint64(msg[0:8]), 0)
		h1, c = bits.Add64(h1, binary.LittleEndian.Uint64(msg[8:16]), c)
		h2 += c + 1
		h0, h1, h2 = multiply(h0, h1, h2, r0, r1, s1)
		msg = msg[16:]
	}
	state.H[0], state.H[1], state.H[2] = h0, h1, h2
}

// multiply returns h * r mod 2^130-5, below 2^130 + 2^64, for h2 at most 9.
//
// r is clamped: r0 and r1 are below 2^60 and r1 is a multiple of 4. A product at
// 2^128 by r1 is therefore one at 1 by s1 = 5*r1/4, below 1.25 * 2^60. The column
// of 1 stays below 2.25 * 2^124, that of 2^64 below 2^125 + 12 * 2^60, and the
// top limb t2 below 9 * 2^60 + 2^61 + 2, of which five quarters fit in 64 bits.
func multiply(h0, h1, h2, r0, r1, s1 uint64) (uint64, uint64, uint64) {
	var c uint64
	ah, al := bits.Mul64(h0, r0)
	bh, bl := bits.Mul64(h1, s1)
	dh, dl := bits.Mul64(h0, r1)
	eh, el := bits.Mul64(h1, r0)
	t0, c := bits.Add64(al, bl, 0)
	ah, _ = bits.Add64(ah, bh, c)
	t1, c := bits.Add64(dl, el, 0)
	dh, _ = bits.Add64(dh, eh, c)
	t1, c = bits.Add64(t1, h2*s1, 0)
	dh += c
	t1, c = bits.Add64(t1, ah, 0)
	t2, _ := bits.Add64(h2*r0, dh, c)
	return fold(t0, t1, t2)
}

// fold brings what is above 2^130 down, times 5. Five quarters of t2 fit in 64
// bits; the result is below 2^130 + 2^64.
func fold(t0, t1, t2 uint64) (uint64, uint64, uint64) {
	h0, c := bits.Add64(t0, t2&^3+t2>>2, 0)
	h1, c := bits.Add64(t1, 0, c)
	return h0, h1, t2&3 + c
}

// setup computes r^2.
func setup(powers *registry.Powers, r *[2]uint64) {
	q0, q1, q2 := multiply(r[0], r[1], 0, r[0], r[1], r[1]+r[1]>>2)
	powers.Words[0], powers.Words[1], powers.Words[2] = q0, q1, q2
}

// absorb2 is the kernel for two blocks a step: h = (h + m) * r^2 + n * r. The
// second product does not wait for h, and there is one reduction for both.
func absorb2(state *registry.MACState, powers *registry.Powers, msg []byte) {
	if len(msg)%32 != 0 {
		absorb(state, nil, msg[:16])
		msg = msg[16:]
	}
	h0, h1, h2 := state.H[0], state.H[1], state.H[2]
	r0, r1 := state.R[0], state.R[1]
	s1 := r1 + r1>>2
	q0, q1, q2 := powers.Words[0], powers.Words[1], powers.Words[2]
	for len(msg) >= 32 {
		var c, d uint64
		// u = n * r < 2^191, as in multiply with the 2^128 of the block for h2.
		n0 := binary.LittleEndian.Uint64(msg[16:24])
		n1 := binary.LittleEndian.Uint64(msg[24:32])
		u1, u0 := bits.Mul64(n0, r0)
		ah, al := bits.Mul64(n1, s1)
		bh, bl := bits.Mul64(n0, r1)
		dh, dl := bits.Mul64(n1, r0)
		u0, c = bits.Add64(u0, al, 0)
		u1, _ = bits.Add64(u1, ah, c)
		u1, c = bits.Add64(u1, bl, 0)
		u2, _ := bits.Add64(bh, r0, c)
		u1, c = bits.Add64(u1, dl, 0)
		u2, _ = bits.Add64(u2, dh, c)
		u1, c = bits.Add64(u1, s1, 0)
		u2 += c

		// h is folded only here, while m is added: h2 comes in below 2^6 and is
		// at most 6 when it is multiplied, and h < 1.5 * 2^130 + 2^65.
		k := h2&^3 + h2>>2
		h0, c = bits.Add64(h0, binary.LittleEndian.Uint64(msg[0:8]), 0)
		h1, c = bits.Add64(h1, binary.LittleEndian.Uint64(msg[8:16]), c)
		h0, d = bits.Add64(h0, k, 0)
		h1, d = bits.Add64(h1, 0, d)
		h2 = h2&3 + 1 + c + d

		// t = (h0 + h1*2^64) * (q0 + q1*2^64) < 2^256, then u.
		t1, t0 := bits.Mul64(h0, q0)
		eh, el := bits.Mul64(h0, q1)
		fh, fl := bits.Mul64(h1, q0)
		t3, t2 := bits.Mul64(h1, q1)
		t1, c = bits.Add64(t1, el, 0)
		t2, c = bits.Add64(t2, eh, c)
		t3 += c
		t1, c = bits.Add64(t1, fl, 0)
		t2, c = bits.Add64(t2, fh, c)
		t3 += c
		t0, c = bits.Add64(t0, u0, 0)
		t1, c = bits.Add64(t1, u1, c)
		t2, c = bits.Add64(t2, u2, c)
		t3, c = bits.Add64(t3, 0, c)
		t4 := c

		// The products by h2 and q2. All in all t < 1.5 * 2^260 + 2^196, so that
		// t4 < 2^5.
		gh, gl := bits.Mul64(h0, q2)
		ih, il := bits.Mul64(h2, q0)
		jh, jl := bits.Mul64(h1, q2)
		lh, ll := bits.Mul64(h2, q1)
		t2, c = bits.Add64(t2, gl, 0)
		t3, c = bits.Add64(t3, gh, c)
		t4 += h2*q2 + c
		t2, c = bits.Add64(t2, il, 0)
		t3, c = bits.Add64(t3, ih, c)
		t4 += c
		t3, c = bits.Add64(t3, jl, 0)
		t4 += jh + c
		t3, c = bits.Add64(t3, ll, 0)
		t4 += lh + c

		// What is above 2^130 comes down times 5 = 4 + 1: h2 < 2^6.
		h0, c = bits.Add64(t0, t2&^3, 0)
		h1, c = bits.Add64(t1, t3, c)
		h2 = t2&3 + t4 + c
		h0, c = bits.Add64(h0, t2>>2|t3<<62, 0)
		h1, c = bits.Add64(h1, t3>>2|t4<<62, c)
		h2 += t4>>2 + c
		msg = msg[32:]
	}
	state.H[0], state.H[1], state.H[2] = fold(h0, h1, h2)
}
