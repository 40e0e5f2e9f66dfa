package registry

import (
	"errors"
	"strings"
	"testing"
)

// TestPluginsNeedAHost: this test program does not import the package plugin.
func TestPluginsNeedAHost(t *testing.T) {
	withBackends(t, testBackends())
	_, err := Select(WithOverride("mode=prior,plugins=/opt/x"))
	var override *OverrideError
	if !errors.As(err, &override) || !errors.Is(err, ErrNoPluginHost) || override.Place != 2 {
		t.Errorf("%v", err)
	}
}

// TestProcessDown takes a backend down after a selection and expects plans
// without it, then one from the start.
func TestProcessDown(t *testing.T) {
	withBackends(t, testBackends())
	remote := &Backend{Name: "remote", Process: new(Process), Kernels: []Kernel{
		counting("remote", "chacha", 1, 1000), countingMAC("remote", "poly1305", 1, 200, "")}}
	sel, err := Select(WithBackends(remote), WithOverride("?remote"))
	if err != nil {
		t.Fatal(err)
	}
	if !usesBackend(sel, "remote") {
		t.Fatal("the backend is not used")
	}
	replanned := make(chan struct{})
	remote.Process.watch(func() { close(replanned) })
	remote.Process.Down("call: the process is gone")
	<-replanned
	sel.selector.replanWithoutDown(&sel.sources)
	if usesBackend(sel, "remote") {
		t.Error("a plan uses a process that is down")
	}
	later, err := Select(WithBackends(remote), WithOverride("?remote"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range later.Candidates(ChaCha20) {
		if c.Backend == "remote" && c.State != PluginDown {
			t.Errorf("%s: %v", c.Name(), c.Outcome)
		}
	}
	if _, err := Select(WithBackends(remote, &Backend{Name: "remote"})); err == nil {
		t.Error("two backends of one name are taken")
	}
}

// TestForceOnProcessDown: a force holds no program to a process that goes down at
// work, but a new selection with it is refused.
func TestForceOnProcessDown(t *testing.T) {
	withBackends(t, testBackends())
	remote := &Backend{Name: "remote", Process: new(Process), Kernels: []Kernel{counting("remote", "chacha", 1, 1000)}}
	sel, err := Select(WithBackends(remote), WithOverride("chacha20=remote"))
	if err != nil {
		t.Fatal(err)
	}
	remote.Process.Down("deadline: no answer in time")
	sel.selector.replanWithoutDown(&sel.sources)
	if usesBackend(sel, "remote") {
		t.Error("a plan uses a process that is down")
	}
	for _, c := range sel.Candidates(ChaCha20) {
		if c.Backend == "remote" && c.State != PluginDown {
			t.Errorf("%s: %v", c.Name(), c.Outcome)
		}
	}
	if notes := strings.Join(sel.Notes(), "\n"); !strings.Contains(notes, "remote/chacha: plugin-down (deadline: no answer in time); chacha20=remote no longer holds") {
		t.Errorf("notes: %s", notes)
	}
	if _, err := Select(WithBackends(remote), WithOverride("chacha20=remote")); !errors.Is(err, ErrIneligible) {
		t.Errorf("a new selection: %v", err)
	}
	if _, err := sel.Under("chacha20=remote"); !errors.Is(err, ErrIneligible) {
		t.Errorf("the same selection under the force: %v", err)
	}
}

// TestProcessPays: the outcome of a kernel in another process says from which
// length on it pays, or that it never does.
func TestProcessPays(t *testing.T) {
	withBackends(t, testBackends())
	slow := counting("slow", "chacha", 1, 1e6)
	fast := counting("fast", "chacha", 1, 1)
	fast.Priors[0].Fixed = 5000
	sel, err := Select(WithOverride("mode=prior,profile=off"),
		WithBackends(&Backend{Name: "slow", Process: new(Process), Kernels: []Kernel{slow}}, &Backend{Name: "fast", Process: new(Process), Kernels: []Kernel{fast}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range sel.Candidates(ChaCha20) {
		switch c.Backend {
		case "slow":
			if !strings.Contains(c.Detail, "never faster") {
				t.Errorf("slow: %v", c.Outcome)
			}
		case "fast":
			if c.State != Selected || !strings.HasPrefix(c.Detail, "pays from ") {
				t.Errorf("fast: %v", c.Outcome)
			}
		}
	}
}

// TestBackendAlgorithms: kernels are used for nothing but what the backend allows.
func TestBackendAlgorithms(t *testing.T) {
	withBackends(t, testBackends())
	remote := &Backend{Name: "remote", Algorithms: []Algorithm{ChaCha20}, Kernels: []Kernel{counting("remote", "chacha", 1, 1)}}
	sel, err := Select(WithBackends(remote), WithOverride("?remote"))
	if err != nil {
		t.Fatal(err)
	}
	for a := range numAlgorithms {
		used := false
		for _, c := range usedIn(sel.sources[a].Plan().schedules) {
			used = used || c.backend == remote
		}
		if used != (a == ChaCha20) {
			t.Errorf("%v: used: %v", a, used)
		}
	}
	if _, err := Select(WithBackends(remote), WithOverride("chacha12=remote")); !errors.Is(err, ErrIneligible) {
		t.Errorf("forced where it is not allowed: %v", err)
	}
}

// TestKnownOutcomes: what is known to crash is never called, nor can it be forced.
func TestKnownOutcomes(t *testing.T) {
	withBackends(t, testBackends())
	crashing := counting("crashing", "chacha", 1, 1)
	crashing.XOR = func([]byte, []byte, *[16]uint32, int) { t.Error("called") }
	options := []Option{WithBackends(&Backend{Name: "crashing", Kernels: []Kernel{crashing}}),
		WithKnownOutcomes(map[string]Outcome{"crashing/chacha": {Crashed, "SIGILL"}, "nobody/knows": {Crashed, "SIGILL"}})}
	sel, err := Select(options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range sel.Candidates(ChaCha20) {
		if c.Backend == "crashing" && c.Outcome != (Outcome{Crashed, "SIGILL"}) {
			t.Errorf("%v", c.Outcome)
		}
	}
	if notes := strings.Join(sel.Notes(), "\n"); !strings.Contains(notes, "crashing/chacha: crashed (SIGILL)") {
		t.Errorf("notes: %s", notes)
	}
	if _, err := Select(append(options, WithOverride("chacha20=crashing"))...); !errors.Is(err, ErrIneligible) {
		t.Errorf("forced: %v", err)
	}
}

// usesBackend reports whether some plan uses a kernel of the backend.
func usesBackend(sel *Selection, name string) bool {
	for a := range numAlgorithms {
		for _, c := range usedIn(sel.sources[a].Plan().schedules) {
			if c.backend.Name == name {
				return true
			}
		}
	}
	return false
}
