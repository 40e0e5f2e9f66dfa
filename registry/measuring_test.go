package registry

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/profile"
	"github.com/quarterround/quarterround/internal/reference"
)

// A fakeTime is a clock that moves by what the kernels of these tests take.
type fakeTime struct {
	mu     sync.Mutex
	now    float64 // ns
	tick   float64
	jitter float64
	random *rand.Rand
	timed  map[string]int // calls by kernel
	// disturb names a kernel whose next disturbed calls that are timed take twice as
	// long.
	disturb   string
	disturbed int
}

func newFakeTime() *fakeTime {
	return &fakeTime{tick: 1, random: rand.New(rand.NewPCG(3, 4)), timed: map[string]int{}}
}

func (f *fakeTime) clock() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now += 20
	return time.Duration(float64(int(f.now/f.tick)) * f.tick)
}

func (f *fakeTime) pass(name string, ns float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.timed[name]++
	f.now += ns * (1 + f.jitter*(2*f.random.Float64()-1))
}

// kernel returns a stream kernel that takes fixed, and perStep for each step at 20
// rounds, in units of 10 ns, whatever its prior claims.
func (f *fakeTime) kernel(name string, blocks, simplicity int, fixed, perStep, prior float64) Kernel {
	return Kernel{Name: name, Kind: KindStream, Cipher: ChaCha, Blocks: blocks, Revision: 1, Simplicity: simplicity,
		Priors: []Prior{{Rounds: 20, Fixed: 10, PerStep: prior, Provenance: "estimated"}},
		XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
			if state[11] != newBench().state[11] { // what is only timed need not be right
				reference.XORChaCha(dst, src, state, rounds)
			} else if name == f.disturb && f.disturbed > 0 {
				f.disturbed--
				f.pass(name, 10*(fixed+perStep*float64(len(src)/BlockSize/blocks)*float64(rounds)/20))
			}
			f.pass(name, 10*(fixed+perStep*float64(len(src)/BlockSize/blocks)*float64(rounds)/20))
		}}
}

// backends returns generic and a set of kernels whose priors are the wrong way
// round.
func (f *fakeTime) backends() []*Backend {
	generic := Kernel{Name: "poly1305", Kind: KindMAC, Blocks: 1, Revision: 1,
		Absorb: func(state *MACState, powers *Powers, msg []byte) {
			absorbReference(state, powers, msg)
			f.pass("poly1305", 20*float64(len(msg)))
		}}
	return []*Backend{
		{Name: "generic", Kernels: []Kernel{f.kernel("chacha", 1, 0, 10, 100, 50), salsaKernel(), generic}},
		{Name: "good", Kernels: []Kernel{f.kernel("x3", 3, 2, 10, 120, 900)}},
		{Name: "bad", Kernels: []Kernel{f.kernel("x4", 4, 2, 10, 800, 60)}},
	}
}

// on replaces CPU, clock and profile of a selection.
func (f *fakeTime) on(o *options) {
	noFeatures(o)
	o.identify = func() cpu.Identity { return cpu.Identity{GOOS: "test", GOARCH: "test", Model: "fake"} }
	o.clock = f.clock
}

func (f *fakeTime) selectWith(t *testing.T, override string) *Selection {
	t.Helper()
	sel, err := Select(WithOverride(override), f.on)
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

// plans returns the compositions of some lengths.
func plans(sel *Selection) string {
	var b strings.Builder
	for _, n := range []int{1, 64, 65, 192, 256, 1000, 1 << 20} {
		steps, _ := sel.Compose(ChaCha20, n)
		fmt.Fprintf(&b, "%d:", n)
		for _, s := range steps {
			fmt.Fprintf(&b, " %s*%d", s.Kernel, s.Steps)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestMeasuringBeatsPriors has priors that are wrong.
func TestMeasuringBeatsPriors(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	prior := f.selectWith(t, "mode=prior")
	if got := stateOf(prior, ChaCha20, "bad/x4"); got.State != Selected {
		t.Errorf("by priors bad/x4 is %v", got)
	}
	if prior.Unit() != "cycles" || len(f.timed) > 0 && prior.Measurement().Kernels != 0 {
		t.Errorf("unit %s, %+v", prior.Unit(), prior.Measurement())
	}
	sel := f.selectWith(t, "mode=measure,budget=1s")
	if got := stateOf(sel, ChaCha20, "good/x3"); got.State != Selected {
		t.Errorf("measured good/x3 is %v", got)
	}
	if got := stateOf(sel, ChaCha20, "bad/x4"); got.State != Slower {
		t.Errorf("measured bad/x4 is %v", got)
	}
	if sel.Unit() != "ns" || sel.Measurement().Kernels != 10 {
		t.Errorf("unit %s, %+v", sel.Unit(), sel.Measurement())
	}
	for _, c := range sel.Candidates(ChaCha12) {
		if c.Cost != nil && c.Kind == KindStream && (c.Cost.Provenance != "measured" || c.Cost.Samples == 0 || c.Cost.Measured == "") {
			t.Errorf("%s: %+v", c.Name(), c.Cost)
		}
	}
}

func TestJitterKeepsThePlan(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	want := plans(f.selectWith(t, "mode=measure,budget=1s"))
	for seed := range uint64(10) {
		f.jitter, f.random = 0.05, rand.New(rand.NewPCG(seed, 1))
		if got := plans(f.selectWith(t, "mode=measure,budget=1s")); got != want {
			t.Errorf("seed %d:\n%swant\n%s", seed, got, want)
		}
	}
}

// TestFailingKernelIsNeverTimed counts the calls of a wrong kernel: its
// self-test makes one, the timing none.
func TestFailingKernelIsNeverTimed(t *testing.T) {
	f := newFakeTime()
	backends := f.backends()
	wrong := f.kernel("wrong", 8, 2, 0, 1, 1)
	run := wrong.XOR
	wrong.XOR = func(dst, src []byte, state *[16]uint32, rounds int) {
		run(dst, src, state, rounds)
		dst[len(dst)-1] ^= 1
	}
	backends = append(backends, &Backend{Name: "broken", Kernels: []Kernel{wrong}})
	withBackends(t, backends)
	sel := f.selectWith(t, "mode=measure,budget=1s")
	if got := stateOf(sel, ChaCha20, "broken/wrong"); got.State != SelfTestFailed {
		t.Errorf("%v", got)
	}
	if f.timed["wrong"] > 2 {
		t.Errorf("%d calls", f.timed["wrong"])
	}
}

func TestNotMeasured(t *testing.T) {
	for _, tt := range []struct {
		name, override, reason string
		change                 func(*fakeTime, *options)
	}{
		{"budget", "mode=measure,budget=1us", "budget", nil},
		{"noise", "mode=measure,budget=1s", "noise", func(f *fakeTime, _ *options) { f.jitter = 0.9 }},
		{"coarse clock", "mode=measure,budget=1s", "clock", func(f *fakeTime, _ *options) { f.tick = 15.6e6 }},
	} {
		f := newFakeTime()
		withBackends(t, f.backends())
		sel, err := Select(WithOverride(tt.override), f.on, func(o *options) {
			if tt.change != nil {
				tt.change(f, o)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if m := sel.Measurement(); !strings.HasPrefix(m.Reason, tt.reason) || m.Kernels != 0 {
			t.Errorf("%s: %+v", tt.name, m)
		}
		if got := stateOf(sel, ChaCha20, "good/x3"); got.State != NotMeasured || !strings.HasPrefix(got.Detail, tt.reason) {
			t.Errorf("%s: good/x3 is %v", tt.name, got)
		}
		if sel.Unit() != "cycles" {
			t.Errorf("%s: unit %s", tt.name, sel.Unit())
		}
	}
	f := newFakeTime()
	withBackends(t, f.backends())
	o := newOptions([]Option{f.on, func(o *options) {
		o.identify = func() cpu.Identity { return cpu.Identity{Emulator: "qemu-user"} }
	}})
	s, err := newSelector(o)
	if err != nil {
		t.Fatal(err)
	}
	s.measure(Algorithms(), false, nil)
	if s.measurement.Reason != "emulator: qemu-user" || s.measurement.Kernels != 0 || s.measurable(ChaCha20) {
		t.Errorf("%+v", s.measurement)
	}
}

// TestOneCandidate: nothing is timed where there is no choice.
func TestOneCandidate(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends()[:1])
	sel := f.selectWith(t, "mode=measure,budget=1s")
	if m := sel.Measurement(); m.Kernels != 0 || m.Reason != "" {
		t.Errorf("%+v", m)
	}
}

// TestConcurrentMeasuring measures the same from many goroutines: each kernel
// once.
func TestConcurrentMeasuring(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	s, err := newSelector(newOptions([]Option{f.on, WithOverride("budget=1s")}))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			s.measure([]Algorithm{ChaCha20}, false, nil)
			if _, err := s.plan(ChaCha20); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s.measurement.Kernels != 3 {
		t.Errorf("%+v", s.measurement)
	}
}

// TestProvisional puts bytes through a provisional plan: the plan is replaced
// after the first MiB, not before.
func TestProvisional(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	s, err := newSelector(newOptions([]Option{f.on, WithOverride("budget=1s")}))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.plan(ChaCha20)
	if err != nil {
		t.Fatal(err)
	}
	if !s.measurable(ChaCha20) {
		t.Fatal("not measurable")
	}
	var source Source
	done := make(chan bool, 10)
	var started atomic.Int32
	plan.provisional = &provisional{measure: func() {
		started.Add(1)
		source.replan(s, plan)
		done <- true
	}}
	source.current.Store(plan)
	for range 1023 {
		source.Plan().For(1024)
	}
	if started.Load() != 0 {
		t.Error("measured too early")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { plan.For(1024) })
	}
	wg.Wait()
	<-done
	if source.Plan() == plan || source.Plan().provisional != nil || started.Load() != 1 {
		t.Errorf("replaced: %v, measured %d times", source.Plan() != plan, started.Load())
	}
	if s.measurable(ChaCha20) {
		t.Error("still measurable")
	}
}

// TestUnder asks for other choices by the same costs.
func TestUnder(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	sel := f.selectWith(t, "mode=measure,budget=1s")
	calls := f.timed["chacha"]
	generic, err := sel.Under("mode=generic")
	if err != nil {
		t.Fatal(err)
	}
	_, cost := generic.Compose(ChaCha20, 64)
	if cost < 1000 || cost > 2000 || f.timed["chacha"] != calls {
		t.Errorf("generic takes %v ns; %d more calls", cost, f.timed["chacha"]-calls)
	}
	if _, err := sel.Under("nosuch"); err == nil {
		t.Error("an unknown name is no error")
	}
}

// calibrated writes a profile and returns its path.
func calibrated(t *testing.T, f *fakeTime) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.json")
	share := 0.0
	_, written, err := Calibrate(func(done float64) { share = done }, f.on, WithOverride("profile="+path))
	if err != nil || written != path || share != 1 {
		t.Fatalf("calibrating: %v, written to %q, progress %v", err, written, share)
	}
	return path
}

func TestProfile(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	path := calibrated(t, f)
	want := plans(f.selectWith(t, "mode=measure,budget=1s"))
	var first []byte
	for range 20 {
		sel := f.selectWith(t, "profile="+path)
		if got := plans(sel); got != want {
			t.Fatalf("by the profile\n%swant\n%s", got, want)
		}
		report, err := json.Marshal(sel.Candidates(ChaCha20))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = report
		}
		if string(report) != string(first) {
			t.Fatal("two reports differ")
		}
		if m := sel.Measurement(); m.Profile != path || m.Kernels != 0 || len(sel.Notes()) != 0 {
			t.Fatalf("%+v, notes %q", m, sel.Notes())
		}
		if slices.ContainsFunc(sel.Candidates(ChaCha20), func(c Candidate) bool { return c.Kind == KindStream && c.Cost.Provenance != "profile" }) {
			t.Fatal("a cost is not from the profile")
		}
	}
}

// TestProfileTrouble changes a profile: the plan must be as without one, and a
// note say why.
func TestProfileTrouble(t *testing.T) {
	f := newFakeTime()
	withBackends(t, f.backends())
	path := calibrated(t, f)
	prior := plans(f.selectWith(t, "mode=prior"))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, note string }{
		{"truncated", string(good[:100]), "damaged"},
		{"newer schema", strings.Replace(string(good), `"schema": 1`, `"schema": 99`, 1), "newer"},
		{"other CPU", strings.Replace(string(good), `"cpu": "fake"`, `"cpu": "other"`, 1), `cpu "other", not "fake"`},
		{"other revision", strings.ReplaceAll(string(good), `": "1 `, `": "0 `), "profile miss: kernel good/x3 rev 0→1"},
		{"more classes", strings.ReplaceAll(string(good), " | ", " | 1 1 0 0 0 1 | "), "2 classes of core"},
	} {
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		sel := f.selectWith(t, "profile="+path)
		if got := plans(sel); got != prior {
			t.Errorf("%s:\n%swant\n%s", tt.name, got, prior)
		}
		if notes := strings.Join(sel.Notes(), "\n"); !strings.Contains(notes, tt.note) {
			t.Errorf("%s: notes %q", tt.name, notes)
		}
	}
	sel := f.selectWith(t, "profile="+filepath.Join(t.TempDir(), "none"))
	if len(sel.Notes()) != 1 {
		t.Errorf("missing: notes %q", sel.Notes())
	}
	if sel := f.selectWith(t, "profile=off"); len(sel.Notes()) != 0 {
		t.Errorf("off: notes %q", sel.Notes())
	}
}

// TestProfileCannotForce praises kernels that are excluded, ineligible or wrong.
func TestProfileCannotForce(t *testing.T) {
	f := newFakeTime()
	backends := f.backends()
	wrong := f.kernel("wrong", 8, 2, 0, 1, 1)
	wrong.XOR = func(dst, src []byte, _ *[16]uint32, _ int) { copy(dst, src) }
	featured := f.kernel("featured", 8, 2, 0, 1, 1)
	featured.Features = []string{"sve2"}
	backends = append(backends, &Backend{Name: "more", Kernels: []Kernel{wrong, featured}})
	withBackends(t, backends)
	path := calibrated(t, f)
	p, err := profile.Load(path, profileKeyOf(t, f))
	if err != nil {
		t.Fatal(err)
	}
	want := plans(f.selectWith(t, "profile="+path))
	for _, name := range []string{"more/wrong", "more/featured"} {
		for _, rounds := range []int{8, 12, 20} {
			p.Costs[profile.EntryName(name, rounds)] = &profile.Entry{Revision: 1, Classes: []profile.Cost{{PerStep: 0.001, Samples: 99}}}
		}
	}
	if err := profile.Save(path, p); err != nil {
		t.Fatal(err)
	}
	sel := f.selectWith(t, "profile="+path)
	if got := plans(sel); got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
	if got := stateOf(sel, ChaCha20, "more/wrong"); got.State != SelfTestFailed {
		t.Errorf("more/wrong is %v", got)
	}
	if got := stateOf(sel, ChaCha20, "more/featured"); got.State != MissingFeature {
		t.Errorf("more/featured is %v", got)
	}
}

func profileKeyOf(t *testing.T, f *fakeTime) profile.Key {
	t.Helper()
	s, err := newSelector(newOptions([]Option{f.on}))
	if err != nil {
		t.Fatal(err)
	}
	return s.profileKey()
}

// TestClasses has two kinds of core without CPU numbers to pin to, whose priors
// disagree: neither core's favourite is bad enough to lose to the compromise.
func TestClasses(t *testing.T) {
	kernel := func(name string, blocks int, little, big float64) Kernel {
		return Kernel{Name: name, Kind: KindStream, Cipher: ChaCha, Blocks: blocks, XOR: reference.XORChaCha, Priors: []Prior{
			{CPU: "little", Rounds: 20, PerStep: little, Provenance: "estimated"}, {CPU: "big", Rounds: 20, PerStep: big, Provenance: "estimated"}}}
	}
	withBackends(t, []*Backend{
		{Name: "generic", Kernels: []Kernel{kernel("chacha", 1, 1000, 1000), salsaKernel(), countingMAC("generic", "poly1305", 1, 20, "")}},
		{Name: "forlittle", Kernels: []Kernel{kernel("x4", 4, 400, 900)}},
		{Name: "forbig", Kernels: []Kernel{kernel("x4", 4, 800, 300)}},
		{Name: "middle", Kernels: []Kernel{kernel("x4", 4, 500, 400)}},
	})
	sel, err := Select(noFeatures, func(o *options) {
		o.identify = func() cpu.Identity {
			return cpu.Identity{Classes: []cpu.Class{{Model: "big", Count: 2}, {Model: "little", Count: 4}}}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := stateOf(sel, ChaCha20, "middle/x4"); got.State != Selected {
		t.Errorf("middle/x4 is %v", got)
	}
	for _, c := range sel.Candidates(ChaCha20) {
		if len(c.Classes) != 2 || c.Classes[0].Class != "big" || c.Cost.PerStep != c.Classes[0].Cost.PerStep {
			t.Errorf("%s: classes %+v", c.Name(), c.Classes)
		}
	}
}
