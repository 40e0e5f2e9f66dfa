package main

import (
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// leaky is a backend that leaks on purpose. It is not registered. Each of its
// kernels must be caught, or the tracer is blind.
var leaky = &registry.Backend{Name: "leaky", Kernels: []registry.Kernel{
	{Name: "branch", Kind: registry.KindMAC, Blocks: 1, Absorb: func(state *registry.MACState, _ *registry.Powers, msg []byte) {
		reference.Poly1305(&state.H, &state.R, msg)
		if state.H[0]&1 != 0 {
			subtract(&state.H)
		}
	}},
	{Name: "loop", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 1, XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
		reference.XORChaCha(dst, src, state, rounds)
		for i := range src[0] & 3 {
			dst[i] ^= src[i]
		}
	}},
	{Name: "table", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 1, XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
		for i, b := range src {
			dst[i] = table[b]
		}
	}},
}}

var table [256]byte

//go:noinline
func subtract(h *[3]uint64) { h[2] -= 4 }
