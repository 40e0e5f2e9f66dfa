package generic

import (
	"bytes"
	"fmt"
	"testing"

	"golang.org/x/crypto/chacha20"
	//lint:ignore SA1019 an independent oracle and the other side of benchmarks
	"golang.org/x/crypto/poly1305"
	//lint:ignore SA1019 an independent oracle and the other side of benchmarks
	"golang.org/x/crypto/salsa20/salsa"

	"github.com/quarterround/quarterround/internal/polytest"
	"github.com/quarterround/quarterround/registry"
)

// kernel returns the kernel of the given name.
func kernel(t testing.TB, name string) *registry.Kernel {
	t.Helper()
	for i := range backend.Kernels {
		if backend.Kernels[i].Name == name {
			return &backend.Kernels[i]
		}
	}
	t.Fatalf("no kernel %q", name)
	return nil
}

// zeroState is the ChaCha matrix for an all-zero key, nonce and counter.
var zeroState = [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}

// zeroSalsaState is the same for Salsa20.
var zeroSalsaState = [16]uint32{0: 0x61707865, 5: 0x3320646e, 10: 0x79622d32, 15: 0x6b206574}

// xcryptoChaCha is ChaCha20 of golang.org/x/crypto under zeroState.
func xcryptoChaCha(dst, src []byte) {
	var key [32]byte
	var nonce [12]byte
	c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:])
	if err != nil {
		panic(err)
	}
	c.XORKeyStream(dst, src)
}

// xcryptoSalsa is Salsa20 of golang.org/x/crypto under zeroSalsaState.
func xcryptoSalsa(dst, src []byte) {
	var key [32]byte
	var counter [16]byte
	salsa.XORKeyStream(dst, src, &counter, &key)
}

func TestStreamKernels(t *testing.T) {
	src := bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 8*9)
	got, want := make([]byte, len(src)), make([]byte, len(src))
	xcryptoChaCha(want, src)
	kernel(t, "chacha").XOR(got, src, &zeroState, 20)
	if !bytes.Equal(got, want) {
		t.Error("chacha differs from golang.org/x/crypto")
	}
	xcryptoSalsa(want, src)
	kernel(t, "salsa").XOR(got, src, &zeroSalsaState, 20)
	if !bytes.Equal(got, want) {
		t.Error("salsa differs from golang.org/x/crypto")
	}
}

func TestMACKernel(t *testing.T) {
	polytest.Check(t, kernel(t, "poly1305"))
	polytest.CheckAllocations(t, kernel(t, "poly1305"))
}

// benchmarkStream compares with golang.org/x/crypto; the build tag purego takes
// its assembly away.
func benchmarkStream(b *testing.B, k *registry.Kernel, state *[16]uint32, other func(dst, src []byte)) {
	for _, size := range []int{64, 1 << 10, 16 << 10, 1 << 20} {
		buf := make([]byte, size)
		b.Run(fmt.Sprintf("backend=xcrypto/size=%d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				other(buf, buf)
			}
		})
		b.Run(fmt.Sprintf("backend=generic/size=%d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				k.XOR(buf, buf, state, 20)
			}
		})
	}
}

func BenchmarkChaCha20(b *testing.B) {
	benchmarkStream(b, kernel(b, "chacha"), &zeroState, xcryptoChaCha)
}

func BenchmarkSalsa20(b *testing.B) {
	benchmarkStream(b, kernel(b, "salsa"), &zeroSalsaState, xcryptoSalsa)
}

func BenchmarkPoly1305(b *testing.B) {
	var tag [16]byte
	key := [32]byte{1, 2, 3}
	polytest.Benchmark(b, "generic", []registry.Kernel{*kernel(b, "poly1305")}, "xcrypto", func(msg []byte) { poly1305.Sum(&tag, msg, &key) })
}
