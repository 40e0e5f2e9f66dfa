package registry

import "github.com/quarterround/quarterround/internal/noescape"

// The functions of this file call kernels with arguments that stay where they are,
// for instance on the stack: see package noescape.

type streamArgs struct {
	dst, src []byte
	state    *[16]uint32
}

func callStream(f StreamFunc, dst, src []byte, state *[16]uint32, rounds int) {
	a := noescape.Hide(&streamArgs{dst, src, state})
	f(a.dst, a.src, a.state, rounds)
}

type setupArgs struct {
	powers *Powers
	r      *[2]uint64
}

func callSetup(f SetupFunc, powers *Powers, r *[2]uint64) {
	a := noescape.Hide(&setupArgs{powers, r})
	f(a.powers, a.r)
}

type macArgs struct {
	state  *MACState
	powers *Powers
	msg    []byte
}

type fusedArgs struct {
	streamArgs
	mac    *MACState
	powers *Powers
}

func callFused(f FusedFunc, dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers) {
	a := noescape.Hide(&fusedArgs{streamArgs{dst, src, state}, mac, powers})
	f(a.dst, a.src, a.state, a.mac, a.powers)
}
