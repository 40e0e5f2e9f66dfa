package secretbox_test

import (
	"fmt"

	"github.com/quarterround/quarterround/nacl/secretbox"
)

func Example() {
	key := [32]byte{1, 2, 3} // from crypto/rand in a real program
	var nonce [24]byte       // from crypto/rand, once for each message

	box := secretbox.Seal(nonce[:], []byte("hello world"), &nonce, &key)
	fmt.Printf("%x\n", box[len(nonce):])

	message, ok := secretbox.Open(nil, box[24:], (*[24]byte)(box), &key)
	fmt.Printf("%s %v\n", message, ok)
	// Output:
	// 83ffeba78aa3923ffd3b8637d8dd78dd744434fe1bcd096b553b33
	// hello world true
}
