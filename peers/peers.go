// Package peers wraps the ciphers of other libraries, those of Debian's packages
// and golang.org/x/crypto, in one small interface: an algorithm under a key does
// one whole message per call. Quarterround's drop-in packages are there in the
// same form. It serves to compare results and speed.
//
// The algorithms are
//
//	chacha20                 nonce of 12 bytes
//	salsa20                  nonce of 8 bytes
//	poly1305                 no nonce; the key is one-time, dst is the tag
//	chacha20poly1305 seal    nonce of 12 bytes; dst ends with the tag
//	chacha20poly1305 open    src ends with the tag
//	secretbox seal           nonce of 24 bytes; dst begins with the tag
//	secretbox open           src begins with the tag
package peers

/*
#cgo CFLAGS: -O2
#cgo LDFLAGS: -ldl
#include "peer.h"

static const peer_library *library(int i) {
	static const peer_library *libraries[] = {&peer_openssl, &peer_sodium, &peer_nettle, &peer_gcrypt, NULL};
	return libraries[i];
}

static const char *load(const peer_library *l) { return l->load(); }
static const char *version(const peer_library *l) { return l->version(); }
static peer_key new_key(const peer_algorithm *a, const uint8_t *key) { return a->new(key); }

static void free_key(const peer_algorithm *a, peer_key key) { a->free(key); }

static int message(const peer_algorithm *a, peer_key key, uint8_t *dst, const uint8_t *src, size_t n,
		const uint8_t *nonce, size_t times) {
	return a->message(key, dst, src, n, nonce, times);
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Algorithms are the names of the algorithms.
var Algorithms = []string{
	"chacha20", "salsa20", "poly1305", "chacha20poly1305 seal", "chacha20poly1305 open", "secretbox seal", "secretbox open",
}

// TagSize is the size of a Poly1305 tag.
const TagSize = 16

// NonceSize returns the size of an algorithm's nonce in bytes.
func NonceSize(algorithm string) int {
	switch algorithm {
	case "salsa20":
		return 8
	case "poly1305":
		return 0
	case "secretbox seal", "secretbox open":
		return 24
	}
	return 12
}

// Sizes returns the lengths of dst and src for a plaintext of n bytes.
func Sizes(algorithm string, n int) (dst, src int) {
	switch algorithm {
	case "chacha20", "salsa20":
		return n, n
	case "poly1305":
		return TagSize, n
	case "chacha20poly1305 seal", "secretbox seal":
		return n + TagSize, n
	}
	return n, n + TagSize
}

// A Message does one message: it reads src and writes dst, whose lengths are as
// Sizes says and which do not overlap. It does it as often as times says, so that
// the way from Go to C need not be counted with it, and reports whether the
// library was content. It is not safe for concurrent use.
type Message func(dst, src, nonce []byte, times int) bool

// A Library is one implementation of some of the algorithms.
type Library struct {
	Name    string
	Version string
	// Package is the Debian package it comes from, empty for Go modules.
	Package string
	// Missing is what could not be found, empty if the library is there.
	Missing string

	// algorithms are those in Go, cAlgorithms those in C, which keep a key in memory
	// of their own.
	algorithms  map[string]func(key *[32]byte) Message
	cAlgorithms map[string]*C.peer_algorithm
}

// Has reports whether the library has an algorithm.
func (l *Library) Has(algorithm string) bool {
	return l.algorithms[algorithm] != nil || l.cAlgorithms[algorithm] != nil
}

// New returns an algorithm under a key, which is kept for good. It panics if the
// library has it not, or refuses the key.
func (l *Library) New(algorithm string, key *[32]byte) Message {
	message, _, err := l.Bind(algorithm, key)
	if err != nil {
		panic(err)
	}
	return message
}

// Bind returns an algorithm under a key, and what lets go of the key again. It
// panics if the library has the algorithm not; the error says that it refuses the
// key.
func (l *Library) Bind(algorithm string, key *[32]byte) (message Message, free func(), err error) {
	if in := l.algorithms[algorithm]; in != nil {
		return in(key), func() {}, nil
	}
	a := l.cAlgorithms[algorithm]
	k := C.new_key(a, pointer(key[:]))
	if k == nil {
		return nil, nil, fmt.Errorf("%s refuses a key of %s", l.Name, algorithm)
	}
	message = func(dst, src, nonce []byte, times int) bool {
		n := min(len(dst), len(src))
		if algorithm == "poly1305" {
			n = len(src)
		}
		return C.message(a, k, pointer(dst), pointer(src), C.size_t(n), pointer(nonce), C.size_t(times)) != 0
	}
	return message, func() { C.free_key(a, k) }, nil
}

// C returns the libraries written in C, those that are missing included.
func C() []*Library {
	var libraries []*Library
	for i := 0; C.library(C.int(i)) != nil; i++ {
		libraries = append(libraries, open(C.library(C.int(i))))
	}
	return libraries
}

// open loads a library.
func open(c *C.peer_library) *Library {
	l := &Library{Name: C.GoString(c.name), Package: C.GoString(c._package), cAlgorithms: map[string]*C.peer_algorithm{}}
	if missing := C.load(c); missing != nil {
		l.Missing = C.GoString(missing)
		return l
	}
	l.Version = C.GoString(C.version(c))
	for a := c.algorithms; a.name != nil; a = (*C.peer_algorithm)(unsafe.Add(unsafe.Pointer(a), unsafe.Sizeof(*a))) {
		l.cAlgorithms[C.GoString(a.name)] = a
	}
	return l
}

// pointer returns where b starts.
func pointer(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }
