package poly64

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/quarterround/quarterround/registry"
)

// goKernels returns the kernel in pure Go. There is none over r^2, because r^2
// is not clamped: it has a third limb, its products above 2^128 do not fold by
// five quarters, and the sum needs two folds where one chain over r needs one.
// Tried on amd64, that costs what the second chain gains.
func goKernels() []registry.Kernel {
	return []registry.Kernel{{
		Name: "go", Kind: registry.KindMAC, Blocks: 1, Revision: 1,
		Priors: slices.Concat(priors["go"], []registry.Prior{
			{CPU: "zen5", Fixed: 9.3, PerStep: 16.3, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
			{CPU: "amd64", Fixed: 5, PerStep: 18, Provenance: "estimated", Source: "Zen 5"},
			{CPU: "386", Fixed: 60, PerStep: 159, Provenance: "estimated", Source: "executed instructions, three a cycle"},
			{CPU: "mips", Fixed: 60, PerStep: 160, Provenance: "estimated", Source: "operation count"},
			{CPU: "mipsle", Fixed: 60, PerStep: 160, Provenance: "estimated", Source: "operation count"},
			{CPU: "wasm", Fixed: 60, PerStep: 120, Provenance: "estimated", Source: "operation count"},
			{Fixed: 15, PerStep: 35, Provenance: "estimated", Source: "operation count"},
		}),
		Absorb: absorb,
	}}
}

// absorb computes h = (h + m + 2^128) * r for each block.
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
	h0, c = bits.Add64(t0, t2&^3+t2>>2, 0)
	h1, c = bits.Add64(t1, 0, c)
	return h0, h1, t2&3 + c
}
