package salsa20_test

import (
	"fmt"

	"github.com/quarterround/quarterround/salsa20"
)

func Example() {
	key := [32]byte{1, 2, 3}
	nonce := make([]byte, 24) // XSalsa20; from crypto/rand in a real program
	text := []byte("the same call decrypts")
	salsa20.XORKeyStream(text, text, nonce, &key)
	fmt.Printf("%x\n", text)
	salsa20.XORKeyStream(text, text, nonce, &key)
	fmt.Printf("%s\n", text)
	// Output:
	// 8350ed3d2ef9d0209feb672b884d8ecfcffd322117a8
	// the same call decrypts
}

// Salsa20/12, as a stream that continues from call to call.
func ExampleNewRounds() {
	c, err := salsa20.NewRounds(12, make([]byte, 32), make([]byte, 8))
	if err != nil {
		panic(err)
	}
	buf := make([]byte, 8)
	for range 2 {
		clear(buf)
		c.XORKeyStream(buf, buf)
		fmt.Printf("%x\n", buf)
	}
	// Output:
	// bd78a2f8118a563c
	// 761db4f2fbe055da
}
