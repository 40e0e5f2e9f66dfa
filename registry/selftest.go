package registry

import (
	"bytes"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/quarterround/quarterround/internal/reference"
)

// selfTestBudget is how many bytes of input one kernel gets in the self-test
// that gates its use. It bounds work, not time. It leaves no room for every
// length: registrytest has that.
const selfTestBudget = 16 << 10

// A selfTester runs self-tests. The reference results around the counter wrap
// are computed once for all kernels of a cipher.
type selfTester struct {
	streams map[streamKey]*wrapStream
	// input is a pattern at an odd address, and want and out are room for what is
	// to come out and what does; all as long as two steps of the widest kernel.
	input, want, out []byte
	// tested are the kernels with powers that passed.
	tested []*Kernel
}

type streamKey struct {
	cipher Cipher
	rounds int
}

// wrapStream is a stretch of reference keystream in which the low counter word
// wraps after wrapBefore blocks.
type wrapStream struct {
	state     [16]uint32
	keystream []byte
}

const (
	wrapBefore = maxStreamBlocks
	wrapAfter  = 2 * maxStreamBlocks
)

// run tests k and returns an empty outcome, or what is wrong and where.
func (t *selfTester) run(k *Kernel) (outcome Outcome) {
	defer func() {
		if r := recover(); r != nil {
			outcome = Outcome{Crashed, fmt.Sprintf("panic in the self-test: %v", r)}
		}
	}()
	err := t.test(k)
	if err == nil {
		err = t.powersOfOthers(k)
	}
	if err != nil {
		return Outcome{SelfTestFailed, err.Error()}
	}
	return Outcome{}
}

func (t *selfTester) test(k *Kernel) error {
	switch k.Kind {
	case KindStream:
		return t.stream(k)
	case KindMAC:
		return testMAC(k)
	}
	return t.fused(k)
}

// powersOfOthers tests k and the kernels tested before with the Setup of each other,
// where they share a layout of powers and yet do not compute them by the same function:
// a plan computes them once for all of its kernels.
func (t *selfTester) powersOfOthers(k *Kernel) error {
	if k.Powers == "" {
		return nil
	}
	for _, other := range t.tested {
		if other.Powers != k.Powers || same(other.Setup, k.Setup) {
			continue
		}
		with, without := *k, *other
		with.Setup, without.Setup = other.Setup, k.Setup
		for _, mixed := range []*Kernel{&with, &without} {
			if err := t.test(mixed); err != nil {
				return fmt.Errorf("beside %s, which has powers of the same layout: %w", other.Name, err)
			}
		}
	}
	t.tested = append(t.tested, k)
	return nil
}

// same reports whether f and g are one function or closure.
func same(f, g SetupFunc) bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(&f)) == *(*unsafe.Pointer)(unsafe.Pointer(&g))
}

// wrap returns the reference keystream around the wrap.
func (t *selfTester) wrap(cipher Cipher, rounds int) *wrapStream {
	key := streamKey{cipher, rounds}
	if w, ok := t.streams[key]; ok {
		return w
	}
	w := &wrapStream{keystream: make([]byte, (wrapBefore+wrapAfter)*BlockSize)}
	for i := range w.state {
		w.state[i] = uint32(i+1) * 0x9e3779b9
	}
	low := cipher.CounterWord()
	w.state[low], w.state[low+1] = math.MaxUint32-wrapBefore+1, 7
	referenceXOR(cipher)(w.keystream, w.keystream, &w.state, rounds)
	if t.streams == nil {
		t.streams = map[streamKey]*wrapStream{}
	}
	t.streams[key] = w
	return w
}

// referenceXOR returns the reference routine of a cipher.
func referenceXOR(cipher Cipher) StreamFunc {
	if cipher == Salsa {
		return reference.XORSalsa
	}
	return reference.XORChaCha
}

// stream tests a stream kernel: a published block at each number of rounds, then
// single steps with the wrap before each lane in turn, then a call of several
// steps that reaches past 512 bytes, at odd addresses.
func (t *selfTester) stream(k *Kernel) error {
	for _, rounds := range []int{8, 12, 20} {
		if err := t.publishedBlock(k, rounds); err != nil {
			return err
		}
		if err := t.streamAt(k, rounds, wrapBefore-1, 1); err != nil {
			return err
		}
	}
	if k.Lead.XOR != nil {
		if err := t.lead(k); err != nil {
			return err
		}
	}
	several := max(2, (512+BlockSize)/k.Step()+1)
	several = min(several, (wrapBefore+wrapAfter)/k.Blocks)
	if err := t.streamAt(k, 20, 0, several); err != nil {
		return err
	}
	spent := 6*k.Step() + several*k.Step()
	if k.Lead.XOR != nil {
		spent += 3 * k.Step()
	}
	for _, lane := range lanesSpread(k.Blocks) {
		if spent += k.Step(); spent > selfTestBudget {
			break
		}
		if err := t.streamAt(k, 20, wrapBefore-lane, 1); err != nil {
			return err
		}
	}
	return nil
}

// lanesSpread returns 1 to n in an order that covers the range evenly from the
// start: the last, the first, the middle, the quarters and so on.
func lanesSpread(n int) []int {
	lanes := []int{n}
	for stride := n; stride > 1; stride = (stride + 1) / 2 {
		for lane := 1; lane <= n; lane += max(1, stride-1) {
			if !slices.Contains(lanes, lane) {
				lanes = append(lanes, lane)
			}
		}
	}
	return lanes
}

// streamAt compares a call of some steps, starting at a block of the wrap
// stream, with the reference.
func (t *selfTester) streamAt(k *Kernel, rounds, block, steps int) error {
	w := t.wrap(k.Cipher, rounds)
	state := w.state
	advance(&state, k.Cipher.CounterWord(), block)
	return t.streamCall(k, &state, rounds, w.keystream[block*BlockSize:][:steps*k.Step()])
}

// buffers returns n bytes of pattern, room for as many, and those bytes at an
// odd address within a larger, filled buffer.
func (t *selfTester) buffers(n int) (src, want, dst, around []byte) {
	if n > len(t.input) {
		longest := max(n, 2*maxStreamBlocks*BlockSize)
		t.input, t.want, t.out = make([]byte, longest+1)[1:], make([]byte, longest), make([]byte, longest+canariesBefore+canariesAfter)
		fillPattern(t.input)
	}
	around = t.out[:n+canariesBefore+canariesAfter]
	fill(around, canary)
	return t.input[:n], t.want[:n], around[canariesBefore:][:n], around
}

// fill sets all of b to c.
func fill(b []byte, c byte) {
	b[0] = c
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

// streamCall runs k on a pattern and compares with pattern XOR keystream; the
// bytes around dst must stay as they are.
func (t *selfTester) streamCall(k *Kernel, state *[16]uint32, rounds int, keystream []byte) error {
	n := len(keystream)
	src, want, dst, around := t.buffers(n)
	subtle.XORBytes(want, src, keystream)
	before := *state
	k.XOR(dst, src, state, rounds)
	if i := firstDifference(dst, want); i >= 0 {
		return fmt.Errorf("%d rounds, length %d, counter %#x: wrong at offset %d", rounds, n, before[k.Cipher.CounterWord()], i)
	}
	if *state != before {
		return fmt.Errorf("%d rounds, length %d: the state was changed", rounds, n)
	}
	return checkCanaries(around, n)
}

// lead tests Lead on the least length with the wrap behind the first block, on one in
// the middle with the wrap there, and, in place, on the greatest with the wrap before the
// last block.
func (t *selfTester) lead(k *Kernel) error {
	most := (k.Blocks - 1) * BlockSize
	for i, n := range []int{k.Lead.From, (k.Lead.From+most)/2 | 1, most} {
		if err := t.leadCall(k, wrapBefore-1-i*(k.Blocks-2)/2, n, n == most); err != nil {
			return fmt.Errorf("Lead: %w", err)
		}
	}
	return nil
}

// leadCall compares Lead on n bytes, starting at a block of the wrap stream, with the
// reference.
func (t *selfTester) leadCall(k *Kernel, block, n int, inPlace bool) error {
	const rounds = 20
	w := t.wrap(k.Cipher, rounds)
	state := w.state
	advance(&state, k.Cipher.CounterWord(), block)
	before := state
	keystream := w.keystream[block*BlockSize:]
	src, want, dst, around := t.buffers(n)
	subtle.XORBytes(want, src, keystream[BlockSize:])
	if inPlace {
		copy(dst, src)
		src = dst
	}
	var first [BlockSize]byte
	k.Lead.XOR(&first, dst, src, &state, rounds)
	if i := firstDifference(first[:], keystream[:BlockSize]); i >= 0 {
		return fmt.Errorf("length %d, counter %#x: wrong at offset %d of the first block", n, before[k.Cipher.CounterWord()], i)
	}
	if i := firstDifference(dst, want); i >= 0 {
		return fmt.Errorf("length %d, counter %#x: wrong at offset %d", n, before[k.Cipher.CounterWord()], i)
	}
	if state != before {
		return fmt.Errorf("length %d: the state was changed", n)
	}
	return checkCanaries(around, n)
}

const (
	canary         = 0xaa
	canariesBefore = 7
	canariesAfter  = 9
)

// checkCanaries reports a write before or after the n bytes in the middle of
// around.
func checkCanaries(around []byte, n int) error {
	for _, guard := range [][]byte{around[:canariesBefore], around[canariesBefore+n:]} {
		for _, b := range guard {
			if b != canary {
				return fmt.Errorf("length %d: wrote outside the buffer", n)
			}
		}
	}
	return nil
}

// published holds the first block of published test vectors: ChaCha TC1 of
// draft-strombergson-chacha-test-vectors-01 (the 20-round one is RFC 8439 A.1
// #1), and eSTREAM Salsa20, 256-bit key, set 1 vector 0.
var published = map[streamKey]string{
	{ChaCha, 8}:  "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
	{ChaCha, 12}: "9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be",
	{ChaCha, 20}: "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
	{Salsa, 8}:   "b1f599e9b0d96df436ae31f5ef589565b92d245db5a1d4c7a78e5e8d0146f8a49d326c1a3bf50c052c9c8f114dc74972c4469591e31c9ed11927aa9871f38583",
	{Salsa, 12}:  "afe411ed1c4e07e4d0cde3b33e31ec190fa4cc796a58bafb848ead8d07d02cd2d4b6f9f30cb0b57007e3733895cc8d1060107975acaeeb689b6cf614ab64a3d6",
	{Salsa, 20}:  "e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844b22c97559e2723c7cbbd3fe4fc8d9a0744652a83e72a9c461876af4d7ef1a117",
}

// publishedState is the state of the vectors in published.
func publishedState(cipher Cipher) [16]uint32 {
	if cipher == Salsa {
		return [16]uint32{0: 0x61707865, 1: 0x80, 5: 0x3320646e, 10: 0x79622d32, 15: 0x6b206574}
	}
	return [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
}

// publishedBlock compares the first block of a step with the published one.
// It is what catches a reference that is wrong itself.
func (t *selfTester) publishedBlock(k *Kernel, rounds int) error {
	want, err := hex.DecodeString(published[streamKey{k.Cipher, rounds}])
	if err != nil {
		return err
	}
	state := publishedState(k.Cipher)
	_, _, buf, _ := t.buffers(k.Step())
	clear(buf)
	k.XOR(buf, buf, &state, rounds)
	if i := firstDifference(buf[:BlockSize], want); i >= 0 {
		return fmt.Errorf("published vector, %d rounds, length %d: wrong at offset %d", rounds, k.Step(), i)
	}
	return nil
}

// firstDifference returns the first index at which a and b, which are of one
// length, differ; -1 if none.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}
