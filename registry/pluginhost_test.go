package registry

import (
	"errors"
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
