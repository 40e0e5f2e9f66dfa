// Package generic is the backend that is always there: scalar ChaCha, Salsa20
// and Poly1305 in pure Go, right on every GOARCH and in either byte order. Its
// routines live in internal/reference, which every other kernel is checked
// against.
package generic

import (
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

func init() { registry.Register(backend) }

var backend = &registry.Backend{
	Name: "generic",
	Doc:  "scalar pure Go for every CPU",
	Kernels: []registry.Kernel{
		{
			Name: "chacha", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 1, Revision: 1,
			Priors: nil,
			XOR:    reference.XORChaCha,
		},
		{
			Name: "salsa", Kind: registry.KindStream, Cipher: registry.Salsa, Blocks: 1, Revision: 1,
			Priors: nil,
			XOR:    reference.XORSalsa,
		},
		{
			Name: "poly1305", Kind: registry.KindMAC, Blocks: 1, Revision: 1,
			Priors: nil,
			Absorb: absorb,
		},
	},
}

// absorb is the reference Poly1305 as a kernel.
func absorb(state *registry.MACState, _ *registry.Powers, msg []byte) {
	reference.Poly1305(&state.H, &state.R, msg)
}
