// Command plugin offers a ChaCha kernel to programs that use Quarterround, from a
// process of its own. See README.md.
package main

import (
	"encoding/binary"
	"math/bits"

	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

func main() { plugin.Serve(backend) }

var backend = &registry.Backend{
	Name: "columns",
	Doc:  "an example: ChaCha, a quarter round at a time",
	Kernels: []registry.Kernel{{
		Name: "chacha", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 1, Revision: 1,
		Priors: []registry.Prior{{Rounds: 20, Fixed: 20, PerStep: 900, Provenance: "estimated", Source: "by eye"}},
		XOR:    xor,
	}},
}

// xor is a registry.StreamFunc.
func xor(dst, src []byte, state *[16]uint32, rounds int) {
	in := *state
	for ; len(src) > 0; dst, src = dst[registry.BlockSize:], src[registry.BlockSize:] {
		x := in
		for range rounds / 2 {
			doubleRound(&x)
		}
		for i := range x {
			word := binary.LittleEndian.Uint32(src[4*i:]) ^ (x[i] + in[i])
			binary.LittleEndian.PutUint32(dst[4*i:], word)
		}
		if in[12]++; in[12] == 0 {
			in[13]++
		}
	}
}

// doubleRound is a column round and a diagonal round (RFC 8439 section 2.3).
func doubleRound(x *[16]uint32) {
	for i := range 4 {
		quarterRound(x, i, 4+i, 8+i, 12+i)
	}
	for i := range 4 {
		quarterRound(x, i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
	}
}

// quarterRound is that of RFC 8439 section 2.1.
func quarterRound(x *[16]uint32, a, b, c, d int) {
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 16)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 12)
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 8)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 7)
}
