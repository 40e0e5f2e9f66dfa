package registry

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
)

// known gives a kernel priors that were measured on the fake CPU, a clock of 100 MHz.
func known(k Kernel, fixed, perStep float64) Kernel {
	k.Priors = nil
	for _, rounds := range []int{8, 12, 20} {
		k.Priors = append(k.Priors, Prior{CPU: "fake", Rounds: rounds, Fixed: fixed, PerStep: perStep * float64(rounds) / 20, Provenance: "measured"})
	}
	return k
}

// withKnown registers two stream kernels, whose priors are 10 + 100 and 10 + x3 a
// step, and whose times are 10 + 100 and 10 + 120.
func (f *fakeTime) withKnown(t *testing.T, x3 float64) {
	withBackends(t, []*Backend{
		{Name: "generic", Kernels: []Kernel{known(f.kernel("chacha", 1, 0, 10, 100, 0), 10, 100), salsaKernel(), f.backends()[0].Kernels[2]}},
		{Name: "good", Kernels: []Kernel{known(f.kernel("x3", 3, 2, 10, 120, 0), 10, x3)}},
	})
}

func provenances(sel *Selection, a Algorithm) []string {
	var all []string
	for _, c := range sel.Candidates(a) {
		if c.Kind == KindStream && c.Cost != nil && !slices.Contains(all, c.Cost.Provenance) {
			all = append(all, c.Cost.Provenance)
		}
	}
	return all
}

// TestConfirmedPriors: priors of this model of CPU stay, at the speed that was
// measured, where the times are close to them; and give way where they are not.
func TestConfirmedPriors(t *testing.T) {
	for _, tt := range []struct {
		name       string
		x3, jitter float64
		want       string
		cost       float64 // of x3 for a step, in ns
	}{
		{"exact", 120, 0, "confirmed", 1300},
		{"close", 124, 0, "confirmed", 1340},
		{"close in noise", 124, 0.1, "confirmed", 1340},
		{"wrong", 180, 0, "measured", 1300},
	} {
		f := newFakeTime()
		f.withKnown(t, tt.x3)
		f.jitter = tt.jitter
		sel := f.selectWith(t, "mode=measure,budget=1s")
		for _, a := range []Algorithm{ChaCha20, ChaCha12, ChaCha8} {
			if got := provenances(sel, a); len(got) != 1 || got[0] != tt.want {
				t.Errorf("%s: costs of %s are %q, not %s", tt.name, a, got, tt.want)
			}
		}
		if got := costOf(sel, ChaCha20, "good/x3"); got < 0.94*tt.cost || got > 1.06*tt.cost {
			t.Errorf("%s: a step takes %.0f ns, not %.0f", tt.name, got, tt.cost)
		}
		if sel.Unit() != "ns" || sel.Measurement().Kernels == 0 {
			t.Errorf("%s: unit %s, %+v", tt.name, sel.Unit(), sel.Measurement())
		}
	}
}

// costOf returns what a call of one step of a kernel is taken to cost.
func costOf(sel *Selection, a Algorithm, name string) float64 {
	for _, c := range sel.Candidates(a) {
		if c.Name() == name && c.Cost != nil {
			return c.Cost.Fixed + c.Cost.PerStep
		}
	}
	return 0
}

// TestContradictionIsTimedAgain: what happens once is no reason to give up priors.
func TestContradictionIsTimedAgain(t *testing.T) {
	f := newFakeTime()
	f.withKnown(t, 120)
	f.disturb, f.disturbed = "x3", 3*(quickRounds+2) // all of the first timing
	sel := f.selectWith(t, "mode=measure,budget=1s")
	if f.disturbed > 0 {
		t.Fatal("nothing was disturbed")
	}
	if got := provenances(sel, ChaCha20); len(got) != 1 || got[0] != "confirmed" {
		t.Errorf("costs are %q", got)
	}
}

// TestCalibrationIsBelieved: after it there is nothing left to measure, even if it was
// noisy.
func TestCalibrationIsBelieved(t *testing.T) {
	f := newFakeTime()
	f.withKnown(t, 120)
	f.jitter = 0.9
	path := calibrated(t, f)
	f.jitter = 0
	timed := f.timed["x3"]
	s, err := newSelector(newOptions([]Option{f.on, WithOverride("profile=" + path)}))
	if err != nil {
		t.Fatal(err)
	}
	s.loadProfile()
	for _, a := range []Algorithm{ChaCha20, ChaCha12, ChaCha8, Poly1305, ChaCha20Poly1305} {
		if s.measurable(a) {
			t.Errorf("%s could be measured in spite of the profile", a)
		}
	}
	if f.timed["x3"] != timed {
		t.Errorf("%d more calls", f.timed["x3"]-timed)
	}
}

// TestAllOrNone: where there is no time to test all kernels, none is measured.
func TestAllOrNone(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	slow := time.Duration(0)
	sel, err := Select(WithOverride("mode=measure,budget=1ms"), f.on, func(o *options) {
		o.clock = func() time.Duration { slow += 300 * time.Microsecond; return f.clock() + slow }
		o.identify = func() cpu.Identity { return cpu.Identity{GOOS: "test", GOARCH: "test", Model: "fake"} }
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(provenances(sel, ChaCha20), " "); got != "estimated" {
		t.Errorf("costs are %q", got)
	}
}

// timingOf returns a timing of one step of a fake kernel with a prior of 100 cycles.
func timingOf(f *fakeTime, name string, kind Kind, ns, spread float64) timing {
	k := known(f.kernel(name, 1, 0, 0, 100, 0), 0, 100)
	k.Kind = kind
	return timing{candidate: &candidate{backend: &Backend{Name: "fake"}, kernel: &k}, done: true,
		fit: measure.Fit{PerStep: ns, Spread: spread, Samples: quickRounds}}
}

// TestUnsteadyContradiction: times that contradict priors are believed if both times
// they were steady, and the same.
func TestUnsteadyContradiction(t *testing.T) {
	f := newFakeTime()
	m := &measurer{rounds: quickRounds}
	table := &costTable{models: []string{"fake"}, scale: 1}
	for _, tt := range []struct {
		name                    string
		first, second           float64
		firstNoise, latterNoise float64
		believed                bool
	}{
		{"steady", 150, 150, 0.005, 0.005, true},
		{"first unsteady", 150, 150, 0.03, 0.005, false},
		{"then unsteady", 150, 150, 0.005, 0.03, false},
		{"not the same", 150, 170, 0.005, 0.005, false},
	} {
		timings := []timing{timingOf(f, "x1", KindStream, 100, 0.005), timingOf(f, "x2", KindStream, 100, 0.005), timingOf(f, "x3", KindStream, tt.first, tt.firstNoise)}
		if again := compare(table, ChaCha20, timings); len(again) != 3 {
			t.Fatalf("%s: %d kernels contradict", tt.name, len(again))
		}
		second := slices.Clone(timings)
		second[2] = timingOf(f, "x3", KindStream, tt.second, tt.latterNoise)
		second[2].candidate = timings[2].candidate
		combine(timings, second)
		compare(table, ChaCha20, timings)
		if doubt := m.doubt(timings); doubt == "" != tt.believed {
			t.Errorf("%s: doubt %q", tt.name, doubt)
		}
	}
}

// TestConfirmedStays: what was confirmed is not contradicted by another speed that
// comes of timing kernels of another kind again.
func TestConfirmedStays(t *testing.T) {
	f := newFakeTime()
	table := &costTable{models: []string{"fake"}, scale: 1}
	mac := timingOf(f, "mac", KindMAC, 112, 0.001)
	mac.candidate.kernel.Priors = []Prior{{CPU: "fake", PerStep: 100, Provenance: "measured"}}
	timings := []timing{timingOf(f, "x1", KindStream, 102, 0.001), timingOf(f, "x2", KindStream, 102, 0.001), timingOf(f, "x3", KindStream, 102, 0.001), mac}
	if again := compare(table, ChaCha20, timings); len(again) != 0 {
		t.Fatalf("%d kernels contradict", len(again))
	}
	for i := range timings[:3] {
		timings[i].fit.PerStep = 98 // 112 is 14 % above this speed
	}
	if again := compare(table, ChaCha20, timings); len(again) != 0 {
		t.Errorf("%d kernels contradict what was confirmed", len(again))
	}
}

// TestBeatenMayBeOff: how far behind a dropped kernel was is known from few samples.
func TestBeatenMayBeOff(t *testing.T) {
	f := newFakeTime()
	table := &costTable{models: []string{"fake"}, scale: 1}
	for _, tt := range []struct {
		samples  int
		confirms bool
	}{{quickRounds, false}, {3, true}} {
		timings := []timing{timingOf(f, "x1", KindStream, 100, 0.001), timingOf(f, "x2", KindStream, 100, 0.001), timingOf(f, "x3", KindStream, 118, 0.001)}
		timings[2].fit.Samples = tt.samples
		if again := compare(table, ChaCha20, timings); (len(again) == 0) != tt.confirms {
			t.Errorf("after %d samples %d kernels contradict", tt.samples, len(again))
		}
	}
}
