package registry

import (
	"crypto/subtle"
	"fmt"
	"math"

	"github.com/quarterround/quarterround/internal/reference"
)

// macCase is a multiplier and an accumulator to start from.
type macCase struct {
	name string
	h    [3]uint64
	r    [2]uint64
	fill func(message []byte)
}

// rMax is the largest clamped R (RFC 8439 section 2.5).
var rMax = [2]uint64{0x0ffffffc0fffffff, 0x0ffffffc0ffffffc}

// rOrdinary is that of RFC 8439 section 2.5.2.
var rOrdinary = [2]uint64{0x036d555408bed685, 0x0806d5400e52447c}

func allOnes(b []byte) { fill(b, 0xff) }
func allZeros([]byte)  {} // as made

// fillPattern sets b to bytes that repeat after 256.
func fillPattern(b []byte) {
	for i := range min(len(b), 256) {
		b[i] = byte(i*11 + 3)
	}
	for n := 256; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

// macCases are ordinary values and the extremes of what the contract allows.
var macCases = []macCase{
	{"ordinary", [3]uint64{1, 2, 3}, rOrdinary, fillPattern},
	{"all ones", [3]uint64{math.MaxUint64, math.MaxUint64, 7}, rMax, allOnes},
	{"around p", [3]uint64{math.MaxUint64 - 4, math.MaxUint64, 3}, [2]uint64{2, 0}, allZeros},
}

// testMAC tests a MAC kernel: the published one-time authenticator, then every
// number of blocks up to past two steps and a call past 512 bytes.
func testMAC(k *Kernel) error {
	if err := testPublishedMAC(k); err != nil {
		return err
	}
	spent := 0
	longest := max(2*k.Blocks+1, (512+k.Step())/MACBlockSize)
	for i := range macCases {
		c := &macCases[i]
		msg := c.message(longest * MACBlockSize)
		powers := freshPowers(k, &c.r)
		want := c.h
		for blocks := 1; blocks <= longest; blocks++ {
			reference.Poly1305(&want, &c.r, msg[(blocks-1)*MACBlockSize:blocks*MACBlockSize])
			if spent += blocks * MACBlockSize; blocks > 2*k.Blocks+1 && blocks%5 != 0 || spent > selfTestBudget {
				continue
			}
			if err := testMACCall(k, c, powers, msg[:blocks*MACBlockSize], want); err != nil {
				return err
			}
		}
	}
	return nil
}

// message returns n bytes at an odd address.
func (c *macCase) message(n int) []byte {
	msg := make([]byte, n+1)[1:]
	c.fill(msg)
	return msg
}

// testPublishedMAC checks the accumulator after the two whole blocks of RFC 8439
// section 2.5.2, printed there as "Acc" of block #2.
func testPublishedMAC(k *Kernel) error {
	state := MACState{R: rOrdinary}
	k.Absorb(&state, freshPowers(k, &state.R), []byte("Cryptographic Forum Research Gro"))
	want := [3]uint64{0xcccfb4ea344b30de, 0xd8adaf23b0337fa7, 2}
	if reference.Reduce(state.H) != want {
		return fmt.Errorf("published vector, length 32: wrong accumulator")
	}
	return nil
}

// testMACCall compares one call with the accumulator of the reference.
func testMACCall(k *Kernel, c *macCase, powers *Powers, msg []byte, want [3]uint64) error {
	state := MACState{H: c.h, R: c.r, S: [2]uint64{5, 6}}
	k.Absorb(&state, powers, msg)
	return checkMACState(&state, want, c, len(msg))
}

// freshPowers returns what a kernel needs of the powers of r, computed into
// memory that was not clear.
func freshPowers(k *Kernel, r *[2]uint64) *Powers {
	if k.Setup == nil {
		return nil
	}
	powers := new(Powers)
	for i := range powers.Words {
		powers.Words[i] = 0x5555555555555555
	}
	k.Setup(powers, r)
	return powers
}

// checkMACState compares accumulators modulo p and checks what else the contract
// says of the state.
func checkMACState(state *MACState, want [3]uint64, c *macCase, n int) error {
	if state.H[2] > 7 {
		return fmt.Errorf("%s, length %d: H is not below 2^131", c.name, n)
	}
	if reference.Reduce(state.H) != reference.Reduce(want) {
		return fmt.Errorf("%s, length %d: wrong accumulator", c.name, n)
	}
	if state.R != c.r || state.S != [2]uint64{5, 6} {
		return fmt.Errorf("%s, length %d: R or S was changed", c.name, n)
	}
	return nil
}

// fused tests a fused kernel against the reference in two passes: one step with
// the counter wrap in its middle, and two steps, sealing and opening.
func (t *selfTester) fused(k *Kernel) error {
	for _, steps := range []int{1, 2} {
		if err := t.fusedCall(k, steps); err != nil {
			return err
		}
	}
	return nil
}

func (t *selfTester) fusedCall(k *Kernel, steps int) error {
	n := steps * k.Step()
	c := &macCases[0] // the message of which is in t.buffers
	w := t.wrap(k.Cipher, 20)
	block := wrapBefore - (k.Blocks+1)/2
	state := w.state
	advance(&state, k.Cipher.CounterWord(), block)
	plain, sealed, dst, around := t.buffers(n)
	subtle.XORBytes(sealed, plain, w.keystream[block*BlockSize:])
	start := MACState{H: c.h, R: c.r, S: [2]uint64{5, 6}}
	want := start.H
	reference.Poly1305(&want, &start.R, sealed)
	powers := freshPowers(k, &start.R)
	for _, direction := range []struct {
		name    string
		call    FusedFunc
		in, out []byte
	}{{"seal", k.Seal, plain, sealed}, {"open", k.Open, sealed, plain}} {
		mac, before := start, state
		fill(around, canary)
		direction.call(dst, direction.in, &state, &mac, powers)
		if i := firstDifference(dst, direction.out); i >= 0 {
			return fmt.Errorf("%s, length %d: wrong at offset %d", direction.name, n, i)
		}
		if state != before {
			return fmt.Errorf("%s, length %d: the state was changed", direction.name, n)
		}
		if err := checkMACState(&mac, want, c, n); err != nil {
			return fmt.Errorf("%s: %w", direction.name, err)
		}
		if err := checkCanaries(around, n); err != nil {
			return fmt.Errorf("%s: %w", direction.name, err)
		}
	}
	return nil
}
