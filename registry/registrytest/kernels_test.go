package registrytest

import (
	"crypto/subtle"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// The kernels below are right; broken ones are made from them.

func streamKernel(c registry.Cipher, blocks int) registry.Kernel {
	xor := reference.XORChaCha
	if c == registry.Salsa {
		xor = reference.XORSalsa
	}
	return registry.Kernel{Name: c.String(), Kind: registry.KindStream, Cipher: c, Blocks: blocks, XOR: xor}
}

// leadKernel returns a stream kernel of ChaCha that has a Lead.
func leadKernel() registry.Kernel {
	k := streamKernel(registry.ChaCha, leadBlocks)
	k.Name, k.Lead = "chacha-lead", registry.Lead{XOR: leadRight, From: registry.BlockSize + 1}
	return k
}

const leadBlocks = 4

func leadRight(first *[registry.BlockSize]byte, dst, src []byte, state *[16]uint32, rounds int) {
	var keystream [leadBlocks * registry.BlockSize]byte
	reference.XORChaCha(keystream[:], keystream[:], state, rounds)
	copy(first[:], keystream[:])
	subtle.XORBytes(dst, src, keystream[registry.BlockSize:])
}

func macKernel(blocks int) registry.Kernel {
	return registry.Kernel{Name: "poly1305", Kind: registry.KindMAC, Blocks: blocks, Absorb: absorb}
}

func absorb(state *registry.MACState, _ *registry.Powers, msg []byte) {
	reference.Poly1305(&state.H, &state.R, msg)
}

// powersKernel multiplies by what is in Powers: R^2 for pairs of blocks, so
// that wrong powers give wrong results.
func powersKernel(name string) registry.Kernel {
	return registry.Kernel{
		Name: name, Kind: registry.KindMAC, Blocks: 2, Powers: "test r",
		Setup: func(p *registry.Powers, r *[2]uint64) { copy(p.Words[5:], r[:]) },
		Absorb: func(state *registry.MACState, p *registry.Powers, msg []byte) {
			reference.Poly1305(&state.H, (*[2]uint64)(p.Words[5:7]), msg)
		},
	}
}

func fusedKernel(c registry.Cipher, blocks int) registry.Kernel {
	return registry.Kernel{
		Name: c.String() + "poly1305", Kind: registry.KindFused, Cipher: c, Blocks: blocks,
		Seal: func(dst, src []byte, state *[16]uint32, mac *registry.MACState, p *registry.Powers) {
			referenceXOR(c, dst, src, state, 20)
			absorb(mac, p, dst)
		},
		Open: func(dst, src []byte, state *[16]uint32, mac *registry.MACState, p *registry.Powers) {
			absorb(mac, p, src)
			referenceXOR(c, dst, src, state, 20)
		},
	}
}

func backendOf(kernels ...registry.Kernel) *registry.Backend {
	return &registry.Backend{Name: "test", Doc: "kernels for the tests of registrytest", Kernels: kernels}
}

// goodBackend has kernels of every kind and of several widths.
func goodBackend() *registry.Backend {
	wide := streamKernel(registry.ChaCha, 16)
	wide.Name = "chacha-x16"
	three := streamKernel(registry.Salsa, 3)
	three.Name = "salsa-x3"
	return backendOf(
		streamKernel(registry.ChaCha, 1), wide, three, leadKernel(),
		macKernel(1), powersKernel("powers-a"), powersKernel("powers-b"),
		fusedKernel(registry.ChaCha, 4), fusedKernel(registry.Salsa, 1),
	)
}
