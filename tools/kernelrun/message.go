package main

import (
	"fmt"

	"github.com/quarterround/quarterround/chacha20poly1305"
)

// messages are the names of what can be done with whole messages.
var messages = []string{"quarterround/chacha20poly1305", "quarterround/chacha20poly1305-open"}

// messaging returns what seals or opens one message of n bytes, without
// additional data.
func messaging(name string, n int) (func(), error) {
	aead, err := chacha20poly1305.New(make([]byte, chacha20poly1305.KeySize))
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	plain := make([]byte, n)
	sealed := make([]byte, 0, n+aead.Overhead())
	if name == messages[0] {
		return func() { aead.Seal(sealed, nonce, plain, nil) }, nil
	}
	sealed = aead.Seal(sealed, nonce, plain, nil)
	return func() {
		if _, err := aead.Open(plain[:0], nonce, sealed, nil); err != nil {
			panic(fmt.Sprint("a message just sealed does not open: ", err))
		}
	}, nil
}
