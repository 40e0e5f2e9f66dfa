package quarterround_test

import (
	"fmt"
	"io"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/registry"
)

func Example() {
	library, err := quarterround.Auto()
	if err != nil {
		panic(err)
	}
	key := make([]byte, 32) // from crypto/rand in a real program
	aead, err := library.AEAD(registry.ChaCha20Poly1305, key)
	if err != nil {
		panic(err)
	}
	nonce := make([]byte, aead.NonceSize()) // never twice under one key
	sealed := aead.Seal(nil, nonce, []byte("hello"), nil)
	opened, err := aead.Open(nil, nonce, sealed, nil)
	fmt.Printf("%x\n%s %v\n", sealed, opened, err)
	// Output:
	// f7628bd23adce962340b6fd6a0a4d1fe736f29456f
	// hello <nil>
}

// A library whose Poly1305 is that of one backend, whatever is fastest.
func ExampleNew() {
	selection, err := registry.Select(registry.WithOverride("poly1305=generic"))
	if err != nil {
		panic(err)
	}
	mac, err := quarterround.New(selection).MAC([]byte("32 bytes of key for one message."))
	if err != nil {
		panic(err)
	}
	fmt.Fprint(mac, "message")
	fmt.Printf("%x\n", mac.Sum(nil))
	for _, c := range selection.Candidates(registry.Poly1305) {
		if c.Backend == "generic" {
			fmt.Println(c.Name(), c.State)
		}
	}
	// Output:
	// 7965ed7d8f27ee9784d278dcbb8728e2
	// generic/poly1305 forced
}

func ExampleLibrary_Stream() {
	library, err := quarterround.Auto()
	if err != nil {
		panic(err)
	}
	stream, err := library.Stream(registry.ChaCha8, make([]byte, 32), make([]byte, 8))
	if err != nil {
		panic(err)
	}
	buf := make([]byte, 8)
	stream.XORKeyStream(buf, buf)
	fmt.Printf("%x\n", buf)
	if _, err := stream.Seek(4, io.SeekStart); err != nil {
		panic(err)
	}
	clear(buf)
	stream.XORKeyStream(buf, buf)
	fmt.Printf("%x\n", buf)
	// Output:
	// 3e00ef2f895f40d6
	// 895f40d67f5bb8e8
}
