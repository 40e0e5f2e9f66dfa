package dropin_test

import (
	"fmt"
	"testing"

	xchacha20 "golang.org/x/crypto/chacha20"
	xaead "golang.org/x/crypto/chacha20poly1305"
	xsecretbox "golang.org/x/crypto/nacl/secretbox"
	xpoly1305 "golang.org/x/crypto/poly1305" //lint:ignore SA1019 to compare with
	xsalsa20 "golang.org/x/crypto/salsa20"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/chacha20"
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/salsa20"
)

// sizes are those at which implementations are compared.
var sizes = []int{64, 1 << 10, 16 << 10, 1 << 20}

// compared are the algorithms that golang.org/x/crypto has too.
var compared = []registry.Algorithm{
	registry.ChaCha20, registry.Salsa20, registry.Poly1305, registry.ChaCha20Poly1305, registry.XSalsa20Poly1305,
}

// BenchmarkAlgorithms runs every algorithm by every backend that can run here, by
// the plan of all of them (backend=auto) and by x/crypto (backend=xcrypto), so
// that benchstat -col /backend compares them.
func BenchmarkAlgorithms(b *testing.B) {
	for _, a := range compared {
		names := []string{"auto", "xcrypto"}
		for _, backend := range registry.Backends() {
			names = append(names, backend.Name)
		}
		for _, name := range names {
			f := operation(a, name)
			if f == nil {
				continue
			}
			for _, n := range sizes {
				b.Run(fmt.Sprintf("alg=%v/backend=%s/size=%d", a, name, n), func(b *testing.B) {
					b.SetBytes(int64(n))
					b.ReportAllocs()
					buf, dst := make([]byte, n), make([]byte, 0, n+64)
					for b.Loop() {
						f(dst, buf)
					}
				})
			}
		}
	}
}

// operation returns a function that does one whole message, nil if the backend
// has no part in a.
func operation(a registry.Algorithm, backend string) func(dst, buf []byte) {
	key, nonce := make([]byte, 32), make([]byte, 24)
	if backend == "xcrypto" {
		return xcryptoOperation(a, key, nonce)
	}
	if backend == "auto" && !a.IsMAC() && !a.IsAEAD() {
		return streamOperation(a, key, nonce)
	}
	override := ""
	if backend != "auto" {
		override = a.String() + "=" + backend
	}
	sel, err := registry.Select(registry.WithOverride(override))
	if err != nil {
		return nil
	}
	library := quarterround.New(sel)
	switch {
	case a.IsMAC():
		return func(_, buf []byte) { cipher.Sum(sel.Source(a), buf, (*[32]byte)(key)) }
	case a.IsAEAD():
		aead, err := library.AEAD(a, key)
		if err != nil {
			return nil
		}
		return func(dst, buf []byte) { aead.Seal(dst, nonce[:aead.NonceSize()], buf, nil) }
	}
	size := 8
	if a.Cipher() == registry.ChaCha {
		size = 12
	}
	return func(_, buf []byte) {
		stream, err := library.Stream(a, key, nonce[:size])
		if err != nil {
			panic(err)
		}
		stream.XORKeyStream(buf, buf)
	}
}

// streamOperation does a message by the drop-in packages, which put no handle on
// the heap, as those of x/crypto do not. Were it inlined itself, the compiler would
// inline nothing into the function that it returns.
//
//go:noinline
func streamOperation(a registry.Algorithm, key, nonce []byte) func(dst, buf []byte) {
	if a == registry.Salsa20 {
		return func(_, buf []byte) { salsa20.XORKeyStream(buf, buf, nonce[:8], (*[32]byte)(key)) }
	}
	return func(_, buf []byte) {
		c, err := chacha20.NewUnauthenticatedCipher(key, nonce[:12])
		if err != nil {
			panic(err)
		}
		c.XORKeyStream(buf, buf)
	}
}

func xcryptoOperation(a registry.Algorithm, key, nonce []byte) func(dst, buf []byte) {
	switch a {
	case registry.ChaCha20:
		return func(_, buf []byte) {
			c, err := xchacha20.NewUnauthenticatedCipher(key, nonce[:12])
			if err != nil {
				panic(err)
			}
			c.XORKeyStream(buf, buf)
		}
	case registry.Salsa20:
		return func(_, buf []byte) { xsalsa20.XORKeyStream(buf, buf, nonce[:8], (*[32]byte)(key)) }
	case registry.Poly1305:
		return func(_, buf []byte) {
			var tag [16]byte
			xpoly1305.Sum(&tag, buf, (*[32]byte)(key))
		}
	case registry.ChaCha20Poly1305:
		aead, err := xaead.New(key)
		if err != nil {
			return nil
		}
		return func(dst, buf []byte) { aead.Seal(dst, nonce[:12], buf, nil) }
	}
	return func(dst, buf []byte) { xsecretbox.Seal(dst, buf, (*[24]byte)(nonce), (*[32]byte)(key)) }
}

// BenchmarkDispatch compares a kernel called directly with the same kernel called
// by a plan, at 64 bytes.
func BenchmarkDispatch(b *testing.B) {
	sel, err := registry.Select(registry.WithOverride("chacha20=generic"))
	if err != nil {
		b.Fatal(err)
	}
	var state [16]uint32
	buf := make([]byte, registry.BlockSize)
	b.Run("call=direct", func(b *testing.B) {
		xor := genericXOR()
		for b.Loop() {
			xor(buf, buf, &state, 20)
		}
	})
	b.Run("call=plan", func(b *testing.B) {
		source := sel.Source(registry.ChaCha20)
		for b.Loop() {
			source.Plan().For(len(buf)).XOR(buf, buf, &state)
		}
	})
}

// genericXOR returns the ChaCha kernel of the generic backend.
func genericXOR() registry.StreamFunc {
	for _, backend := range registry.Backends() {
		for i := range backend.Kernels {
			if k := &backend.Kernels[i]; backend.Name == "generic" && k.Kind == registry.KindStream && k.Cipher == registry.ChaCha {
				return k.XOR
			}
		}
	}
	return nil
}
