package reference_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	//lint:ignore SA1019 an independent oracle and the other side of benchmarks
	"golang.org/x/crypto/poly1305"

	"github.com/quarterround/quarterround/internal/polytest"
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// tag returns the Poly1305 tag of msg: the whole blocks by the reference
// routine, the last partial one and the end in math/big.
func tag(key *[32]byte, msg []byte) []byte {
	little := func(b []byte) *big.Int {
		b = slices.Clone(b)
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	word := func(i int) uint64 { return little(key[8*i : 8*i+8]).Uint64() }
	r := polytest.Clamp([2]uint64{word(0), word(1)})
	var h [3]uint64
	whole := len(msg) / 16 * 16
	reference.Poly1305(&h, &r, msg[:whole])
	x := polytest.Int(h[:]...)
	if rest := msg[whole:]; len(rest) > 0 {
		x.Add(x, little(append(slices.Clone(rest), 1)))
		x.Mul(x, polytest.Int(r[:]...))
	}
	prime := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))
	x.Mod(x, prime).Add(x, little(key[16:]))
	out := x.Mod(x, new(big.Int).Lsh(big.NewInt(1), 128)).FillBytes(make([]byte, 16))
	slices.Reverse(out)
	return out
}

func TestPoly1305Vectors(t *testing.T) {
	const (
		zero16 = "00000000000000000000000000000000"
		ones16 = "ffffffffffffffffffffffffffffffff"
		ietf   = "Any submission to the IETF intended by the Contributor for publication as all or part of an IETF Internet-Draft or RFC and any statement made within the context of an IETF activity is considered an \"IETF Contribution\". Such statements include oral statements in IETF sessions, as well as written and electronic communications made at any time or place, which are addressed to"
		twas   = "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\nAll mimsy were the borogoves,\nAnd the mome raths outgrabe."
	)
	for _, v := range []struct{ name, r, s, msg, want string }{
		{"2.5.2", "85d6be7857556d337f4452fe42d506a8", "0103808afb0db2fd4abff6af4149f51b",
			hex.EncodeToString([]byte("Cryptographic Forum Research Group")), "a8061dc1305136c6c22b8baf0c0127a9"},
		{"A.3 1", zero16, zero16, strings.Repeat(zero16, 4), zero16},
		{"A.3 2", zero16, "36e5f6b5c5e06070f0efca96227a863e", hex.EncodeToString([]byte(ietf)), "36e5f6b5c5e06070f0efca96227a863e"},
		{"A.3 3", "36e5f6b5c5e06070f0efca96227a863e", zero16, hex.EncodeToString([]byte(ietf)), "f3477e7cd95417af89a6b8794c310cf0"},
		{"A.3 4", "1c9240a5eb55d38af333888604f6b5f0", "473917c1402b80099dca5cbc207075c0", hex.EncodeToString([]byte(twas)), "4541669a7eaaee61e708dc7cbcc5eb62"},
		{"A.3 5", "02" + zero16[2:], zero16, ones16, "03" + zero16[2:]},
		{"A.3 6", "02" + zero16[2:], ones16, "02" + zero16[2:], "03" + zero16[2:]},
		{"A.3 7", "01" + zero16[2:], zero16, ones16 + "f0" + ones16[2:] + "11" + zero16[2:], "05" + zero16[2:]},
		{"A.3 8", "01" + zero16[2:], zero16, ones16 + "fb" + strings.Repeat("fe", 15) + strings.Repeat("01", 16), zero16},
		{"A.3 9", "02" + zero16[2:], zero16, "fd" + ones16[2:], "fa" + ones16[2:]},
		{"A.3 10", "01000000000000000400000000000000", zero16,
			"e33594d7505e43b90000000000000000" + "3394d7505e4379cd0100000000000000" + zero16 + "01000000000000000000000000000000",
			"14000000000000005500000000000000"},
		{"A.3 11", "01000000000000000400000000000000", zero16,
			"e33594d7505e43b90000000000000000" + "3394d7505e4379cd0100000000000000" + zero16,
			"13000000000000000000000000000000"},
	} {
		key, err := hex.DecodeString(v.r + v.s)
		if err != nil {
			t.Fatal(err)
		}
		msg, err := hex.DecodeString(v.msg)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(tag((*[32]byte)(key), msg)); got != v.want {
			t.Errorf("RFC 8439 %s: got %s, want %s", v.name, got, v.want)
		}
	}
}

func TestPoly1305AgainstXCrypto(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for n := range 300 {
		var key [32]byte
		for i := range key {
			key[i] = byte(random.Uint32())
		}
		msg := make([]byte, n)
		for i := range msg {
			msg[i] = byte(random.Uint32())
		}
		var want [16]byte
		poly1305.Sum(&want, msg, &key)
		if got := tag(&key, msg); !bytes.Equal(got, want[:]) {
			t.Fatalf("%d bytes: got %x, want %x", n, got, want)
		}
	}
}

func TestPoly1305AgainstBig(t *testing.T) {
	k := registry.Kernel{
		Name: "reference", Kind: registry.KindMAC, Blocks: 1,
		Absorb: func(s *registry.MACState, _ *registry.Powers, msg []byte) { reference.Poly1305(&s.H, &s.R, msg) },
	}
	polytest.Check(t, &k)
	polytest.CheckAllocations(t, &k)
}
