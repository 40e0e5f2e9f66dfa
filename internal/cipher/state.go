package cipher

import (
	"encoding/binary"

	"github.com/quarterround/quarterround/registry"
)

// The four constant words "expand 32-byte k" of ChaCha and Salsa20.
const (
	sigma0 = 0x61707865
	sigma1 = 0x3320646e
	sigma2 = 0x79622d32
	sigma3 = 0x6b206574
)

// ChaChaState returns the ChaCha matrix for a key, with the 16 bytes of input
// (counter and nonce, in the order of RFC 8439 section 2.3) as words 12 to 15:
//
//	c c c c
//	k k k k
//	k k k k
//	i i i i
func ChaChaState(key *[32]byte, input *[16]byte) (state [16]uint32) {
	state[0], state[1], state[2], state[3] = sigma0, sigma1, sigma2, sigma3
	for i := range 8 {
		state[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	for i := range 4 {
		state[12+i] = binary.LittleEndian.Uint32(input[4*i:])
	}
	return state
}

// SalsaState returns the Salsa20 matrix for a key, with the 16 bytes of input
// (nonce, then counter) as words 6 to 9:
//
//	c k k k
//	k c i i
//	i i c k
//	k k k c
func SalsaState(key *[32]byte, input *[16]byte) (state [16]uint32) {
	state[0], state[5], state[10], state[15] = sigma0, sigma1, sigma2, sigma3
	for i := range 4 {
		state[1+i] = binary.LittleEndian.Uint32(key[4*i:])
		state[11+i] = binary.LittleEndian.Uint32(key[16+4*i:])
		state[6+i] = binary.LittleEndian.Uint32(input[4*i:])
	}
	return state
}

// HChaCha derives a key from a key and the first 16 bytes of an extended nonce
// (draft-irtf-cfrg-xchacha section 2.2). Rounds are those of the source's
// algorithm.
func HChaCha(source *registry.Source, key *[32]byte, input *[16]byte) [32]byte {
	state := ChaChaState(key, input)
	return derive(source, &state, [8]int{0, 1, 2, 3, 12, 13, 14, 15})
}

// HSalsa derives a key from a key and the first 16 bytes of an extended nonce
// (D. J. Bernstein, "Extending the Salsa20 nonce", 2011, section 2).
func HSalsa(source *registry.Source, key *[32]byte, input *[16]byte) [32]byte {
	state := SalsaState(key, input)
	return HSalsaOf(source, &state)
}

// HSalsaOf is HSalsa for a whole state, whatever its constants.
func HSalsaOf(source *registry.Source, state *[16]uint32) [32]byte {
	return derive(source, state, [8]int{0, 5, 10, 15, 6, 7, 8, 9})
}

// derive returns the given words of the state after the rounds, without the
// final addition of the input. A block of keystream has that addition, so it is
// taken back; thus any stream kernel serves.
func derive(source *registry.Source, state *[16]uint32, words [8]int) (key [32]byte) {
	input := *state
	var block [registry.BlockSize]byte
	source.Plan().For(len(block)).XOR(block[:], block[:], state)
	for i, w := range words {
		binary.LittleEndian.PutUint32(key[4*i:], binary.LittleEndian.Uint32(block[4*w:])-input[w])
	}
	return key
}
