package poly26

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/quarterround/quarterround/registry"
)

const mask = 1<<26 - 1

// powersLayout has the five limbs of r^2 in words 0 to 4.
const powersLayout = "poly26-r2"

// goKernels returns the kernels in pure Go.
func goKernels() []registry.Kernel {
	return []registry.Kernel{
		{
			Name: "go", Kind: registry.KindMAC, Blocks: 1, Revision: 1,
			Priors: slices.Concat(priors["go"], []registry.Prior{
				{CPU: "zen5", Fixed: 26, PerStep: 28.2, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "amd64", Fixed: 18, PerStep: 30, Provenance: "estimated", Source: "Zen 5"},
				{CPU: "386", Fixed: 60, PerStep: 106, Provenance: "estimated", Source: "executed instructions, three a cycle"},
				{CPU: "wasm", Fixed: 60, PerStep: 70, Provenance: "estimated", Source: "operation count"},
				{Fixed: 40, PerStep: 60, Provenance: "estimated", Source: "operation count"},
			}),
			Absorb: absorb,
		},
		{
			Name: "go-x2", Kind: registry.KindMAC, Blocks: 2, Revision: 1, Powers: powersLayout,
			Priors: slices.Concat(priors["go-x2"], []registry.Prior{
				{CPU: "zen5", Fixed: 36, PerStep: 49, Setup: 29, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "amd64", Fixed: 28, PerStep: 50, Setup: 30, Provenance: "estimated", Source: "Zen 5"},
				{CPU: "386", Fixed: 80, PerStep: 199, Setup: 120, Provenance: "estimated", Source: "executed instructions, three a cycle"},
				{CPU: "wasm", Fixed: 80, PerStep: 130, Setup: 80, Provenance: "estimated", Source: "operation count"},
				{Fixed: 60, PerStep: 110, Setup: 60, Provenance: "estimated", Source: "operation count"},
			}),
			Setup:  setup,
			Absorb: absorb2,
		},
	}
}

// split returns the number a + b*2^64 + c*2^128 < 2^131 in base 2^26. The top
// limb keeps what is above 2^130.
func split(a, b, c uint64) (x0, x1, x2, x3, x4 uint32) {
	return uint32(a & mask), uint32(a >> 26 & mask), uint32((a>>52 | b<<12) & mask),
		uint32(b >> 14 & mask), uint32(b>>40 | c<<24)
}

// join is the inverse of split; limbs may exceed 26 bits as long as the value
// stays below 2^131.
func join(x0, x1, x2, x3, x4 uint32) (a, b, c uint64) {
	a, c = bits.Add64(uint64(x0)+uint64(x1)<<26, uint64(x2)<<52, 0)
	b, c = bits.Add64(uint64(x2)>>12+uint64(x3)<<14, uint64(x4)<<40, c)
	return a, b, uint64(x4)>>24 + c
}

// absorb is the one-chain kernel: h = (h + m + 2^128) * r for each block.
//
// With the message added the limbs of h are below 2^27 + 2^7, the top one below
// 2^27 + 2^25; those of r are below 2^26. The products of a column are below
// 22.5 * 2^53 altogether, so that each carry fits in 32 bits. Two chains of
// carries run side by side, from d0 and from d3; they leave every limb below 2^26
// except h1 and h4, which are below 2^26 + 2^6.
func absorb(state *registry.MACState, _ *registry.Powers, msg []byte) {
	h0, h1, h2, h3, h4 := split(state.H[0], state.H[1], state.H[2])
	r0, r1, r2, r3, r4 := split(state.R[0], state.R[1], 0)
	s1, s2, s3, s4 := 5*r1, 5*r2, 5*r3, 5*r4
	for len(msg) >= 16 {
		m0 := binary.LittleEndian.Uint32(msg[0:4])
		m1 := binary.LittleEndian.Uint32(msg[4:8])
		m2 := binary.LittleEndian.Uint32(msg[8:12])
		m3 := binary.LittleEndian.Uint32(msg[12:16])
		h0 += m0 & mask
		h1 += (m0>>26 | m1<<6) & mask
		h2 += (m1>>20 | m2<<12) & mask
		h3 += (m2>>14 | m3<<18) & mask
		h4 += m3>>8 | 1<<24

		d3 := uint64(h0)*uint64(r3) + uint64(h1)*uint64(r2) + uint64(h2)*uint64(r1) + uint64(h3)*uint64(r0) + uint64(h4)*uint64(s4)
		d0 := uint64(h0)*uint64(r0) + uint64(h1)*uint64(s4) + uint64(h2)*uint64(s3) + uint64(h3)*uint64(s2) + uint64(h4)*uint64(s1)
		d4 := uint64(h0)*uint64(r4) + uint64(h1)*uint64(r3) + uint64(h2)*uint64(r2) + uint64(h3)*uint64(r1) + uint64(h4)*uint64(r0)
		d4 += uint64(uint32(d3 >> 26))
		d1 := uint64(h0)*uint64(r1) + uint64(h1)*uint64(r0) + uint64(h2)*uint64(s4) + uint64(h3)*uint64(s3) + uint64(h4)*uint64(s2)
		d1 += uint64(uint32(d0 >> 26))
		d2 := uint64(h0)*uint64(r2) + uint64(h1)*uint64(r1) + uint64(h2)*uint64(r0) + uint64(h3)*uint64(s4) + uint64(h4)*uint64(s3)
		d2 += uint64(uint32(d1 >> 26))

		// No product of d4 is by 5*r: d4>>26 < 10.5 * 2^26, and 5 times it still
		// fits in 32 bits.
		h0 = uint32(d0)&mask + 5*uint32(d4>>26)
		h1 = uint32(d1)&mask + h0>>26
		h0 &= mask
		h3 = uint32(d3)&mask + uint32(d2>>26)
		h2 = uint32(d2) & mask
		h4 = uint32(d4)&mask + h3>>26
		h3 &= mask
		msg = msg[16:]
	}
	state.H[0], state.H[1], state.H[2] = join(h0, h1, h2, h3, h4)
}

// setup computes r^2: one step from h = r with an empty block would add 2^128,
// so that the columns are written out here. The carries are those of absorb.
func setup(powers *registry.Powers, r *[2]uint64) {
	r0, r1, r2, r3, r4 := split(r[0], r[1], 0)
	s3, s4 := 5*r3, 5*r4
	d0 := uint64(r0)*uint64(r0) + 2*uint64(r1)*uint64(s4) + 2*uint64(r2)*uint64(s3)
	d1 := 2*uint64(r0)*uint64(r1) + 2*uint64(r2)*uint64(s4) + uint64(r3)*uint64(s3)
	d2 := 2*uint64(r0)*uint64(r2) + uint64(r1)*uint64(r1) + 2*uint64(r3)*uint64(s4)
	d3 := 2*uint64(r0)*uint64(r3) + 2*uint64(r1)*uint64(r2) + uint64(r4)*uint64(s4)
	d4 := 2*uint64(r0)*uint64(r4) + 2*uint64(r1)*uint64(r3) + uint64(r2)*uint64(r2)
	d1 += d0 >> 26
	d2 += d1 >> 26
	d3 += d2 >> 26
	d4 += d3 >> 26
	d0 = d0&mask + 5*(d4>>26)
	q0, q1, q2, q3, q4 := d0&mask, d1&mask+d0>>26, d2&mask, d3&mask, d4&mask
	powers.Words[0], powers.Words[1], powers.Words[2], powers.Words[3], powers.Words[4] = q0, q1, q2, q3, q4
}

// absorb2 is the kernel for two blocks a step: h = (h + m) * r^2 + n * r. The
// second product does not wait for h, and there is one carry for both.
//
// The limbs of n are below 2^26, the top one below 2^25; those of r^2 below
// 2^26 + 2^6. A column is below 66 * 2^52, that of d2 below 40 * 2^52 and that of
// d4, which has no products by 5, below 16 * 2^52.
func absorb2(state *registry.MACState, powers *registry.Powers, msg []byte) {
	if len(msg)%32 != 0 {
		absorb(state, nil, msg[:16])
		msg = msg[16:]
	}
	h0, h1, h2, h3, h4 := split(state.H[0], state.H[1], state.H[2])
	r0, r1, r2, r3, r4 := split(state.R[0], state.R[1], 0)
	s1, s2, s3, s4 := 5*r1, 5*r2, 5*r3, 5*r4
	q0, q1, q2, q3, q4 := uint32(powers.Words[0]), uint32(powers.Words[1]), uint32(powers.Words[2]), uint32(powers.Words[3]), uint32(powers.Words[4])
	p1, p2, p3, p4 := 5*q1, 5*q2, 5*q3, 5*q4
	for len(msg) >= 32 {
		m0 := binary.LittleEndian.Uint32(msg[0:4])
		m1 := binary.LittleEndian.Uint32(msg[4:8])
		m2 := binary.LittleEndian.Uint32(msg[8:12])
		m3 := binary.LittleEndian.Uint32(msg[12:16])
		h0 += m0 & mask
		h1 += (m0>>26 | m1<<6) & mask
		h2 += (m1>>20 | m2<<12) & mask
		h3 += (m2>>14 | m3<<18) & mask
		h4 += m3>>8 | 1<<24
		m0 = binary.LittleEndian.Uint32(msg[16:20])
		m1 = binary.LittleEndian.Uint32(msg[20:24])
		m2 = binary.LittleEndian.Uint32(msg[24:28])
		m3 = binary.LittleEndian.Uint32(msg[28:32])
		n0 := m0 & mask
		n1 := (m0>>26 | m1<<6) & mask
		n2 := (m1>>20 | m2<<12) & mask
		n3 := (m2>>14 | m3<<18) & mask
		n4 := m3>>8 | 1<<24

		d0 := uint64(n0)*uint64(r0) + uint64(n1)*uint64(s4) + uint64(n2)*uint64(s3) + uint64(n3)*uint64(s2) + uint64(n4)*uint64(s1)
		d1 := uint64(n0)*uint64(r1) + uint64(n1)*uint64(r0) + uint64(n2)*uint64(s4) + uint64(n3)*uint64(s3) + uint64(n4)*uint64(s2)
		d2 := uint64(n0)*uint64(r2) + uint64(n1)*uint64(r1) + uint64(n2)*uint64(r0) + uint64(n3)*uint64(s4) + uint64(n4)*uint64(s3)
		d3 := uint64(n0)*uint64(r3) + uint64(n1)*uint64(r2) + uint64(n2)*uint64(r1) + uint64(n3)*uint64(r0) + uint64(n4)*uint64(s4)
		d4 := uint64(n0)*uint64(r4) + uint64(n1)*uint64(r3) + uint64(n2)*uint64(r2) + uint64(n3)*uint64(r1) + uint64(n4)*uint64(r0)
		d0 += uint64(h0)*uint64(q0) + uint64(h1)*uint64(p4) + uint64(h2)*uint64(p3) + uint64(h3)*uint64(p2) + uint64(h4)*uint64(p1)
		d3 += uint64(h0)*uint64(q3) + uint64(h1)*uint64(q2) + uint64(h2)*uint64(q1) + uint64(h3)*uint64(q0) + uint64(h4)*uint64(p4)
		d1 += uint64(h0)*uint64(q1) + uint64(h1)*uint64(q0) + uint64(h2)*uint64(p4) + uint64(h3)*uint64(p3) + uint64(h4)*uint64(p2)
		d4 += uint64(h0)*uint64(q4) + uint64(h1)*uint64(q3) + uint64(h2)*uint64(q2) + uint64(h3)*uint64(q1) + uint64(h4)*uint64(q0)
		d2 += uint64(h0)*uint64(q2) + uint64(h1)*uint64(q1) + uint64(h2)*uint64(q0) + uint64(h3)*uint64(p4) + uint64(h4)*uint64(p3)

		// Of the carries only that of d2 and the last one are sure to fit in 32
		// bits. Limbs end as in absorb, h1 below 2^26 + 2^7.
		d4 += d3 >> 26
		d1 += d0 >> 26
		d0 = d0&mask + 5*(d4>>26)
		d2 += d1 >> 26
		h1 = uint32(d1)&mask + uint32(d0>>26)
		h0 = uint32(d0) & mask
		h3 = uint32(d3)&mask + uint32(d2>>26)
		h2 = uint32(d2) & mask
		h4 = uint32(d4)&mask + h3>>26
		h3 &= mask
		msg = msg[32:]
	}
	state.H[0], state.H[1], state.H[2] = join(h0, h1, h2, h3, h4)
}
