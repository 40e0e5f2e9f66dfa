package main

import (
	"testing"

	"github.com/quarterround/quarterround/registry"
)

// TestUnderToo: what the environment excludes is no rival.
func TestUnderToo(t *testing.T) {
	t.Setenv(registry.EnvironmentVariable, "-poly64,-poly32")
	sel, err := registry.Select(registry.WithOverride("mode=prior"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := underToo(sel, "chacha20=generic")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range other.Candidates(registry.Poly1305) {
		if c.Backend == "poly64" && c.Cost != nil {
			t.Errorf("%s is %s", c.Name(), c.State)
		}
		if c.Name() == "poly32/go" && c.State != registry.Excluded {
			t.Errorf("%s is %v", c.Name(), c.State)
		}
	}
	if states := other.Candidates(registry.ChaCha20); states[0].State == registry.Selected {
		t.Errorf("%s is selected, not forced", states[0].Name())
	}
}
