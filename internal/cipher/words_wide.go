//go:build amd64 || arm64

package cipher

import "unsafe"

// setWords makes words those of b in little-endian order, which is that of these
// CPUs. It is one copy of 16 bytes: a kernel that loads a row of the state at once
// would have to wait for the cache if the row had been stored in smaller pieces.
func setWords(words *[4]uint32, b *[16]byte) {
	*(*[16]byte)(unsafe.Pointer(words)) = *b
}

// setPair is setWords for two words, whose bytes have just been written by themselves:
// of those, too, a copy that takes in more would have to wait.
func setPair(words *[2]uint32, b *[8]byte) {
	*(*[8]byte)(unsafe.Pointer(words)) = *b
}

// setNonce makes the last words of a ChaCha state those of a nonce.
func setNonce(state *[16]uint32, nonce []byte) {
	*(*[NonceSize]byte)(unsafe.Pointer(&state[13])) = [NonceSize]byte(nonce)
}
