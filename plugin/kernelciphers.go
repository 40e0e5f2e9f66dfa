package plugin

import (
	stdcipher "crypto/cipher"
	"io"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// ciphers are the algorithms on whole messages that a plugin offers.
type ciphers interface {
	// offers reports whether there is an algorithm.
	offers(a registry.Algorithm) bool
	// under returns an algorithm under a key.
	under(a registry.Algorithm, secret *[cipher.KeySize]byte) (keyed, error)
}

// A keyed is an algorithm under a key. It is safe for concurrent use.
type keyed interface {
	// do runs an operation on a message and appends the result to dst, which does
	// not overlap the message. Errors have the codes of the protocol.
	do(dst []byte, f Function, w *whole) ([]byte, error)
	// message returns the same as do without its memory, to be measured.
	message(f Function) MessageFunc
	// drop lets go of the key.
	drop()
}

var errNotAuthentic = status.Error(codes.DataLoss, "message authentication failed")

// noCiphers offers nothing.
type noCiphers struct{}

func (noCiphers) offers(registry.Algorithm) bool { return false }

func (noCiphers) under(registry.Algorithm, *[cipher.KeySize]byte) (keyed, error) {
	return nil, status.Error(codes.Unimplemented, "no algorithm is offered")
}

// kernelCiphers are made of the kernels in a selection. They are offered where
// that uses a kernel of the named backend.
type kernelCiphers struct {
	selection *registry.Selection
	backend   string
}

func (c kernelCiphers) offers(a registry.Algorithm) bool {
	for _, candidate := range c.selection.Candidates(a) {
		used := candidate.State == registry.Selected || candidate.State == registry.Forced
		if candidate.Backend == c.backend && used {
			return true
		}
	}
	return false
}

func (c kernelCiphers) under(a registry.Algorithm, secret *[cipher.KeySize]byte) (keyed, error) {
	k := &kernelKey{source: c.selection.Source(a), secret: *secret}
	if a.IsAEAD() {
		k.aead = newAEAD(k.source, a, secret[:])
	}
	return k, nil
}

// A kernelKey is an algorithm made of kernels under a key.
type kernelKey struct {
	source *registry.Source
	secret [cipher.KeySize]byte
	aead   stdcipher.AEAD // of an AEAD
}

func (k *kernelKey) drop() {}

func (k *kernelKey) do(dst []byte, f Function, w *whole) ([]byte, error) {
	switch f.Operation {
	case OperationXOR:
		return k.xor(dst, f.Algorithm, w)
	case OperationMAC:
		out, tag := cipher.SliceForAppend(dst, cipher.TagSize)
		cipher.Sum(k.source, w.data, &k.secret).Put(tag)
		return out, nil
	}
	if err := checkAEAD(f.Algorithm, w.header.Nonce, w.additional); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if f.Operation == OperationSeal {
		return k.aead.Seal(dst, w.header.Nonce, w.data, w.additional), nil
	}
	out, err := k.aead.Open(dst, w.header.Nonce, w.data, w.additional)
	if err != nil {
		return nil, errNotAuthentic
	}
	return out, nil
}

// xor encrypts with a stream cipher.
func (k *kernelKey) xor(dst []byte, a registry.Algorithm, w *whole) ([]byte, error) {
	if err := checkStream(a, w.header.Nonce, w.header.Offset, len(w.data)); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	stream := new(cipher.Stream)
	if err := stream.Init(k.source, a, k.secret[:], w.header.Nonce, a.String()); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if _, err := stream.Seek(int64(w.header.Offset), io.SeekStart); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	whole, out := cipher.SliceForAppend(dst, len(w.data))
	stream.XORKeyStream(out, w.data)
	return whole, nil
}

func (k *kernelKey) message(f Function) MessageFunc {
	switch f.Operation {
	case OperationXOR:
		stream := new(cipher.Stream)
		return func(dst, src, nonce []byte, times int) bool {
			for range times {
				if stream.Init(k.source, f.Algorithm, k.secret[:], nonce, "") != nil {
					return false
				}
				stream.XORKeyStream(dst, src)
			}
			return true
		}
	case OperationMAC:
		return func(dst, src, _ []byte, times int) bool {
			for range times {
				cipher.Sum(k.source, src, &k.secret).Put(dst)
			}
			return true
		}
	case OperationSeal:
		return func(dst, src, nonce []byte, times int) bool {
			for range times {
				k.aead.Seal(dst[:0], nonce, src, nil)
			}
			return true
		}
	}
	return func(dst, src, nonce []byte, times int) bool {
		for range times {
			if _, err := k.aead.Open(dst[:0], nonce, src, nil); err != nil {
				return false
			}
		}
		return true
	}
}
