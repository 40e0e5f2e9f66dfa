package quarterround_test

import (
	"bytes"
	stdcipher "crypto/cipher"
	"io"
	"maps"
	"slices"
	"testing"

	xaead "golang.org/x/crypto/chacha20poly1305"
	xsecretbox "golang.org/x/crypto/nacl/secretbox"
	//lint:ignore SA1019 an independent oracle
	xpoly1305 "golang.org/x/crypto/poly1305"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/registry"
)

var (
	key   = twintest.Random(1, 32)
	nonce = twintest.Random(2, 24)
)

// nonceOf returns the nonce that a takes.
func nonceOf(a registry.Algorithm) []byte {
	switch {
	case a == registry.XChaCha20 || a == registry.XSalsa20 || a == registry.XChaCha20Poly1305 || a == registry.XSalsa20Poly1305:
		return nonce
	case a == registry.ChaCha20 || a == registry.ChaCha20Poly1305:
		return nonce[:12]
	}
	return nonce[:8]
}

// lengths are all up to past the plans' tables, and some around the limits of
// pieces. In short mode most are left out.
func lengths() []int {
	var all []int
	for n := 0; n <= 1100; n++ {
		if !testing.Short() || n%64 < 2 || n%64 > 62 || n%16 == 0 || n%37 == 0 {
			all = append(all, n)
		}
	}
	for _, limit := range []int{4096, 16384, 65536} {
		for _, n := range []int{limit - 65, limit - 1, limit, limit + 1, limit + 17, limit + 64, limit + 700} {
			if !testing.Short() || n < 20000 {
				all = append(all, n)
			}
		}
	}
	return all
}

// forces returns the names by which something can be forced in a here: backends
// and their kernels.
func forces(t *testing.T, a registry.Algorithm) []string {
	t.Helper()
	sel, err := registry.Select()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range sel.Candidates(a) {
		if c.Cost != nil {
			names[c.Backend], names[c.Name()] = true, true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// TestForced forces every backend and every kernel in turn. All must give the
// bytes of the reference, and of x/crypto where it has the algorithm.
func TestForced(t *testing.T) {
	for _, a := range registry.Algorithms() {
		oracle := oracleOf(t, a)
		for _, name := range forces(t, a) {
			t.Run(a.String()+"="+name, func(t *testing.T) {
				sel, err := registry.Select(registry.WithOverride(a.String() + "=" + name))
				if err != nil {
					t.Fatal(err)
				}
				l := quarterround.New(sel)
				for i, n := range lengths() {
					oracle(t, l, i, n)
				}
			})
		}
	}
}

// An oracle checks the algorithm of a library at the i-th length, n.
type oracle func(t *testing.T, l *quarterround.Library, i, n int)

func oracleOf(t *testing.T, a registry.Algorithm) oracle {
	switch {
	case a.IsMAC():
		return macOracle()
	case a.IsAEAD():
		return aeadOracle(t, a)
	}
	return streamOracle(a)
}

func streamOracle(a registry.Algorithm) oracle {
	longest := slices.Max(lengths())
	src := twintest.Random(3, longest)
	want := make([]byte, (longest+63)&^63)
	copy(want, src)
	state := vectors.State(a.Cipher().String(), a.Rounds(), key, nonceOf(a), 0)
	if a.Cipher() == registry.Salsa {
		reference.XORSalsa(want, want, &state, a.Rounds())
	} else {
		reference.XORChaCha(want, want, &state, a.Rounds())
	}
	return func(t *testing.T, l *quarterround.Library, i, n int) {
		t.Helper()
		s, err := l.Stream(a, key, nonceOf(a))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, n)
		s.XORKeyStream(got, src[:n])
		if !bytes.Equal(got, want[:n]) {
			t.Fatalf("%d bytes: wrong", n)
		}
		// In two parts, in place, the second by way of kept keystream.
		if _, err := s.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		cut := (i * 29) % (n + 1)
		copy(got, src)
		s.XORKeyStream(got[:cut], got[:cut])
		s.XORKeyStream(got[cut:], got[cut:])
		if !bytes.Equal(got, want[:n]) {
			t.Fatalf("%d bytes, cut at %d: wrong", n, cut)
		}
	}
}

func macOracle() oracle {
	msg := twintest.Random(4, slices.Max(lengths()))
	var want [][16]byte
	for _, n := range lengths() {
		var tag [16]byte
		xpoly1305.Sum(&tag, msg[:n], (*[32]byte)(key))
		want = append(want, tag)
	}
	return func(t *testing.T, l *quarterround.Library, i, n int) {
		t.Helper()
		for _, cut := range []int{0, (i * 29) % (n + 1), n} {
			m, err := l.MAC(key)
			if err != nil {
				t.Fatal(err)
			}
			m.Write(msg[:cut])
			m.Write(msg[cut:n])
			if got := m.Sum(nil); !bytes.Equal(got, want[i][:]) || !m.Verify(want[i][:]) {
				t.Fatalf("%d bytes, cut at %d: %x, want %x", n, cut, got, want[i])
			}
		}
	}
}

func aeadOracle(t *testing.T, a registry.Algorithm) oracle {
	msg := twintest.Random(5, slices.Max(lengths()))
	additional := func(n int) []byte {
		if a == registry.XSalsa20Poly1305 {
			return nil
		}
		return msg[1:][:min(n, n%71)]
	}
	var want [][]byte
	for _, n := range lengths() {
		want = append(want, sealXCrypto(t, a, msg[:n], additional(n)))
	}
	return func(t *testing.T, l *quarterround.Library, i, n int) {
		t.Helper()
		c, err := l.AEAD(a, key)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Seal(nil, nonceOf(a), msg[:n], additional(n))
		if !bytes.Equal(got, want[i]) {
			t.Fatalf("%d bytes: Seal: wrong", n)
		}
		opened, err := c.Open(nil, nonceOf(a), got, additional(n))
		if err != nil || !bytes.Equal(opened, msg[:n]) {
			t.Fatalf("%d bytes: Open: %v, or wrong", n, err)
		}
		if a != registry.XSalsa20Poly1305 { // in place
			buf := append(make([]byte, 0, n+16), msg[:n]...)
			if sealed := c.Seal(buf[:0], nonceOf(a), buf, additional(n)); !bytes.Equal(sealed, want[i]) {
				t.Fatalf("%d bytes: Seal in place: wrong", n)
			}
			opened, err := c.Open(buf[:0], nonceOf(a), buf[:n+16], additional(n))
			if err != nil || !bytes.Equal(opened, msg[:n]) {
				t.Fatalf("%d bytes: Open in place: %v, or wrong", n, err)
			}
		}
		got[(i*31)%len(got)] ^= 1 << (i % 8)
		if opened, err := c.Open(nil, nonceOf(a), got, additional(n)); err == nil || opened != nil {
			t.Fatalf("%d bytes: opened although byte %d is wrong", n, (i*31)%len(got))
		}
	}
}

func sealXCrypto(t *testing.T, a registry.Algorithm, msg, additional []byte) []byte {
	t.Helper()
	var c stdcipher.AEAD
	var err error
	switch a {
	case registry.XSalsa20Poly1305:
		return xsecretbox.Seal(nil, msg, (*[24]byte)(nonce), (*[32]byte)(key))
	case registry.XChaCha20Poly1305:
		c, err = xaead.NewX(key)
	default:
		c, err = xaead.New(key)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.Seal(nil, nonceOf(a), msg, additional)
}

// TestFloatRegisters keeps 16 floating-point values live across calls of every
// kernel, which uses the same registers.
func TestFloatRegisters(t *testing.T) {
	want := floats(func() {})
	msg := make([]byte, 1100)
	for _, a := range []registry.Algorithm{registry.ChaCha20Poly1305, registry.XSalsa20Poly1305} {
		for _, name := range forces(t, a) {
			sel, err := registry.Select(registry.WithOverride(a.String() + "=" + name))
			if err != nil {
				t.Fatal(err)
			}
			c, err := quarterround.New(sel).AEAD(a, key)
			if err != nil {
				t.Fatal(err)
			}
			buf := make([]byte, 0, len(msg)+16)
			if got := floats(func() { c.Seal(buf, nonceOf(a), msg, nil) }); got != want {
				t.Errorf("%v=%s: %v, want %v", a, name, got, want)
			}
		}
	}
}

// floats computes with 16 variables and calls f in between.
func floats(f func()) [16]float64 {
	a, b, c, d, e, g, h, i := 1.1, 2.2, 3.3, 4.4, 5.5, 6.6, 7.7, 8.8
	j, k, l, m, n, o, p, q := 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5
	for range 20 {
		f()
		a, b, c, d, e, g, h, i = a*0.5+q, b*0.5+a, c*0.5+b, d*0.5+c, e*0.5+d, g*0.5+e, h*0.5+g, i*0.5+h
		f()
		j, k, l, m, n, o, p, q = j*0.5+i, k*0.5+j, l*0.5+k, m*0.5+l, n*0.5+m, o*0.5+n, p*0.5+o, q*0.5+p
	}
	return [16]float64{a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q}
}
