// Package salsa gives low-level access to the Salsa20 family. Its API is that of
// golang.org/x/crypto/salsa20/salsa.
package salsa

import (
	"encoding/binary"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/dropin"
	"github.com/quarterround/quarterround/registry"
)

// Sigma is the Salsa20 constant for 256-bit keys.
var Sigma = [16]byte{'e', 'x', 'p', 'a', 'n', 'd', ' ', '3', '2', '-', 'b', 'y', 't', 'e', ' ', 'k'}

// XORKeyStream XORs in with the keystream of the key and writes the result to
// out. counter is the nonce (8 bytes), then the little-endian number of the first
// block, which wraps at 2^64; it is not changed. in and out must overlap entirely
// or not at all. It panics if out is shorter than in.
func XORKeyStream(out, in []byte, counter *[16]byte, key *[32]byte) {
	if len(in) == 0 {
		return
	}
	_ = out[len(in)-1]
	var state [16]uint32
	cipher.SetSalsaState(&state, key, counter)
	dropin.Source(registry.Salsa20).Plan().For(len(in)).XOR(out, in, &state)
}

// HSalsa20 derives a key from a 16-byte input in, a key k and a constant c,
// normally Sigma, into out.
func HSalsa20(out *[32]byte, in *[16]byte, k *[32]byte, c *[16]byte) {
	var state [16]uint32
	cipher.SetSalsaState(&state, k, in)
	for i := range 4 {
		state[5*i] = binary.LittleEndian.Uint32(c[4*i:])
	}
	cipher.HSalsaOf(out, dropin.Source(registry.Salsa20), &state)
}

// Core208 applies the Salsa20/8 core to in and writes the result to out, which
// may be the same array.
func Core208(out *[64]byte, in *[64]byte) {
	var state [16]uint32
	for i := range state {
		state[i] = binary.LittleEndian.Uint32(in[4*i:])
	}
	// One block of keystream is the core of the state, whose words 8 and 9 are
	// then not advanced yet.
	*out = [64]byte{}
	dropin.Source(registry.Salsa20r8).Plan().For(len(out)).XOR(out[:], out[:], &state)
}
