package salsa

import (
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// genericXORKeyStream is a name that x/crypto's tests use: XORKeyStream with the
// generic backend.
func genericXORKeyStream(out, in []byte, counter *[16]byte, key *[32]byte) {
	selection, err := registry.Select(registry.WithOverride("generic"))
	if err != nil {
		panic(err)
	}
	var state [16]uint32
	cipher.SetSalsaState(&state, key, counter)
	selection.Source(registry.Salsa20).Plan().For(len(in)).XOR(out, in, &state)
}
