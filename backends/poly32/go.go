package poly32

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/quarterround/quarterround/registry"
)

// goKernels returns the kernel in pure Go. There is none over r^2, because r^2
// is not clamped: without the multiples of four in r its products above 2^128
// need a reduction of their own, and it has a fifth limb. That costs more than
// one chain over r, on arm as on 386.
func goKernels() []registry.Kernel {
	return []registry.Kernel{{
		Name: "go", Kind: registry.KindMAC, Blocks: 1, Revision: 1,
		Priors: slices.Concat(priors["go"], []registry.Prior{
			{CPU: "zen5", Fixed: 14, PerStep: 29.3, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
			{CPU: "amd64", Fixed: 9, PerStep: 32, Provenance: "estimated", Source: "Zen 5"},
			{CPU: "386", Fixed: 40, PerStep: 82, Provenance: "estimated", Source: "executed instructions, three a cycle"},
			{CPU: "wasm", Fixed: 40, PerStep: 65, Provenance: "estimated", Source: "operation count"},
			{Fixed: 25, PerStep: 62, Provenance: "estimated", Source: "operation count"},
		}),
		Absorb: absorb,
	}}
}

// absorb computes h = (h + m + 2^128) * r for each block.
//
// r is clamped: its limbs are below 2^28 and all but r0 are multiples of 4. A
// product at 2^128 by ri is therefore one at 1 by si = 5*ri/4, below 1.25 * 2^28.
// The top limb h4 is folded, times 5, only while the next block is added. Before
// that it is below 2.5 * 2^30, so that 5*(h4>>2) fits in 32 bits; after it h4 is
// at most 6, because a carry out of three numbers is at most 2. The four products
// of a column are below 1.25 * 2^62, and h4*si fits in 32 bits.
//
// The order of the lines is that in which the fewest values are alive at a time.
func absorb(state *registry.MACState, _ *registry.Powers, msg []byte) {
	h0, h1, h2, h3, h4 := uint32(state.H[0]), uint32(state.H[0]>>32), uint32(state.H[1]), uint32(state.H[1]>>32), uint32(state.H[2])
	r0, r1, r2, r3 := uint32(state.R[0]), uint32(state.R[0]>>32), uint32(state.R[1]), uint32(state.R[1]>>32)
	s1, s2, s3 := r1+r1>>2, r2+r2>>2, r3+r3>>2
	for len(msg) >= 16 {
		t := uint64(h0) + uint64(binary.LittleEndian.Uint32(msg[0:4]))
		t += uint64(5 * (h4 >> 2))
		h0 = uint32(t)
		d0 := uint64(h0) * uint64(r0)
		d3 := uint64(h0) * uint64(r3)
		d2 := uint64(h0) * uint64(r2)
		d1 := uint64(h0) * uint64(r1)
		t = t>>32 + uint64(h1)
		t += uint64(binary.LittleEndian.Uint32(msg[4:8]))
		h1 = uint32(t)
		d3 += uint64(h1) * uint64(r2)
		d2 += uint64(h1) * uint64(r1)
		d1 += uint64(h1) * uint64(r0)
		d0 += uint64(h1) * uint64(s3)
		t = t>>32 + uint64(h2)
		t += uint64(binary.LittleEndian.Uint32(msg[8:12]))
		h2 = uint32(t)
		d3 += uint64(h2) * uint64(r1)
		d2 += uint64(h2) * uint64(r0)
		d1 += uint64(h2) * uint64(s3)
		d0 += uint64(h2) * uint64(s2)
		t = t>>32 + uint64(h3)
		t += uint64(binary.LittleEndian.Uint32(msg[12:16]))
		h3 = uint32(t)
		d0 += uint64(h3) * uint64(s1)
		h4 = h4&3 + uint32(t>>32) + 1
		d1 += uint64(h4 * s1)
		d1 += uint64(h3) * uint64(s2)
		d1 += d0 >> 32
		d2 += uint64(h4 * s2)
		d2 += uint64(h3) * uint64(s3)
		d2 += d1 >> 32
		d3 += uint64(h4 * s3)
		d3 += uint64(h3) * uint64(r0)
		d3 += d2 >> 32
		h4 = h4*r0 + uint32(d3>>32)
		h0, h1, h2, h3 = uint32(d0), uint32(d1), uint32(d2), uint32(d3)
		msg = msg[16:]
	}
	lo, c := bits.Add64(uint64(h1)<<32|uint64(h0), uint64(5*(h4>>2)), 0)
	hi, c := bits.Add64(uint64(h3)<<32|uint64(h2), 0, c)
	state.H[0], state.H[1], state.H[2] = lo, hi, uint64(h4&3)+c
}
