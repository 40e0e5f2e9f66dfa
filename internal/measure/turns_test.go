package measure

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

// steady returns a routine that takes so many ns.
func (c *fakeCPU) steady(ns float64) func() {
	return func() { c.routine(1, ns, 0).Run(0) }
}

// turns takes ten rounds of routines that take so many ns and summarizes them.
func (c *fakeCPU) turns(t *testing.T, ns ...float64) []Summary {
	t.Helper()
	var timers []Timer
	for _, x := range ns {
		timers = append(timers, Clock(c.clock).Timer(c.steady(x)))
	}
	calls, err := Batches(timers, 20*time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	samples, err := Turns(timers, calls, TurnOptions{Rounds: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		if len(s) != 10 {
			t.Fatalf("%d rounds", len(s))
		}
	}
	return Summarize(samples)
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got/want-1) > tolerance {
		t.Errorf("%s is %.4g, want %.4g", what, got, want)
	}
}

func TestTurns(t *testing.T) {
	cpu := newFakeCPU()
	s := cpu.turns(t, 100, 250, 1e6)
	within(t, "a short call", s[0].Nanoseconds, 100, 0.01)
	within(t, "another", s[1].Nanoseconds, 250, 0.01)
	within(t, "a call longer than a batch", s[2].Nanoseconds, 1e6, 0.01)
}

// TestTurnsOutlier makes one sample of each routine ten times as long, in one and
// the same round or in different ones.
func TestTurnsOutlier(t *testing.T) {
	want := Summarize([][]float64{slices.Repeat([]float64{100}, 10), slices.Repeat([]float64{250}, 10)})
	for _, rounds := range [][2]int{{4, 4}, {2, 7}, {0, 9}} {
		samples := [][]float64{slices.Repeat([]float64{100}, 10), slices.Repeat([]float64{250}, 10)}
		samples[0][rounds[0]] *= 10
		samples[1][rounds[1]] *= 10
		if got := Summarize(samples); !slices.Equal(got, want) {
			t.Errorf("outliers in rounds %v: %v, want %v", rounds, got, want)
		}
	}
	cpu := newFakeCPU()
	calls := 0
	cpu.disturb = func(ns float64) float64 {
		if calls++; calls == 900 {
			return 10 * 20e3
		}
		return ns
	}
	s := cpu.turns(t, 100, 250)
	if calls < 1500 {
		t.Fatalf("%d calls: the outlier was not in the middle", calls)
	}
	within(t, "the first", s[0].Nanoseconds, 100, 0.01)
	within(t, "the second", s[1].Nanoseconds, 250, 0.01)
}

// TestTurnsFrequencyStep halves the clock at every possible moment in turn, also
// in the middle of a round and of the whole: the ratio must hold always, the time
// lie between the two, and its spread own up to the step.
func TestTurnsFrequencyStep(t *testing.T) {
	const rounds = 10
	ns := []float64{100, 250, 333}
	for step := range rounds * len(ns) {
		samples := make([][]float64, len(ns))
		done := 0
		for range rounds {
			for i, x := range ns {
				if done >= step {
					x *= 2
				}
				samples[i] = append(samples[i], x)
				done++
			}
		}
		s := Summarize(samples)
		for i := range ns {
			within(t, "the ratio", s[i].Nanoseconds/s[0].Nanoseconds, ns[i]/ns[0], 1e-9)
			if s[i].Nanoseconds < ns[i] || s[i].Nanoseconds > 2*ns[i] {
				t.Errorf("step after %d samples: %.0f ns, not between %.0f and twice that", step, s[i].Nanoseconds, ns[i])
			}
			if s[i].RatioSpread > 0.01 {
				t.Errorf("step after %d samples: the ratio's spread is %.2f", step, s[i].RatioSpread)
			}
		}
		if step == rounds*len(ns)/2 && s[0].Spread < 0.25 {
			t.Errorf("step in the middle: the spread is %.2f", s[0].Spread)
		}
	}
}

func TestTurnsJitter(t *testing.T) {
	cpu := newFakeCPU()
	cpu.jitter = 0.3
	s := cpu.turns(t, 100, 103)
	within(t, "the ratio", s[1].Nanoseconds/s[0].Nanoseconds, 1.03, 0.02)
	if s[0].Spread == 0 || s[0].Spread > 0.05 {
		t.Errorf("the spread is %v", s[0].Spread)
	}
}

// TestTurnsStopped gives up the round in which it was stopped.
func TestTurnsStopped(t *testing.T) {
	cpu := newFakeCPU()
	asked := 0
	timers := []Timer{Clock(cpu.clock).Timer(cpu.steady(100)), Clock(cpu.clock).Timer(cpu.steady(100))}
	samples, err := Turns(timers, []int{10, 10}, TurnOptions{Rounds: 10, Stop: func() bool {
		asked++
		return asked == 2*3+2 // three rounds and a half
	}})
	if err != nil || len(samples[0]) != 3 || len(samples[1]) != 3 {
		t.Errorf("%d and %d samples, %v", len(samples[0]), len(samples[1]), err)
	}
}

// TestBatchesInterrupted: a try that was interrupted does not make batches short.
func TestBatchesInterrupted(t *testing.T) {
	for interrupted := range 12 {
		tries := 0
		calls, err := Batches([]Timer{func(calls int) (time.Duration, error) {
			if tries++; tries == interrupted {
				return time.Second, nil
			}
			return time.Duration(calls) * 100, nil
		}}, time.Millisecond)
		if err != nil || calls[0] != 10_000 {
			t.Errorf("interrupted in try %d: %d calls, %v", interrupted, calls[0], err)
		}
	}
}

func TestTurnsFailing(t *testing.T) {
	cpu, gone := newFakeCPU(), errors.New("gone")
	calls := 0
	failing := func(int) (time.Duration, error) {
		if calls++; calls > 5 {
			return 0, gone
		}
		return time.Microsecond, nil
	}
	samples, err := Turns([]Timer{Clock(cpu.clock).Timer(cpu.steady(100)), failing}, []int{1, 1}, TurnOptions{Rounds: 10})
	var which *TimerError
	if !errors.As(err, &which) || which.Index != 1 || !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	if len(samples[0]) != 2 || len(samples[1]) != 2 {
		t.Errorf("%d and %d samples", len(samples[0]), len(samples[1]))
	}
	if _, err := Batches([]Timer{failing}, time.Second); !errors.As(err, &which) || which.Index != 0 {
		t.Errorf("got %v", err)
	}
}
