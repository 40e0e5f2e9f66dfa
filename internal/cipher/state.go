package cipher

import (
	"encoding/binary"

	"github.com/quarterround/quarterround/registry"
)

// sigma are the constant words "expand 32-byte k" of ChaCha and Salsa20.
var sigma = [4]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}

// SetChaChaState makes state the ChaCha matrix for a key and a nonce (RFC 8439
// section 2.3). The nonce, 8, 12 or 16 bytes, is the end of the input row; before
// it the row is zero.
//
//	c c c c
//	k k k k
//	k k k k
//	i i i i
func SetChaChaState(state *[16]uint32, key *[32]byte, nonce []byte) {
	*(*[4]uint32)(state[0:4]) = sigma
	setWords((*[4]uint32)(state[4:8]), (*[16]byte)(key[0:16]))
	setWords((*[4]uint32)(state[8:12]), (*[16]byte)(key[16:32]))
	state[12], state[13] = 0, 0
	setInput(state, nonce)
}

// setInput sets the end of the input row of a ChaCha matrix to nonce, 8, 12 or 16
// bytes.
func setInput(state *[16]uint32, nonce []byte) {
	switch len(nonce) {
	case 16:
		setWords((*[4]uint32)(state[12:16]), (*[16]byte)(nonce))
		return
	case 12:
		state[13] = binary.LittleEndian.Uint32(nonce)
		nonce = nonce[4:]
	}
	state[14] = binary.LittleEndian.Uint32(nonce)
	state[15] = binary.LittleEndian.Uint32(nonce[4:])
}

// SetSalsaState makes state the Salsa20 matrix for a key, with the 16 bytes of input
// (nonce, then counter) as words 6 to 9:
//
//	c k k k
//	k c i i
//	i i c k
//	k k k c
func SetSalsaState(state *[16]uint32, key *[32]byte, input *[16]byte) {
	state[0], state[5], state[10], state[15] = sigma[0], sigma[1], sigma[2], sigma[3]
	setWords((*[4]uint32)(state[1:5]), (*[16]byte)(key[0:16]))
	setPair((*[2]uint32)(state[6:8]), (*[8]byte)(input[0:8]))
	setPair((*[2]uint32)(state[8:10]), (*[8]byte)(input[8:16]))
	setWords((*[4]uint32)(state[11:15]), (*[16]byte)(key[16:32]))
}

// HChaCha derives a key from a key and the first 16 bytes of an extended nonce
// (draft-irtf-cfrg-xchacha section 2.2). Rounds are those of the source's
// algorithm. derived may be key.
func HChaCha(derived *[32]byte, source *registry.Source, key *[32]byte, input *[16]byte) {
	var state [16]uint32
	SetChaChaState(&state, key, input[:])
	hChaCha(derived, source, &state)
}

// hChaCha is HChaCha for a whole state. What is in state afterwards is undefined.
func hChaCha(derived *[32]byte, source *registry.Source, state *[16]uint32) {
	var b buffer1
	block := b.bytes[:]
	before := *state
	source.Plan().For(len(block)).XORWithin(block, block, 1, state)
	for i := range 4 {
		takeBack(derived[4*i:], block[4*i:], before[i])
		takeBack(derived[16+4*i:], block[48+4*i:], before[12+i])
	}
}

// HSalsa derives a key from a key and the first 16 bytes of an extended nonce
// (D. J. Bernstein, "Extending the Salsa20 nonce", 2011, section 2). derived may be
// key.
func HSalsa(derived *[32]byte, source *registry.Source, key *[32]byte, input *[16]byte) {
	var state [16]uint32
	SetSalsaState(&state, key, input)
	HSalsaOf(derived, source, &state)
}

// HSalsaOf is HSalsa for a whole state, whatever its constants. What is in state
// afterwards is undefined.
func HSalsaOf(derived *[32]byte, source *registry.Source, state *[16]uint32) {
	var b buffer1
	block := b.bytes[:]
	before := *state
	source.Plan().For(len(block)).XORWithin(block, block, 1, state)
	for i := range 4 {
		takeBack(derived[4*i:], block[20*i:], before[5*i])
		takeBack(derived[16+4*i:], block[24+4*i:], before[6+i])
	}
}

// takeBack writes a word of the state after the rounds. A block of keystream has
// the state before the rounds added, which is taken back; thus any stream kernel
// serves.
func takeBack(derived, keystream []byte, before uint32) {
	binary.LittleEndian.PutUint32(derived, binary.LittleEndian.Uint32(keystream)-before)
}
