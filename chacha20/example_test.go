package chacha20_test

import (
	"encoding/hex"
	"fmt"
	"io"

	"github.com/quarterround/quarterround/chacha20"
)

// The example of RFC 8439 section 2.4.2, whose text begins with block 1.
func Example() {
	key, _ := hex.DecodeString("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	nonce, _ := hex.DecodeString("000000000000004a00000000")
	c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		panic(err)
	}
	c.SetCounter(1)
	text := []byte("Ladies and Gentlemen")
	c.XORKeyStream(text, text)
	fmt.Printf("%x\n", text)
	// Output:
	// 6e2e359a2568f98041ba0728dd0d6981e97e7aec
}

// ChaCha12 with the original nonce of 8 bytes, read from the middle of block 2^32.
func ExampleNewRounds() {
	c, err := chacha20.NewRounds(12, make([]byte, 32), make([]byte, 8))
	if err != nil {
		panic(err)
	}
	if _, err := c.Seek(64<<32+32, io.SeekStart); err != nil {
		panic(err)
	}
	buf := make([]byte, 8)
	c.XORKeyStream(buf, buf)
	fmt.Printf("%x\n", buf)
	// Output:
	// 8a63f8d3dc83ccbc
}
