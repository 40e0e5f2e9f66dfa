package registrytest

import (
	"fmt"
	"slices"

	"github.com/quarterround/quarterround/registry"
)

// A trial is one call that can be repeated, with arguments on the heap of its
// own. Trials of one subject may run at the same time.
type trial struct {
	r    *routine
	e    *expectation
	args arguments
	// powers is what Setup made of the multiplier.
	powers registry.Powers
}

// newTrial returns a trial of a random message of n bytes. Apart from dst it
// shares no memory that a kernel may write to; in place, src is dst.
func (s *subject) newTrial(r *routine, n int, inPlace bool) *trial {
	t := &trial{r: r, e: expect(r, s.randomInput(s.roundsOf()[0], n))}
	if r.macs {
		s.setup(&t.powers, t.e.mac.R, poison)
	}
	t.allocate(inPlace && r.encrypts())
	s.at.Call, s.at.Length, s.at.Rounds = r.name, n, t.e.rounds
	return t
}

// allocate gives the trial fresh memory for all arguments.
func (t *trial) allocate(inPlace bool) {
	n := len(t.e.text)
	t.args = arguments{src: make([]byte, n), rounds: t.e.rounds}
	if t.r.encrypts() {
		t.args.state = new([16]uint32)
		t.args.dst = t.args.src
		if !inPlace {
			t.args.dst = make([]byte, n)
		}
	}
	if t.r.macs {
		t.args.mac = new(registry.MACState)
		if t.powers != (registry.Powers{}) {
			t.args.powers = new(registry.Powers)
		}
	}
	t.load()
}

// load writes the input into the arguments.
func (t *trial) load() { t.e.load(&t.args, &t.powers) }

func (e *expectation) load(a *arguments, powers *registry.Powers) {
	copy(a.src, e.text)
	if a.state != nil {
		*a.state = e.state
	}
	if a.mac != nil {
		*a.mac = e.mac
	}
	if a.powers != nil {
		*a.powers = *powers
	}
}

// difference compares the arguments after the call, and returns "" if they
// are right.
func (t *trial) difference() string { return t.e.difference(&t.args) }

func (e *expectation) difference(a *arguments) string {
	if a.state != nil {
		if i := firstDifference(a.dst, e.out[:len(a.dst)]); i >= 0 {
			return fmt.Sprintf("wrong output from byte %d on", i)
		}
		if *a.state != e.state {
			return "the state argument was modified"
		}
	}
	if a.mac != nil && reduce(a.mac.H) != e.h[len(a.src)/registry.MACBlockSize] {
		return "wrong H after the call"
	}
	return ""
}

// poison fills every argument with a pattern and returns a copy of them.
func (t *trial) poison() *arguments {
	a := &t.args
	fill(a.src, 0x3c)
	fill(a.dst, 0xc3)
	c := arguments{src: slices.Clone(a.src), dst: slices.Clone(a.dst)}
	if a.state != nil {
		a.state[0], a.state[15] = 0x3c3c3c3c, 0xc3c3c3c3
		state := *a.state
		c.state = &state
	}
	if a.mac != nil {
		*a.mac = registry.MACState{H: [3]uint64{1, 2, 3}}
		mac := *a.mac
		c.mac = &mac
	}
	return &c
}

// touched compares the arguments with what poison returned.
func (t *trial) touched(c *arguments) string {
	a := &t.args
	switch {
	case !slices.Equal(a.dst, c.dst):
		return "dst"
	case !slices.Equal(a.src, c.src):
		return "src"
	case a.state != nil && *a.state != *c.state:
		return "state"
	case a.mac != nil && *a.mac != *c.mac:
		return "the MAC state"
	}
	return ""
}
