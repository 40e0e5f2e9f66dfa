package kerneltest

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// maxBlocks is the number of blocks up to which every length is tried.
const maxBlocks = 70

// prime is 2^130-5.
var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))

// The clamped multipliers with all bits set, and with one.
var (
	zeroR = [2]uint64{}
	oneR  = [2]uint64{1, 0}
	maxR  = [2]uint64{0x0ffffffc0fffffff, 0x0ffffffc0ffffffc}
	topR  = [2]uint64{0, 0x0800000000000000}
)

// Accumulators at the ends of what a kernel must accept.
var accumulators = [][3]uint64{
	{},
	{1},
	{^uint64(0), ^uint64(0), 7},      // 2^131-1
	{^uint64(5) + 1, ^uint64(0), 3},  // 2^130-5
	{^uint64(5), ^uint64(0), 3},      // 2^130-6
	{^uint64(0), ^uint64(0), 3},      // 2^130-1
	{^uint64(10) + 1, ^uint64(0), 7}, // 2^131-10
	{0, 0, 4},                        // 2^130
	{^uint64(0), ^uint64(0), 0},      // 2^128-1
	{0x5555555555555555, 1 << 63, 5},
	{0, ^uint64(0), 7},
	{0xfffffffffff, 0xfffffff << 24, 4},
	{0xfffff << 44, 0xffffffff, 6},
	{0x3ffffff, 0x3ffffff<<14 | 1<<63, 7},
}

// MAC checks a MAC kernel.
func MAC(t *testing.T, k *registry.Kernel) {
	t.Run("vectors", func(t *testing.T) { macVectors(t, k) })
	t.Run("lengths", func(t *testing.T) { macLengths(t, k) })
	t.Run("extremes", func(t *testing.T) { macExtremes(t, k) })
	t.Run("random", func(t *testing.T) { macRandom(t, k) })
	t.Run("splits", func(t *testing.T) { macSplits(t, k) })
	t.Run("allocations", func(t *testing.T) { macAllocations(t, k) })
}

// absorb runs the kernel on a copy of the state.
func absorb(k *registry.Kernel, state registry.MACState, msg []byte) registry.MACState {
	var powers registry.Powers
	for i := range powers.Words {
		powers.Words[i] = 0xdeadbeefdeadbeef
	}
	if k.Setup != nil {
		k.Setup(&powers, &state.R)
		k.Absorb(&state, &powers, msg)
	} else {
		k.Absorb(&state, nil, msg)
	}
	return state
}

// checkMAC compares the kernel with math/big.
func checkMAC(t *testing.T, k *registry.Kernel, state registry.MACState, msg []byte) {
	t.Helper()
	got := absorb(k, state, msg)
	if got.R != state.R || got.S != state.S {
		t.Fatalf("%s, %d blocks: the kernel changed R or S", k.Name, len(msg)/16)
	}
	if got.H[2] > 7 {
		t.Fatalf("%s, %d blocks: H[2] = %d is above 7", k.Name, len(msg)/16, got.H[2])
	}
	want := absorbBig(state, msg)
	if value(got.H[:]).Mod(value(got.H[:]), prime).Cmp(want) != 0 {
		t.Fatalf("%s, %d blocks, H = %x, R = %x: got %x, want %x", k.Name, len(msg)/16, state.H, state.R,
			new(big.Int).Mod(value(got.H[:]), prime), want)
	}
}

// absorbBig is RFC 8439 section 2.5.1 in math/big.
func absorbBig(state registry.MACState, msg []byte) *big.Int {
	h, r := value(state.H[:]), value(state.R[:])
	for ; len(msg) > 0; msg = msg[16:] {
		block := make([]byte, 17)
		block[0] = 1
		for i := range 16 {
			block[16-i] = msg[i]
		}
		h.Add(h, new(big.Int).SetBytes(block))
		h.Mul(h, r)
		h.Mod(h, prime)
	}
	return h.Mod(h, prime)
}

// value returns the number with the given 64-bit limbs, least significant
// first.
func value(limbs []uint64) *big.Int {
	v := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		v.Lsh(v, 64)
		v.Or(v, new(big.Int).SetUint64(limbs[i]))
	}
	return v
}

func randomState(rng *rand.Rand) registry.MACState {
	return registry.MACState{
		H: [3]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64() & 7},
		R: [2]uint64{rng.Uint64() & maxR[0], rng.Uint64() & maxR[1]},
		S: [2]uint64{rng.Uint64(), rng.Uint64()},
	}
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// macLengths tries every length, at every alignment, between bytes that must
// not matter.
func macLengths(t *testing.T, k *registry.Kernel) {
	rng := rand.New(rand.NewPCG(1, 2))
	for blocks := 1; blocks <= maxBlocks; blocks++ {
		offset := blocks % 64
		buf := randomBytes(rng, offset+16*blocks+64)
		checkMAC(t, k, randomState(rng), buf[offset:offset+16*blocks:offset+16*blocks])
	}
	for _, blocks := range []int{127, 128, 129, 255, 256, 1000, 1024, 4096 + 13} {
		checkMAC(t, k, randomState(rng), randomBytes(rng, 16*blocks))
	}
}

// macExtremes makes every limb as large, and as small, as it gets.
func macExtremes(t *testing.T, k *registry.Kernel) {
	messages := [][]byte{
		bytes.Repeat([]byte{0xff}, 16*maxBlocks),
		make([]byte, 16*maxBlocks),
		bytes.Repeat([]byte{0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, maxBlocks),
	}
	for _, r := range [][2]uint64{zeroR, oneR, maxR, topR} {
		for _, h := range accumulators {
			for _, msg := range messages {
				for _, blocks := range []int{1, 2, 3, 7, 8, 9, 16, 33, maxBlocks} {
					checkMAC(t, k, registry.MACState{H: h, R: r}, msg[:16*blocks])
				}
			}
		}
	}
	msg := bytes.Repeat([]byte{0xff}, 16*2000)
	checkMAC(t, k, registry.MACState{H: accumulators[2], R: maxR}, msg)
}

// macRandom mixes random bytes with runs of ones and zeros.
func macRandom(t *testing.T, k *registry.Kernel) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		msg := randomBytes(rng, 16*(1+rng.IntN(maxBlocks)))
		for i := 0; i < len(msg); i += 1 + rng.IntN(40) {
			switch rng.IntN(3) {
			case 0:
				msg[i] = 0xff
			case 1:
				copy(msg[i:], bytes.Repeat([]byte{0xff}, 24))
			default:
				copy(msg[i:], make([]byte, 24))
			}
		}
		state := randomState(rng)
		if rng.IntN(2) == 0 {
			state.H = accumulators[rng.IntN(len(accumulators))]
		}
		if rng.IntN(4) == 0 {
			state.R = maxR
		}
		checkMAC(t, k, state, msg)
	}
}

// macSplits absorbs a message in two pieces, which must equal the reference on
// the whole.
func macSplits(t *testing.T, k *registry.Kernel) {
	rng := rand.New(rand.NewPCG(5, 6))
	msg := randomBytes(rng, 16*maxBlocks)
	state := randomState(rng)
	want := state
	reference.Poly1305(&want.H, &want.R, msg)
	wantH := value(want.H[:])
	wantH.Mod(wantH, prime)
	for i := 16; i < len(msg); i += 16 {
		got := absorb(k, absorb(k, state, msg[:i]), msg[i:])
		if gotH := value(got.H[:]); gotH.Mod(gotH, prime).Cmp(wantH) != 0 {
			t.Fatalf("%s: split after %d blocks: got %x, want %x", k.Name, i/16, gotH, wantH)
		}
	}
}

func macAllocations(t *testing.T, k *registry.Kernel) {
	state := registry.MACState{R: maxR}
	powers := new(registry.Powers)
	msg := make([]byte, 16*maxBlocks)
	allocations := testing.AllocsPerRun(10, func() {
		if k.Setup != nil {
			k.Setup(powers, &state.R)
		}
		k.Absorb(&state, powers, msg)
	})
	if allocations != 0 {
		t.Errorf("%s allocates %v times", k.Name, allocations)
	}
}

// macVectors checks tags of RFC 8439 whose messages are whole blocks, and those
// where the last block is completed by hand.
func macVectors(t *testing.T, k *registry.Kernel) {
	for _, v := range []struct{ name, key, msg, tag string }{
		{
			"A.3 #1",
			"0000000000000000000000000000000000000000000000000000000000000000",
			"00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
			"00000000000000000000000000000000",
		},
		{
			"A.3 #7",
			"0200000000000000000000000000000000000000000000000000000000000000",
			"ffffffffffffffffffffffffffffffff",
			"03000000000000000000000000000000",
		},
		{
			"A.3 #8",
			"02000000000000000000000000000000ffffffffffffffffffffffffffffffff",
			"02000000000000000000000000000000",
			"03000000000000000000000000000000",
		},
		{
			"A.3 #9",
			"0100000000000000000000000000000000000000000000000000000000000000",
			"fffffffffffffffffffffffffffffffff0ffffffffffffffffffffffffffffff11000000000000000000000000000000",
			"05000000000000000000000000000000",
		},
		{
			"A.3 #10",
			"0100000000000000000000000000000000000000000000000000000000000000",
			"fffffffffffffffffffffffffffffffffbfefefefefefefefefefefefefefefe01010101010101010101010101010101",
			"00000000000000000000000000000000",
		},
		{
			"A.3 #11",
			"0200000000000000000000000000000000000000000000000000000000000000",
			"fdffffffffffffffffffffffffffffff",
			"faffffffffffffffffffffffffffffff",
		},
		{
			"A.3 #12",
			"0100000000000000040000000000000000000000000000000000000000000000",
			"e33594d7505e43b900000000000000003394d7505e4379cd01000000000000000000000000000000000000000000000001000000000000000000000000000000",
			"14000000000000005500000000000000",
		},
		{
			"A.3 #13",
			"0100000000000000040000000000000000000000000000000000000000000000",
			"e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000",
			"13000000000000000000000000000000",
		},
		{
			"2.8.2, the data under the one-time key",
			"7bac2b252db447af09b67a55a4e955840ae1d6731075d9eb2a9375783ed553ff",
			"50515253c0c1c2c3c4c5c6c700000000d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6" +
				"3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58" +
				"fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61160000000000000000000000000000" +
				"0c000000000000007200000000000000",
			"1ae10b594f09e26a7e902ecbd0600691",
		},
	} {
		if got := hex.EncodeToString(tag(k, unhex(t, v.key), unhex(t, v.msg))); got != v.tag {
			t.Errorf("%s, RFC 8439 %s: tag %s, want %s", k.Name, v.name, got, v.tag)
		}
	}
}

// tag returns the Poly1305 tag of whole blocks.
func tag(k *registry.Kernel, key, msg []byte) []byte {
	var state registry.MACState
	for i := range 16 {
		state.R[i/8] |= uint64(key[i]) << (i % 8 * 8)
		state.S[i/8] |= uint64(key[16+i]) << (i % 8 * 8)
	}
	state.R[0] &= maxR[0]
	state.R[1] &= maxR[1]
	got := absorb(k, state, msg)
	sum := value(got.H[:])
	sum.Mod(sum, prime)
	sum.Add(sum, value(state.S[:]))
	sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 128))
	out := make([]byte, 16)
	sum.FillBytes(out)
	for i := range 8 {
		out[i], out[15-i] = out[15-i], out[i]
	}
	return out
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
