// Package generic is the backend that is always there: scalar ChaCha, Salsa20
// and Poly1305 in pure Go, right on every GOARCH and in either byte order. Its
// routines live in internal/reference, which every other kernel is checked
// against.
package generic

import (
	"slices"

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
			Priors: slices.Concat(priors["chacha"], []registry.Prior{
				{CPU: "zen5", Rounds: 8, Fixed: 22, PerStep: 131, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "zen5", Rounds: 12, Fixed: 23, PerStep: 181, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "zen5", Rounds: 20, Fixed: 28, PerStep: 290, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "amd64", Rounds: 20, Fixed: 10, PerStep: 310, Provenance: "estimated", Source: "Zen 5"},
				{Rounds: 20, Fixed: 20, PerStep: 900, Provenance: "estimated", Source: "operation count"},
			}),
			XOR: reference.XORChaCha,
		},
		{
			Name: "salsa", Kind: registry.KindStream, Cipher: registry.Salsa, Blocks: 1, Revision: 1,
			Priors: slices.Concat(priors["salsa"], []registry.Prior{
				{CPU: "zen5", Rounds: 8, Fixed: 22, PerStep: 132, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "zen5", Rounds: 12, Fixed: 24, PerStep: 186, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "zen5", Rounds: 20, Fixed: 23, PerStep: 299, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "amd64", Rounds: 20, Fixed: 10, PerStep: 320, Provenance: "estimated", Source: "Zen 5"},
				{Rounds: 20, Fixed: 20, PerStep: 900, Provenance: "estimated", Source: "operation count"},
			}),
			XOR: reference.XORSalsa,
		},
		{
			Name: "poly1305", Kind: registry.KindMAC, Blocks: 1, Revision: 1,
			Priors: slices.Concat(priors["poly1305"], []registry.Prior{
				{CPU: "zen5", Fixed: 26, PerStep: 28.9, Provenance: "measured", Source: "Zen 5, 2026-11-30"},
				{CPU: "amd64", Fixed: 18, PerStep: 30, Provenance: "estimated", Source: "Zen 5"},
				{CPU: "386", Fixed: 60, PerStep: 105, Provenance: "estimated", Source: "executed instructions, three a cycle"},
				{CPU: "wasm", Fixed: 60, PerStep: 70, Provenance: "estimated", Source: "operation count"},
				{Fixed: 40, PerStep: 60, Provenance: "estimated", Source: "operation count"},
			}),
			Absorb: absorb,
		},
	},
}

// absorb is the reference Poly1305 as a kernel.
func absorb(state *registry.MACState, _ *registry.Powers, msg []byte) {
	reference.Poly1305(&state.H, &state.R, msg)
}
