package registry

import "github.com/quarterround/quarterround/internal/noescape"

// The functions of this file call kernels with arguments that stay where they are,
// for instance on the stack: see package noescape.

func callStream(f StreamFunc, dst, src []byte, state *[16]uint32, rounds int) {
	f(noescape.HideSlice(dst), noescape.HideSlice(src), noescape.Hide(state), rounds)
}

func callSetup(f SetupFunc, powers *Powers, r *[2]uint64) {
	f(noescape.Hide(powers), noescape.Hide(r))
}

func callFused(f FusedFunc, dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers) {
	f(noescape.HideSlice(dst), noescape.HideSlice(src), noescape.Hide(state), noescape.Hide(mac), noescape.Hide(powers))
}
