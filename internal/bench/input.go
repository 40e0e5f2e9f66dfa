package bench

import (
	"errors"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// An Input is what all candidates of a cell work on. It is of zeros: no kernel's
// time depends on data.
type Input struct {
	Length int
	Key    [32]byte
	Nonce  []byte
	// Plaintext has Length bytes, Sealed those of the sealed plaintext, and Out room
	// for either; they do not overlap.
	Plaintext, Sealed, Out []byte
}

// NewInput returns the input of a cell. reference makes what is to be opened.
func NewInput(a registry.Algorithm, mode string, n int, reference *registry.Source) (*Input, error) {
	in := &Input{Length: n, Nonce: make([]byte, nonceSize(a)), Plaintext: make([]byte, n), Out: make([]byte, n+cipher.TagSize)}
	if mode != board.Decrypt {
		return in, nil
	}
	in.Sealed = make([]byte, n+cipher.TagSize)
	seal, err := in.message(reference, a, board.Encrypt)
	if err != nil {
		return nil, err
	}
	seal()
	copy(in.Sealed, in.Out)
	return in, nil
}

// nonceSize returns the usual size of an algorithm's nonce in bytes.
func nonceSize(a registry.Algorithm) int {
	switch a {
	case registry.XChaCha20, registry.XSalsa20, registry.XChaCha20Poly1305, registry.XSalsa20Poly1305:
		return cipher.NonceSizeX
	case registry.Salsa20, registry.Salsa20r12, registry.Salsa20r8:
		return 8
	case registry.Poly1305:
		return 0
	}
	return cipher.NonceSize
}

var errMode = errors.New("the algorithm has no such mode")

// message returns a routine that does one whole message, or sets up a key, by the
// plans of a source.
func (in *Input) message(source *registry.Source, a registry.Algorithm, mode string) (func(), error) {
	switch {
	case a.IsAEAD():
		return in.aead(source, a, mode)
	case a.IsMAC() && (mode == board.Update || mode == board.Call):
		return func() { cipher.Sum(source, in.Plaintext, &in.Key).Put(in.Out) }, nil
	case a.IsMAC():
		return nil, errMode
	}
	stream := new(cipher.Stream)
	setUp := func() error { return stream.Init(source, a, in.Key[:], in.Nonce, "bench") }
	if err := setUp(); err != nil {
		return nil, err
	}
	if mode == board.SetUp {
		return func() { _ = setUp() }, nil // it was right just now
	}
	return func() {
		_ = setUp()
		stream.XORKeyStream(in.Out, in.Plaintext)
	}, nil
}

// aead is message for AEADs, which keep their key from message to message.
func (in *Input) aead(source *registry.Source, a registry.Algorithm, mode string) (func(), error) {
	ordinary, box := new(cipher.AEAD), new(cipher.BoxAEAD)
	isBox := a == registry.XSalsa20Poly1305
	setUp := func() { ordinary.Init(source, a, in.Key[:]) }
	seal, open := ordinary.Seal, ordinary.Open
	if isBox {
		setUp = func() { box.Init(source, in.Key[:]) }
		seal, open = box.Seal, box.Open
	}
	setUp()
	switch mode {
	case board.SetUp:
		return setUp, nil
	case board.Decrypt:
		if _, err := open(in.Out[:0], in.Nonce, in.Sealed, nil); err != nil {
			return nil, err
		}
		return func() { _, _ = open(in.Out[:0], in.Nonce, in.Sealed, nil) }, nil // it was right just now
	}
	return func() { seal(in.Out[:0], in.Nonce, in.Plaintext, nil) }, nil
}
