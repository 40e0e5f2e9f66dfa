package measure

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A fakeCPU is a clock that moves only when it is read or when work is done.
type fakeCPU struct {
	now    float64 // ns
	tick   float64
	read   float64 // cost of a reading
	slower float64 // factor on all work
	jitter float64 // relative, uniform
	random *rand.Rand
	// disturb, if not nil, changes the time of a call.
	disturb func(ns float64) float64
}

func newFakeCPU() *fakeCPU {
	return &fakeCPU{tick: 1, read: 25, slower: 1, random: rand.New(rand.NewPCG(1, 2))}
}

func (c *fakeCPU) clock() time.Duration {
	c.now += c.read
	return time.Duration(math.Floor(c.now/c.tick) * c.tick)
}

// routine returns a candidate that takes fixed + perStep*n ns.
func (c *fakeCPU) routine(width int, fixed, perStep float64) Candidate {
	return Candidate{Group: "g", Width: width, Steps: []int{1, 4, 16}, Run: func(n int) {
		ns := (fixed + perStep*float64(n)) * c.slower
		ns *= 1 + c.jitter*(2*c.random.Float64()-1)
		if c.disturb != nil {
			ns = c.disturb(ns)
		}
		c.now += ns
	}}
}

func (c *fakeCPU) run(t *testing.T, candidates ...Candidate) []Result {
	t.Helper()
	return c.runUntil(t, time.Hour, candidates...)
}

func (c *fakeCPU) runUntil(t *testing.T, deadline time.Duration, candidates ...Candidate) []Result {
	t.Helper()
	results, err := Run(candidates, Options{Clock: c.clock, Deadline: deadline, Rounds: 8})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func checkFit(t *testing.T, r Result, fixed, perStep, tolerance float64) {
	t.Helper()
	if len(r) != 3 {
		t.Fatalf("%d points", len(r))
	}
	f := FitLine(r)
	for _, n := range []int{1, 4, 16} {
		want := fixed + perStep*float64(n)
		if got := f.At(n); math.Abs(got/want-1) > tolerance {
			t.Errorf("%d steps take %.1f, want %.1f; fit %+v", n, got, want, f)
		}
	}
}

func TestExact(t *testing.T) {
	cpu := newFakeCPU()
	r := cpu.run(t, cpu.routine(1, 40, 100), cpu.routine(4, 10, 250))
	checkFit(t, r[0], 40, 100, 0.02) // the reading of the clock is within a sample
	checkFit(t, r[1], 10, 250, 0.02)
}

func TestJitter(t *testing.T) {
	cpu := newFakeCPU()
	cpu.jitter = 0.05
	r := cpu.run(t, cpu.routine(1, 40, 100), cpu.routine(4, 10, 250))
	checkFit(t, r[0], 40, 100, 0.04)
	checkFit(t, r[1], 10, 250, 0.04)
}

// TestOutlier makes one call in the middle ten times as long as its whole sample.
func TestOutlier(t *testing.T) {
	quiet := newFakeCPU()
	want := quiet.run(t, quiet.routine(1, 40, 100))
	cpu := newFakeCPU()
	calls := 0
	cpu.disturb = func(ns float64) float64 {
		if calls++; calls == 300 {
			return 10 * 50 * 25
		}
		return ns
	}
	got := cpu.run(t, cpu.routine(1, 40, 100))
	for i := range want[0] {
		if math.Abs(got[0][i].Nanoseconds/want[0][i].Nanoseconds-1) > 1e-3 {
			t.Errorf("%v with an outlier, %v without", got[0][i], want[0][i])
		}
	}
}

// TestFrequencyStep halves the clock of the CPU on the way: both are hit alike, where one after the
// other they would differ by a factor of two.
func TestFrequencyStep(t *testing.T) {
	cpu := newFakeCPU()
	cpu.disturb = func(ns float64) float64 {
		if cpu.now > 60e3 {
			return 2 * ns
		}
		return ns
	}
	r := cpu.run(t, cpu.routine(1, 40, 100), cpu.routine(1, 40, 105))
	if cpu.now < 120e3 {
		t.Fatalf("the step is not on the way: all took %v ns", cpu.now)
	}
	for i := range r[0] {
		if ratio := r[1][i].Nanoseconds / r[0][i].Nanoseconds; ratio < 0.9 || ratio > 1.2 {
			t.Errorf("ratio %.3f at %d steps", ratio, r[0][i].Steps)
		}
	}
}

func TestDeadline(t *testing.T) {
	for _, deadline := range []time.Duration{0, 1e3, 10e3, 50e3, 200e3} {
		cpu := newFakeCPU()
		r := cpu.runUntil(t, deadline, cpu.routine(1, 40, 100), cpu.routine(4, 10, 250))
		const sample = 16*250 + 2*50*25 // the longest sample or search for its length
		if over := cpu.now - float64(deadline); over > sample {
			t.Errorf("deadline %v overrun by %.0f ns", deadline, over)
		}
		if deadline <= 10e3 && (r[0] != nil || r[1] != nil) {
			t.Errorf("deadline %v: an estimate from too few samples", deadline)
		}
	}
}

// TestCoarseClock gives clocks of long ticks, and one that stands still.
func TestCoarseClock(t *testing.T) {
	for _, tick := range []float64{11e3, 1e6, 15.6e6, math.Inf(1)} {
		cpu := newFakeCPU()
		cpu.tick = tick
		if math.IsInf(tick, 1) {
			cpu.tick, cpu.read = 1, 0
		}
		called := false
		c := Candidate{Steps: []int{1}, Run: func(int) { called = true }}
		_, err := Run([]Candidate{c}, Options{Clock: cpu.clock, Deadline: time.Hour, Rounds: 8})
		if !errors.Is(err, ErrCoarse) || called {
			t.Errorf("tick %v: error %v, called %v", tick, err, called)
		}
	}
	cpu := newFakeCPU()
	cpu.tick = 9e3
	r := cpu.run(t, cpu.routine(1, 40, 100))
	checkFit(t, r[0], 40, 100, 0.05)
}

// TestBeaten counts the calls of a slow routine beside a fast one.
func TestBeaten(t *testing.T) {
	calls := func(others ...Candidate) int {
		cpu := newFakeCPU()
		n := 0
		slow := cpu.routine(4, 50, 4000)
		run := slow.Run
		slow.Run = func(steps int) { n++; run(steps) }
		for i := range others {
			others[i] = cpu.routine(others[i].Width, 10, 100)
		}
		if r := cpu.run(t, append(others, slow)...); r[len(r)-1] == nil {
			t.Error("no estimate of the beaten one")
		}
		return n
	}
	alone, beaten := calls(), calls(Candidate{Width: 1})
	if beaten > alone/2+8 {
		t.Errorf("%d calls alone, %d when beaten", alone, beaten)
	}
	// A wide routine with a dear step does not beat what is cheaper for one step.
	fast := Result{{1, 1000, 0, 8}, {4, 1300, 0, 8}}
	narrow := Result{{1, 100, 0, 8}, {16, 1600, 0, 8}}
	if beats(16, fast, 1, narrow) {
		t.Error("the narrow routine is beaten though it is faster for one step")
	}
}

// TestCollections disturbs two rounds and says so: they must not count.
func TestCollections(t *testing.T) {
	cpu := newFakeCPU()
	collections, rounds := uint64(0), 0
	slow := false
	cpu.disturb = func(ns float64) float64 {
		if slow {
			return 3 * ns
		}
		return ns
	}
	results, err := Run([]Candidate{cpu.routine(1, 40, 100)}, Options{
		Clock: cpu.clock, Deadline: time.Hour, Rounds: 8,
		Collections: func() uint64 {
			rounds++
			slow = rounds == 4 || rounds == 5 // from this reading to the next one
			if rounds == 6 {
				collections++
			}
			return collections
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	checkFit(t, results[0], 40, 100, 0.02)
	for _, p := range results[0] {
		if p.Samples != 8 || p.Spread > 0.001 {
			t.Errorf("%+v: not eight quiet samples", p)
		}
	}
}

func TestRealClock(t *testing.T) {
	before := Collections()
	runtime.GC()
	if Collections() <= before {
		t.Error("a collection was not counted")
	}
	if a := Now(); a < 0 || Now() < a {
		t.Error("the clock goes backwards")
	}
	samples := testing.AllocsPerRun(10, func() { Now() })
	if samples != 0 {
		t.Errorf("reading the clock allocates %v times", samples)
	}
}

func TestEstimate(t *testing.T) {
	for _, tt := range []struct {
		samples []float64
		want    float64
	}{
		{[]float64{5, 5, 50}, 5},
		{[]float64{5, 5, 5, 5, 5, 5, 50, 50}, 5},
		{[]float64{4, 6, 60}, 5},
		{[]float64{1}, 1},
	} {
		shuffled := slices.Clone(tt.samples)
		slices.Reverse(shuffled)
		if got, _ := estimate(shuffled); got != tt.want {
			t.Errorf("estimate(%v) = %v, want %v", tt.samples, got, tt.want)
		}
	}
}

// TestFit covers exact lines, one bad point, and lines that would start below
// zero.
func TestFit(t *testing.T) {
	line := func(fixed, perStep float64, steps ...int) (points []Point) {
		for _, n := range steps {
			points = append(points, Point{Steps: n, Nanoseconds: fixed + perStep*float64(n), Samples: 8})
		}
		return points
	}
	bad := line(30, 70, 1, 2, 4, 8, 16)
	bad[2].Nanoseconds *= 1.5
	for _, tt := range []struct {
		name           string
		points         []Point
		fixed, perStep float64
	}{
		{"exact", line(30, 70, 1, 4, 16), 30, 70},
		{"one bad point", bad, 30, 70},
		{"no fixed part", line(0, 70, 1, 4, 16), 0, 70},
		{"below zero", line(-10, 100, 1, 1, 1, 1000, 1000), 0, 90},
		{"level", []Point{{Steps: 1, Nanoseconds: 50}, {Steps: 4, Nanoseconds: 50}, {Steps: 9, Nanoseconds: 49}}, 50, 0},
	} {
		f := FitLine(tt.points)
		if math.Abs(f.Fixed-tt.fixed) > 1e-9 || math.Abs(f.PerStep-tt.perStep) > 1e-9 {
			t.Errorf("%s: %+v, want %v and %v", tt.name, f, tt.fixed, tt.perStep)
		}
	}
	if f := FitLine(bad); math.Abs(f.Residual-1.0/3) > 1e-9 {
		t.Errorf("residual %v, want 1/3", f.Residual)
	}
}
