//go:build !amd64 && !arm64

package cipher

import "encoding/binary"

// setWords makes words those of b in little-endian order.
func setWords(words *[4]uint32, b *[16]byte) {
	words[0] = binary.LittleEndian.Uint32(b[0:])
	words[1] = binary.LittleEndian.Uint32(b[4:])
	words[2] = binary.LittleEndian.Uint32(b[8:])
	words[3] = binary.LittleEndian.Uint32(b[12:])
}

// setPair is setWords for two words.
func setPair(words *[2]uint32, b *[8]byte) {
	words[0] = binary.LittleEndian.Uint32(b[0:])
	words[1] = binary.LittleEndian.Uint32(b[4:])
}

// setNonce makes the last words of a ChaCha state those of a nonce.
func setNonce(state *[16]uint32, nonce []byte) {
	n := (*[NonceSize]byte)(nonce)
	state[13] = binary.LittleEndian.Uint32(n[0:])
	state[14] = binary.LittleEndian.Uint32(n[4:])
	state[15] = binary.LittleEndian.Uint32(n[8:])
}
