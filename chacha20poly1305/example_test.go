package chacha20poly1305_test

import (
	"fmt"

	"github.com/quarterround/quarterround/chacha20poly1305"
)

func Example() {
	key := []byte("0123456789abcdef0123456789abcdef") // from crypto/rand in a real program
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		panic(err)
	}
	nonce := make([]byte, aead.NonceSize()) // from crypto/rand, once for each message
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), []byte("message 1"))
	fmt.Printf("%x\n", sealed)

	opened, err := aead.Open(nil, nonce, sealed, []byte("message 1"))
	fmt.Printf("%s %v\n", opened, err)
	_, err = aead.Open(nil, nonce, sealed, []byte("message 2"))
	fmt.Println(err)
	// Output:
	// d4f20179b155957706c611000e1baa958d69c8a2583279438125f526b80b
	// attack at dawn <nil>
	// chacha20poly1305: message authentication failed
}

// Called on *AEAD, no argument leaves the stack.
func ExampleNewAEAD() {
	var key [chacha20poly1305.KeySize]byte
	var nonce [chacha20poly1305.NonceSize]byte
	var buf [64]byte
	aead, err := chacha20poly1305.NewAEAD(key[:])
	if err != nil {
		panic(err)
	}
	sealed := aead.Seal(buf[:0], nonce[:], []byte("hello"), nil)
	fmt.Printf("%x\n", sealed)
	// Output:
	// f7628bd23adce962340b6fd6a0a4d1fe736f29456f
}
