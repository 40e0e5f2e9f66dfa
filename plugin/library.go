package plugin

import (
	"fmt"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// A Library is ciphers that are no kernels because they do whole messages only:
// those of somebody else's library. [ServeLibrary] serves it. Hosts call them
// through [Plugin.NewKey] and time them with [Plugin.Measure]; a selection has no
// use for them.
type Library struct {
	// Name is lower-case letters and digits.
	Name string
	// Doc is one line: what the library is, and its version.
	Doc string
	// Functions are what it can do. An AEAD has both of its operations.
	Functions map[Function]NewMessage
}

// NewMessage returns a function under a key, and another that lets go of what
// the key occupies. An error says that the library refuses the key.
type NewMessage func(key *[32]byte) (message MessageFunc, free func(), err error)

// A MessageFunc does one whole message: it reads src and writes dst, which do not
// overlap and whose lengths are those of [Function.Sizes]; the nonce has
// [Function.NonceSize]. The tag is at the end, of xsalsa20poly1305 at the
// beginning; keystream begins at block 0; there is no additional data. It does the
// same as often as times says, so that what is measured is the library and not
// the way to it, and reports whether the library was content, which it is not if a
// tag is wrong. It is never called twice at the same time.
type MessageFunc func(dst, src, nonce []byte, times int) bool

// libraryCiphers are the algorithms of a Library.
type libraryCiphers struct{ library *Library }

func (c libraryCiphers) offers(a registry.Algorithm) bool {
	for _, f := range FunctionsOf(a) {
		if c.library.Functions[f] == nil {
			return false
		}
	}
	return true
}

func (c libraryCiphers) under(a registry.Algorithm, secret *[cipher.KeySize]byte) (keyed, error) {
	k := &libraryKey{messages: map[Operation]MessageFunc{}}
	for _, f := range FunctionsOf(a) {
		message, free, err := c.library.Functions[f](secret)
		if err != nil {
			k.drop()
			return nil, err
		}
		k.messages[f.Operation] = message
		k.frees = append(k.frees, free)
	}
	return k, nil
}

// A libraryKey is an algorithm of a Library under a key.
type libraryKey struct {
	mu       sync.Mutex
	messages map[Operation]MessageFunc // nil once the key is dropped
	frees    []func()
}

func (k *libraryKey) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, free := range k.frees {
		free()
	}
	k.messages, k.frees = nil, nil
}

func (k *libraryKey) message(f Function) MessageFunc {
	return func(dst, src, nonce []byte, times int) bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		message := k.messages[f.Operation]
		return message != nil && message(dst, src, nonce, times)
	}
}

func (k *libraryKey) do(dst []byte, f Function, w *whole) ([]byte, error) {
	if len(w.header.Nonce) != f.NonceSize() && f.Operation != OperationMAC {
		return nil, status.Errorf(codes.Unimplemented, "%v takes nonces of %d bytes here", f.Algorithm, f.NonceSize())
	}
	if w.header.Offset != 0 {
		return nil, status.Errorf(codes.Unimplemented, "%v begins at offset 0 here", f.Algorithm)
	}
	if len(w.additional) > 0 {
		return nil, status.Errorf(codes.Unimplemented, "%v takes no additional data here", f.Algorithm)
	}
	n := len(w.data)
	if f.Operation == OperationOpen {
		if n -= cipher.TagSize; n < 0 {
			return nil, errNotAuthentic
		}
	}
	size, _ := f.Sizes(n)
	whole, out := cipher.SliceForAppend(dst, size)
	if k.message(f)(out, w.data, w.header.Nonce, 1) {
		return whole, nil
	}
	if f.Operation == OperationOpen {
		return nil, errNotAuthentic
	}
	return nil, status.Error(codes.Internal, "the library refused the message")
}

// ServeLibrary makes this process a plugin that offers whole messages of a
// library. Otherwise it is like [Serve].
func ServeLibrary(library *Library) {
	serveOrExit(func() (*server, error) {
		if len(library.Functions) == 0 {
			return nil, fmt.Errorf("%s has no functions", library.Name)
		}
		for f := range library.Functions {
			if !f.valid() {
				return nil, fmt.Errorf("%s: there is no %v", library.Name, f)
			}
		}
		backend := &registry.Backend{Name: library.Name, Doc: library.Doc}
		if err := registry.ValidateBackend(backend); err != nil {
			return nil, err
		}
		return &server{backend: backend, ciphers: libraryCiphers{library}, keys: map[uint64]*key{}}, nil
	})
}
