package plugin

import (
	"fmt"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// An Operation is what is done with a whole message.
type Operation uint8

// The operations.
const (
	OperationXOR  Operation = iota + 1 // of a stream cipher
	OperationSeal                      // of an AEAD
	OperationOpen                      // of an AEAD
	OperationMAC                       // of a MAC
)

// String returns "xor", "seal", "open" or "mac".
func (o Operation) String() string {
	switch o {
	case OperationXOR:
		return "xor"
	case OperationSeal:
		return "seal"
	case OperationOpen:
		return "open"
	case OperationMAC:
		return "mac"
	}
	return fmt.Sprintf("operation(%d)", uint8(o))
}

// wire returns the number of o in the protocol, which is the same.
func (o Operation) wire() proto.Operation { return proto.Operation(o) }

// operationOf returns the operation of that number, 0 if there is none.
func operationOf(o proto.Operation) Operation {
	if o < proto.Operation_OPERATION_XOR || o > proto.Operation_OPERATION_MAC {
		return 0
	}
	return Operation(o)
}

// A Function is an operation of an algorithm.
type Function struct {
	Algorithm registry.Algorithm
	Operation Operation
}

// String returns "chacha20 xor", "chacha20poly1305 seal".
func (f Function) String() string { return f.Algorithm.String() + " " + f.Operation.String() }

// FunctionsOf returns the functions of an algorithm: one, or Seal and Open.
func FunctionsOf(a registry.Algorithm) []Function {
	switch {
	case a.IsAEAD():
		return []Function{{a, OperationSeal}, {a, OperationOpen}}
	case a.IsMAC():
		return []Function{{a, OperationMAC}}
	}
	return []Function{{a, OperationXOR}}
}

// valid reports whether the algorithm has the operation.
func (f Function) valid() bool {
	for _, g := range FunctionsOf(f.Algorithm) {
		if f == g {
			return true
		}
	}
	return false
}

// NonceSize returns the length of the nonce that Measure and MessageFunc use, in
// bytes: 12 of ChaCha and ChaCha20-Poly1305, 8 of Salsa20, 24 where it is
// extended, 0 of a MAC.
func (f Function) NonceSize() int {
	switch f.Algorithm {
	case registry.XChaCha20, registry.XSalsa20, registry.XChaCha20Poly1305, registry.XSalsa20Poly1305:
		return cipher.NonceSizeX
	case registry.Salsa20, registry.Salsa20r12, registry.Salsa20r8:
		return 8
	case registry.Poly1305:
		return 0
	}
	return cipher.NonceSize
}

// Sizes returns the lengths of the result and of the input for a plaintext of n
// bytes.
func (f Function) Sizes(n int) (dst, src int) {
	switch f.Operation {
	case OperationSeal:
		return n + cipher.TagSize, n
	case OperationOpen:
		return n, n + cipher.TagSize
	case OperationMAC:
		return cipher.TagSize, n
	}
	return n, n
}
