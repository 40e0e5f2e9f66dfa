// Command xcrypto calls one routine of golang.org/x/crypto between two marker
// functions, for the cycle model to trace and count: the counterpart of
// runner/peers.c in package peers.
//
//	xcrypto list                      names, one a line
//	xcrypto NAME count BYTES CALLS    CALLS calls on BYTES bytes
//
// One call precedes the marks.
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/poly1305" //lint:ignore SA1019 the routine to compare with
	"golang.org/x/crypto/salsa20"
)

// The marker functions between which instructions count.
//
//go:noinline
func markBegin() {}

//go:noinline
func markEnd() {}

var names = []string{"xcrypto/chacha", "xcrypto/salsa", "xcrypto/poly1305", "xcrypto/chacha20poly1305", "xcrypto/chacha20poly1305-open"}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "list" {
		for _, n := range names {
			fmt.Println(n)
		}
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "xcrypto:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 || args[1] != "count" || !slices.Contains(names, args[0]) {
		return fmt.Errorf("usage: xcrypto list | NAME count BYTES CALLS")
	}
	bytes, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	calls, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	call, err := calling(args[0], bytes)
	if err != nil {
		return err
	}
	call()
	runtime.Gosched() // a new time slice, which had better not end between the marks
	markBegin()
	for range calls {
		call()
	}
	markEnd()
	return nil
}

// calling returns what calls the routine on n bytes as one message: the
// package has nothing below that.
func calling(name string, n int) (func(), error) {
	var key [32]byte
	nonce := make([]byte, chacha20.NonceSize)
	src := make([]byte, n)
	dst := make([]byte, n, n+poly1305.TagSize)
	switch name {
	case "xcrypto/chacha":
		return func() {
			c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce)
			if err != nil {
				panic(err)
			}
			c.XORKeyStream(dst, src)
		}, nil
	case "xcrypto/salsa":
		return func() { salsa20.XORKeyStream(dst, src, nonce[:8], &key) }, nil
	case "xcrypto/poly1305":
		var tag [poly1305.TagSize]byte
		return func() { poly1305.Sum(&tag, src, &key) }, nil
	}
	aead, err := chacha20poly1305.New(key[:])
	if err != nil {
		return nil, err
	}
	if name == "xcrypto/chacha20poly1305" {
		return func() { aead.Seal(dst[:0], nonce, src, nil) }, nil
	}
	sealed := aead.Seal(nil, nonce, src, nil)
	return func() {
		if _, err := aead.Open(dst[:0], nonce, sealed, nil); err != nil {
			panic(err)
		}
	}, nil
}
