package reference

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20"
	//lint:ignore SA1019 an independent oracle and the other side of benchmarks
	"golang.org/x/crypto/salsa20/salsa"
)

// unhex decodes a hexadecimal constant; spaces and line ends are ignored.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// words reads little-endian words.
func words(b []byte) []uint32 {
	w := make([]uint32, len(b)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

// chachaState is the matrix of RFC 8439 section 2.3 for a 32-byte or 16-byte
// key, the latter as in the original ChaCha. in is the 16 bytes after the key.
func chachaState(key, in []byte) *[16]uint32 {
	var s [16]uint32
	constants, second := "expand 32-byte k", key[len(key)/2:]
	if len(key) == 16 {
		constants, second = "expand 16-byte k", key
	}
	copy(s[0:], words([]byte(constants)))
	copy(s[4:], words(key[:16]))
	copy(s[8:], words(second[:16]))
	copy(s[12:], words(in))
	return &s
}

// salsaState is the Salsa20 matrix for the 16 bytes nonce and counter.
func salsaState(key, in []byte) *[16]uint32 {
	c := chachaState(key, in)
	return &[16]uint32{
		c[0], c[4], c[5], c[6],
		c[7], c[1], c[12], c[13],
		c[14], c[15], c[2], c[8],
		c[9], c[10], c[11], c[3],
	}
}

// keystream returns n bytes of keystream, of whole blocks cut to length.
func keystream(xor func(dst, src []byte, state *[16]uint32, rounds int), state *[16]uint32, rounds, n int) []byte {
	b := make([]byte, (n+63)/64*64)
	xor(b, b, state, rounds)
	return b[:n]
}

// quarterIndex applies the quarter round of a cipher to four words of x.
type quarterIndex func(x *[16]uint32, a, b, c, d int)

// chachaQuarter is RFC 8439 section 2.1, written as there.
func chachaQuarter(x *[16]uint32, a, b, c, d int) {
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 16)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 12)
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 8)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 7)
}

// salsaQuarter is the Salsa20 specification, section 3.
func salsaQuarter(x *[16]uint32, a, b, c, d int) {
	x[b] ^= bits.RotateLeft32(x[a]+x[d], 7)
	x[c] ^= bits.RotateLeft32(x[b]+x[a], 9)
	x[d] ^= bits.RotateLeft32(x[c]+x[b], 13)
	x[a] ^= bits.RotateLeft32(x[d]+x[c], 18)
}

var (
	chachaOrder = [8][4]int{
		{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
		{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
	}
	salsaOrder = [8][4]int{
		{0, 4, 8, 12}, {5, 9, 13, 1}, {10, 14, 2, 6}, {15, 3, 7, 11},
		{0, 1, 2, 3}, {5, 6, 7, 4}, {10, 11, 8, 9}, {15, 12, 13, 14},
	}
)

// permute is the specification's rounds in array form, without the final
// addition.
func permute(state *[16]uint32, quarter quarterIndex, order *[8][4]int, rounds int) [16]uint32 {
	x := *state
	for range rounds / 2 {
		for _, q := range order {
			quarter(&x, q[0], q[1], q[2], q[3])
		}
	}
	return x
}

func TestChaChaQuarterRound(t *testing.T) {
	// RFC 8439 sections 2.1.1 and 2.2.1.
	x := [16]uint32{0x11111111, 0x01020304, 0x9b8d6f43, 0x01234567}
	chachaQuarter(&x, 0, 1, 2, 3)
	if want := [16]uint32{0xea2a92f4, 0xcb1cf8ce, 0x4581472e, 0x5881c4bb}; x != want {
		t.Errorf("got %08x, want %08x", x, want)
	}
	x = [16]uint32{
		0x879531e0, 0xc5ecf37d, 0x516461b1, 0xc9a62f8a, 0x44c20ef3, 0x3390af7f, 0xd9fc690b, 0x2a5f714c,
		0x53372767, 0xb00a5631, 0x974c541a, 0x359e9963, 0x5c971061, 0x3d631689, 0x2098d9d6, 0x91dbd320,
	}
	want := x
	want[2], want[7], want[8], want[13] = 0xbdb886dc, 0xcfacafd2, 0xe46bea80, 0xccc07c79
	chachaQuarter(&x, 2, 7, 8, 13)
	if x != want {
		t.Errorf("got %08x, want %08x", x, want)
	}
}

const (
	zeroKey     = "0000000000000000000000000000000000000000000000000000000000000000"
	countingKey = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	lastOneKey  = "0000000000000000000000000000000000000000000000000000000000000001"
	twasKey     = "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"
	ietfText    = "Any submission to the IETF intended by the Contributor for publication as all or part of an IETF Internet-Draft or RFC and any statement made within the context of an IETF activity is considered an \"IETF Contribution\". Such statements include oral statements in IETF sessions, as well as written and electronic communications made at any time or place, which are addressed to"
	twasText    = "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\nAll mimsy were the borogoves,\nAnd the mome raths outgrabe."
	sunscreen   = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
)

func TestChaChaVectors(t *testing.T) {
	for _, v := range []struct {
		name, key, in string // in: counter, then nonce
		rounds        int
		text, want    string // no text: keystream
	}{
		{"RFC 8439 2.3.2", countingKey, "01000000 000000090000004a00000000", 20, "",
			"10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"},
		{"RFC 8439 2.4.2", countingKey, "01000000 000000000000004a00000000", 20, sunscreen,
			`6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8
			07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42874d`},
		{"RFC 8439 A.1 1", zeroKey, "00000000 000000000000000000000000", 20, "",
			"76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
		{"RFC 8439 A.1 2", zeroKey, "01000000 000000000000000000000000", 20, "",
			"9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
		{"RFC 8439 A.1 3", lastOneKey, "01000000 000000000000000000000000", 20, "",
			"3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"},
		{"RFC 8439 A.1 4", "00ff" + zeroKey[4:], "02000000 000000000000000000000000", 20, "",
			"72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"},
		{"RFC 8439 A.1 5", zeroKey, "00000000 000000000000000000000002", 20, "",
			"c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c78a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"},
		{"RFC 8439 A.2 2", lastOneKey, "01000000 000000000000000000000002", 20, ietfText,
			`a3fbf07df3fa2fde4f376ca23e82737041605d9f4f4f57bd8cff2c1d4b7955ec2a97948bd3722915c8f3d337f7d370050e9e96d647b7c39f56e031ca5eb6250d
			4042e02785ececfa4b4bb5e8ead0440e20b6e8db09d881a7c6132f420e52795042bdfa7773d8a9051447b3291ce1411c680465552aa6c405b7764d5e87bea85a
			d00f8449ed8f72d0d662ab052691ca66424bc86d2df80ea41f43abf937d3259dc4b2d0dfb48a6c9139ddd7f76966e928e635553ba76c5c879d7b35d49eb2e62b
			0871cdac638939e25e8a1e0ef9d5280fa8ca328b351c3c765989cbcf3daa8b6ccc3aaf9f3979c92b3720fc88dc95ed84a1be059c6499b9fda236e7e818b04b0b
			c39c1e876b193bfe5569753f88128cc08aaa9b63d1a16f80ef2554d7189c411f5869ca52c5b83fa36ff216b9c1d30062bebcfd2dc5bce0911934fda79a86f6e6
			98ced759c3ff9b6477338f3da4f9cd8514ea9982ccafb341b2384dd902f3d1ab7ac61dd29c6f21ba5b862f3730e37cfdc4fd806c22f221`},
		{"RFC 8439 A.2 3", twasKey, "2a000000 000000000000000000000002", 20, twasText,
			`62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf166d3df2d721caf9b21e5fb14c616871fd84c54f9d65b283196c7fe4f60553eb
			f39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f7704c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1`},
		{"draft-strombergson-chacha-test-vectors-01 TC1, 8 rounds", zeroKey, "0000000000000000 0000000000000000", 8, "",
			"3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"},
		{"draft-strombergson-chacha-test-vectors-01 TC1, 12 rounds", zeroKey, "0000000000000000 0000000000000000", 12, "",
			"9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be"},
		{"draft-strombergson-chacha-test-vectors-01 TC2, 8 rounds", "01" + zeroKey[2:], "0000000000000000 0000000000000000", 8, "",
			"cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8"},
		{"draft-strombergson-chacha-test-vectors-01 TC2, 12 rounds", "01" + zeroKey[2:], "0000000000000000 0000000000000000", 12, "",
			"12056e595d56b0f6eef090f0cd25a20949248c2790525d0f930218ff0b4ddd10a6002239d9a454e29e107a7d06fefdfef0210feba044f9f29b1772c960dc29c0"},
	} {
		want := unhex(t, v.want)
		got := keystream(XORChaCha, chachaState(unhex(t, v.key), unhex(t, v.in)), v.rounds, len(want))
		for i := range v.text {
			got[i] ^= v.text[i]
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, want %x", v.name, got, want)
		}
	}
}

func TestHChaChaVector(t *testing.T) {
	// draft-irtf-cfrg-xchacha-03 section 2.2.1.
	got := HChaCha(chachaState(unhex(t, countingKey), unhex(t, "000000090000004a0000000031415927")), 20)
	want := words(unhex(t, "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"))
	if got != [8]uint32(want) {
		t.Errorf("got %08x, want %08x", got, want)
	}
}

func TestSalsaVectors(t *testing.T) {
	// Verified test vectors of eSTREAM for Salsa20/20, /12 and /8, Set 1 vector
	// 0 with 128-bit and 256-bit keys.
	for _, v := range []struct {
		key            string
		rounds, offset int
		want           string
	}{
		{"80" + zeroKey[2:32], 20, 0, "4DFA5E481DA23EA09A31022050859936DA52FCEE218005164F267CB65F5CFD7F2B4F97E0FF16924A52DF269515110A07F9E460BC65EF95DA58F740B7D1DBB0AA"},
		{"80" + zeroKey[2:], 20, 0, "E3BE8FDD8BECA2E3EA8EF9475B29A6E7003951E1097A5C38D23B7A5FAD9F6844B22C97559E2723C7CBBD3FE4FC8D9A0744652A83E72A9C461876AF4D7EF1A117"},
		{"80" + zeroKey[2:32], 12, 0, "FC207DBFC76C5E1774961E7A5AAD09069B2225AC1CE0FE7A0CE77003E7E5BDF8B31AF821000813E6C56B8C1771D6EE7039B2FBD0A68E8AD70A3944B677937897"},
		{"80" + zeroKey[2:32], 12, 192, "4B62A4881FA1AF9560586510D5527ED48A51ECAFA4DECEEBBDDC10E9918D44AB26B10C0A31ED242F146C72940C6E9C3753F641DA84E9F68B4F9E76B6C48CA5AC"},
		{"80" + zeroKey[2:], 12, 0, "AFE411ED1C4E07E4D0CDE3B33E31EC190FA4CC796A58BAFB848EAD8D07D02CD2D4B6F9F30CB0B57007E3733895CC8D1060107975ACAEEB689B6CF614AB64A3D6"},
		{"80" + zeroKey[2:32], 8, 0, "A9C9F888AB552A2D1BBFF9F36BEBEB337A8B4B107C75B63BAE26CB9A235BBA9D784F38BEFC3ADF4CD3E266687EA7B9F09BA650AE81EAC6063AE31FF12218DDC5"},
		{"80" + zeroKey[2:32], 8, 256, "4436CDC0BE39559F5E5A6B79FBDB2CAE4782910F27FFC2391E05CFC78D601AD8CD7D87B074169361D997D1BED9729C0DEB23418E0646B7997C06AA84E7640CE3"},
	} {
		key, want := unhex(t, v.key), unhex(t, v.want)
		got := keystream(XORSalsa, salsaState(key, make([]byte, 16)), v.rounds, v.offset+64)[v.offset:]
		if !bytes.Equal(got, want) {
			t.Errorf("Salsa20/%d, %d-bit key, offset %d: got %X, want %X", v.rounds, 8*len(key), v.offset, got, want)
		}
	}
}

func TestHSalsaVectors(t *testing.T) {
	// D. J. Bernstein, "Cryptography in NaCl", 2009, sections 5 and 8: the
	// shared secret gives the first key, that and a nonce prefix the second.
	const first = "1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389"
	for _, v := range []struct{ key, in, want string }{
		{"4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742", zeroKey[:32], first},
		{first, "69696ee955b62b73cd62bda875fc73d6", "dc908dda0b9344a953629b733820778880f3ceb421bb61b91cbd4c3e66256ce4"},
	} {
		got := HSalsa(salsaState(unhex(t, v.key), unhex(t, v.in)), 20)
		if want := words(unhex(t, v.want)); got != [8]uint32(want) {
			t.Errorf("got %08x, want %08x", got, want)
		}
	}
}

// specStream is the specification in array form over a whole message.
func specStream(src []byte, state *[16]uint32, quarter quarterIndex, order *[8][4]int, counterWord, rounds int) []byte {
	dst := make([]byte, len(src))
	s := *state
	for o := 0; o < len(src); o += 64 {
		x := permute(&s, quarter, order, rounds)
		for i := range 16 {
			binary.LittleEndian.PutUint32(dst[o+4*i:], binary.LittleEndian.Uint32(src[o+4*i:])^(x[i]+s[i]))
		}
		if s[counterWord]++; s[counterWord] == 0 {
			s[counterWord+1]++
		}
	}
	return dst
}

func TestStreamsAgainstSpecification(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name        string
		xor         func(dst, src []byte, state *[16]uint32, rounds int)
		quarter     quarterIndex
		order       *[8][4]int
		counterWord int
	}{
		{"chacha", XORChaCha, chachaQuarter, &chachaOrder, 12},
		{"salsa", XORSalsa, salsaQuarter, &salsaOrder, 8},
	} {
		for _, rounds := range []int{8, 12, 20} {
			for blocks := 1; blocks <= 9; blocks++ {
				for _, counter := range []uint64{0, random.Uint64(), 1<<32 - 3, 1<<64 - 4} {
					var state [16]uint32
					for i := range state {
						state[i] = random.Uint32()
					}
					state[c.counterWord], state[c.counterWord+1] = uint32(counter), uint32(counter>>32)
					src := randomBytes(random, 64*blocks)
					want := specStream(src, &state, c.quarter, c.order, c.counterWord, rounds)
					name := fmt.Sprintf("%s, %d rounds, %d blocks, counter %#x", c.name, rounds, blocks, counter)

					before := state
					got := make([]byte, len(src))
					c.xor(got, src, &state, rounds)
					if !bytes.Equal(got, want) {
						t.Fatalf("%s: differs", name)
					}
					if state != before {
						t.Fatalf("%s: the state was changed", name)
					}
					c.xor(src, src, &state, rounds)
					if !bytes.Equal(src, want) {
						t.Fatalf("%s: differs in place", name)
					}
				}
			}
		}
	}
}

func TestDerivationsAgainstSpecification(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var s [16]uint32
		for i := range s {
			s[i] = random.Uint32()
		}
		for _, rounds := range []int{8, 12, 20} {
			x := permute(&s, chachaQuarter, &chachaOrder, rounds)
			if got, want := HChaCha(&s, rounds), [8]uint32{x[0], x[1], x[2], x[3], x[12], x[13], x[14], x[15]}; got != want {
				t.Fatalf("HChaCha, %d rounds: got %08x, want %08x", rounds, got, want)
			}
			x = permute(&s, salsaQuarter, &salsaOrder, rounds)
			if got, want := HSalsa(&s, rounds), [8]uint32{x[0], x[5], x[10], x[15], x[6], x[7], x[8], x[9]}; got != want {
				t.Fatalf("HSalsa, %d rounds: got %08x, want %08x", rounds, got, want)
			}
		}
	}
}

func TestStreamsAgainstXCrypto(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for blocks := 1; blocks <= 40; blocks++ {
		key, nonce, src := randomBytes(random, 32), randomBytes(random, 12), randomBytes(random, 64*blocks)
		counter := random.Uint32N(1 << 31)
		want, got := make([]byte, len(src)), make([]byte, len(src))
		c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
		if err != nil {
			t.Fatal(err)
		}
		c.SetCounter(counter)
		c.XORKeyStream(want, src)
		XORChaCha(got, src, chachaState(key, append(binary.LittleEndian.AppendUint32(nil, counter), nonce...)), 20)
		if !bytes.Equal(got, want) {
			t.Fatalf("ChaCha20, %d blocks: differs", blocks)
		}

		in := randomBytes(random, 16)
		for i := 9; i < 16; i++ {
			in[i] = 0xff // the carry runs through to the last byte and beyond
		}
		state := salsaState(key, in)
		salsa.XORKeyStream(want, src, (*[16]byte)(bytes.Clone(in)), (*[32]byte)(key))
		XORSalsa(got, src, state, 20)
		if !bytes.Equal(got, want) {
			t.Fatalf("Salsa20, %d blocks: differs", blocks)
		}
	}
}

func TestStreamsDoNotAllocate(t *testing.T) {
	allocs := testing.AllocsPerRun(10, func() {
		var state [16]uint32
		var b [128]byte
		XORChaCha(b[:], b[:], &state, 20)
		XORSalsa(b[:], b[:], &state, 20)
		state[0] += HChaCha(&state, 20)[0] + HSalsa(&state, 20)[0]
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// randomBytes returns n random bytes.
func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}
