package registry

import "github.com/quarterround/quarterround/internal/measure"

// bench holds what kernels work on while they are timed. It is small enough for
// the first-level cache.
type bench struct {
	buffer []byte
	state  [16]uint32
	mac    MACState
}

func newBench() *bench {
	b := &bench{mac: MACState{R: rOrdinary}}
	for i := range b.state {
		b.state[i] = uint32(i+1) * 0x85ebca6b
	}
	return b
}

// stepsFor returns the numbers of steps by which a kernel is timed: one, and two
// more that are so far apart that a step can be told from the rest of a call.
func stepsFor(k *Kernel) []int {
	factor := 4
	switch step := k.Step(); {
	case step < BlockSize:
		factor = 8
	case step >= 8*BlockSize:
		factor = 2
	}
	return []int{1, factor, factor * factor}
}

// routine returns k ready to be timed.
func (b *bench) routine(k *Kernel, rounds int) measure.Candidate {
	c := measure.Candidate{Steps: stepsFor(k), Width: k.Blocks, Group: k.Kind.String() + " " + k.Powers}
	step := k.Step()
	if longest := c.Steps[len(c.Steps)-1] * step; longest > len(b.buffer) {
		b.buffer = make([]byte, longest)
	}
	switch k.Kind {
	case KindStream:
		// As in use, the counter moves on after each call: reading the state wide
		// right after that has its price, and a second call has to pay it.
		low := k.Cipher.CounterWord()
		c.Run = func(n int) {
			k.XOR(b.buffer[:n*step], b.buffer[:n*step], &b.state, rounds)
			advance(&b.state, low, n*k.Blocks)
		}
	case KindMAC:
		powers := b.powersFor(k)
		c.Run = func(n int) { k.Absorb(&b.mac, powers, b.buffer[:n*step]) }
	case KindFused:
		powers := b.powersFor(k)
		c.Run = func(n int) { k.Seal(b.buffer[:n*step], b.buffer[:n*step], &b.state, &b.mac, powers) }
	}
	return c
}

// setup returns the Setup of k ready to be timed.
func (b *bench) setup(k *Kernel) measure.Candidate {
	powers := new(Powers)
	return measure.Candidate{Steps: []int{1}, Run: func(int) { k.Setup(powers, &b.mac.R) }}
}

func (b *bench) powersFor(k *Kernel) *Powers {
	if k.Setup == nil {
		return nil
	}
	powers := new(Powers)
	k.Setup(powers, &b.mac.R)
	return powers
}
