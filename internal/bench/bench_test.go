package bench

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"

	_ "github.com/quarterround/quarterround/backends/all"
)

// small returns a configuration that takes hardly any time.
func small(t *testing.T, algorithms ...registry.Algorithm) Config {
	t.Helper()
	sel, err := registry.Select(registry.WithOverride("mode=prior"))
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Selection: sel, Override: "mode=prior", Algorithms: algorithms, Lengths: []int{64}, Rounds: 3, Batch: minBatch, Budget: time.Minute,
		Clock: measure.ThreadNow, Only: []string{Auto, "generic"},
	}
}

func run(t *testing.T, c Config) (*Bench, *board.Report) {
	t.Helper()
	b, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	b.Run()
	return b, b.Report(cpu.Identity{GOARCH: "arm64"}, time.Unix(0, 0))
}

// pointsOf returns "mode length candidate" of each point.
func pointsOf(r *board.Report) []string {
	var all []string
	for _, p := range r.Points {
		all = append(all, strings.Join([]string{p.Mode, p.Candidate, p.Kind}, " "))
	}
	return all
}

// TestEveryAlgorithm measures a cell of each, with the peer, in every mode.
func TestEveryAlgorithm(t *testing.T) {
	c := small(t, registry.Algorithms()...)
	c.Peers = []*Peer{XCrypto(c.Clock)}
	b, r := run(t, c)
	modes := map[string]bool{}
	for _, p := range r.Points {
		if !(p.Nanoseconds > 0) || p.Rounds != 3 || p.Cycles != 0 {
			t.Errorf("%+v", p)
		}
		modes[p.Algorithm+" "+p.Mode+" "+p.Candidate] = true
	}
	for _, want := range []string{
		"chacha20 encrypt auto", "chacha20 encrypt generic/chacha", "chacha20 encrypt x/crypto", "chacha20 call auto", "chacha20 set-up auto",
		"salsa20r8 encrypt generic/salsa", "poly1305 update x/crypto", "poly1305 call generic/poly1305",
		"xsalsa20poly1305 decrypt x/crypto", "xchacha20poly1305 encrypt generic", "chacha20poly1305 set-up auto",
	} {
		if !modes[want] {
			t.Errorf("no %s", want)
		}
	}
	if modes["chacha8 encrypt x/crypto"] {
		t.Error("x/crypto has no ChaCha8")
	}
	if len(r.Choices) != len(registry.Algorithms()) || r.Choices[0].Steps == "" || r.Choices[0].Provenance == "" {
		t.Errorf("choices: %+v", r.Choices)
	}
	samples := 0
	for range b.Samples {
		samples++
	}
	if samples != 3*len(r.Points) {
		t.Errorf("%d samples of %d points", samples, len(r.Points))
	}
}

// TestMessages checks that what is timed is the algorithm: ours and x/crypto do
// the same, and decrypting gives the plaintext back.
func TestMessages(t *testing.T) {
	sel, err := registry.Select(registry.WithOverride("mode=prior"))
	if err != nil {
		t.Fatal(err)
	}
	peer := XCrypto(measure.Now)
	for _, a := range registry.Algorithms() {
		for _, mode := range modesOf(a) {
			if !peer.Has(a, mode) {
				continue
			}
			in, err := NewInput(a, mode, 300, sel.Source(a))
			if err != nil {
				t.Fatal(err)
			}
			ours, err := in.message(sel.Source(a), a, mode)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := xcryptoMessage(a, mode, in)
			if err != nil {
				t.Fatal(err)
			}
			fill(in.Out)
			ours()
			got := bytes.Clone(in.Out)
			fill(in.Out)
			theirs()
			if !bytes.Equal(got, in.Out) {
				t.Errorf("%v %s: ours and x/crypto differ", a, mode)
			}
			if mode == board.Decrypt && !bytes.Equal(got[:300], in.Plaintext) {
				t.Errorf("%v: the plaintext does not come back", a)
			}
		}
	}
}

func fill(b []byte) {
	for i := range b {
		b[i] = 0xaa
	}
}

// fakeTimer takes so many ns by a clock that only it moves.
func fakePeer(name string, ns float64) *Peer {
	return &Peer{Name: name, Has: func(_ registry.Algorithm, mode string) bool { return mode == board.Encrypt },
		Timer: func(registry.Algorithm, string, *Input) (measure.Timer, error) {
			return func(calls int) (time.Duration, error) { return time.Duration(float64(calls) * ns), nil }, nil
		}}
}

// TestPeers get the time that they say, and those that fail are left out with the
// reason while the others go on.
func TestPeers(t *testing.T) {
	c := small(t, registry.ChaCha20)
	failing, calls := fakePeer("failing", 1), 0
	failing.Timer = func(registry.Algorithm, string, *Input) (measure.Timer, error) {
		return func(int) (time.Duration, error) {
			if calls++; calls > 8 {
				return 0, errors.New("its process is gone")
			}
			return time.Microsecond, nil
		}, nil
	}
	c.Peers = []*Peer{fakePeer("steady", 500), failing}
	_, r := run(t, c)
	i := slices.IndexFunc(r.Points, func(p board.Point) bool { return p.Candidate == "steady" })
	if i < 0 || math.Abs(r.Points[i].Nanoseconds/500-1) > 0.01 || r.Points[i].Kind != board.Peer {
		t.Errorf("steady: %+v", r.Points)
	}
	if slices.ContainsFunc(r.Points, func(p board.Point) bool { return p.Candidate == "failing" }) {
		t.Error("a peer that failed has a figure")
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool {
		return strings.Contains(w, "failing failed, chacha20 encrypt: its process is gone")
	}) {
		t.Errorf("warnings: %q", r.Warnings)
	}
}

func TestOnly(t *testing.T) {
	c := small(t, registry.Poly1305)
	c.Only = []string{"generic", "poly64/go"}
	_, r := run(t, c)
	want := []string{"update generic/poly1305 backend", "update poly64/go backend", "call generic/poly1305 backend", "call poly64/go backend"}
	if got := pointsOf(r); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	c.Only = []string{"poly65"}
	var unknown *UnknownError
	if _, err := New(c); !errors.As(err, &unknown) || unknown.Name != "poly65" || !slices.Contains(unknown.Valid, "poly64") {
		t.Errorf("got %v", err)
	}
}

// TestClock counts cycles by the clock that it is given.
func TestClock(t *testing.T) {
	c := small(t, registry.ChaCha20)
	c.ClockHz = 2.5e9
	_, r := run(t, c)
	for _, p := range r.Points {
		if math.Abs(p.Cycles/p.Nanoseconds-2.5) > 1e-9 {
			t.Errorf("%+v", p)
		}
	}
}

// TestStopped keeps what was measured.
func TestStopped(t *testing.T) {
	c := small(t, registry.ChaCha20, registry.Salsa20)
	b, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	half := false
	b.Stop = func() bool { return half }
	b.Progress = func(done float64) { half = done > 0.9 && done < 1 }
	b.Rounds = 6
	b.Run()
	r := b.Report(cpu.Identity{}, time.Now())
	if len(r.Points) == 0 || !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "interrupted") }) {
		t.Errorf("%d points, warnings %q", len(r.Points), r.Warnings)
	}
	fewer := slices.ContainsFunc(r.Points, func(p board.Point) bool { return p.Rounds == 5 })
	all := slices.ContainsFunc(r.Points, func(p board.Point) bool { return p.Rounds == 6 })
	if !fewer || !all {
		t.Errorf("rounds: fewer %v, all %v", fewer, all)
	}
}

// TestFit makes room in a budget before anything runs.
func TestFit(t *testing.T) {
	c := small(t, registry.Algorithms()...)
	c.Only, c.Lengths, c.Rounds, c.Batch, c.Budget = nil, Lengths, Rounds, time.Second, time.Hour
	rich, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Budget, c.Rounds = 20*time.Second, math.MaxInt32
	poor, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if poor.Batch >= rich.Batch || poor.unbounded() > float64(c.Budget) {
		t.Errorf("with %v: %d rounds, batches of %v, estimate %v; with an hour %v", c.Budget, poor.Rounds, poor.Batch, poor.Estimate(), rich.Batch)
	}
}

func TestWarnings(t *testing.T) {
	b := &Bench{Config: Config{Budget: time.Second, Notes: []string{"noted"}}, worked: 50, spinning: 100, late: true, spins: []float64{1, 1, 1, 1, 1.3, 1.3, 1.3, 1.3}}
	id := cpu.Identity{Emulator: "qemu-user", Governor: "ondemand"}
	text := strings.Join(b.warnings(id), "\n")
	for _, want := range []string{"emulated by qemu-user", `"ondemand"`, "50 %", "clock moved: the same work took up to 30 %", "noted", "out of time"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	quiet := &Bench{worked: 99, spinning: 100, spins: []float64{1, 1.01, 1, 1.02, 1}}
	if all := quiet.warnings(cpu.Identity{Governor: "performance"}); len(all) > 0 {
		t.Errorf("warnings: %q", all)
	}
}

// TestRedact takes paths out of overrides, which hold the names of users.
func TestRedact(t *testing.T) {
	for given, want := range map[string]string{
		"":                         "",
		"mode=prior,-avx2":         "mode=prior,-avx2",
		"profile=off":              "profile=off",
		"profile=/a/b/p.json,poly": "profile=...,poly",
		" Plugins=/a:/b , ?x":      "plugins=..., ?x",
	} {
		if got := redact(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}

// TestUnrest states no time more exactly than that of a fixed chain of operations.
func TestUnrest(t *testing.T) {
	b := &Bench{spins: []float64{1, 1, 1, 1.2, 1.2, 1.2, 1.2}}
	b.cells = []*cell{{
		algorithm: registry.ChaCha20, mode: board.Encrypt, length: 64,
		candidates: []*Candidate{{Name: "calm"}, {Name: "wild"}, {Name: "calm too"}},
		samples:    [][]float64{{100, 100, 100, 100}, {100, 300, 100, 300}, {50, 50, 50, 50}},
	}}
	points := b.points(b.cells[0])
	if len(points) != 3 || math.Abs(points[0].Spread-0.1/1.2) > 1e-4 || points[0].RatioSpread > points[0].Spread || points[1].Spread < 0.3 {
		t.Errorf("%+v", points)
	}
}
