package peers

import "io"

// Input returns random input and nonce of an algorithm for a plaintext of n
// bytes; what is to be opened has been sealed.
func Input(algorithm string, key *[32]byte, n int, random io.Reader) (src, nonce []byte) {
	src, nonce = read(random, n), read(random, NonceSize(algorithm))
	seal := map[string]string{"chacha20poly1305 open": "chacha20poly1305 seal", "secretbox open": "secretbox seal"}[algorithm]
	if seal == "" {
		return src, nonce
	}
	sealed := make([]byte, n+TagSize)
	XCrypto().New(seal, key)(sealed, src, nonce, 1)
	return sealed, nonce
}

// read returns n bytes from a source that does not fail.
func read(random io.Reader, n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(random, b); err != nil {
		panic(err)
	}
	return b
}
