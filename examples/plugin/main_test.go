package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

// TestBackend proves the kernel before it is put behind a wire.
func TestBackend(t *testing.T) { registrytest.TestBackend(t, backend) }

// TestChosen builds the plugin and forces it.
func TestChosen(t *testing.T) {
	program := filepath.Join(t.TempDir(), "columns")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p, err := plugin.Open(context.Background(), program, &plugin.Config{StartTimeout: time.Minute, CallTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	sel, err := registry.Select(registry.WithBackends(p.Backend()), registry.WithOverride("chacha20=columns,mode=prior,profile=off"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range sel.Candidates(registry.ChaCha20) {
		if c.Backend == "columns" && c.State != registry.Forced {
			t.Errorf("%s: %v", c.Name(), c.Outcome)
		}
	}
}
