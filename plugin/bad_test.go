package plugin

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// TestBadPlugins opens what is no good plugin: each gives an Error of one line,
// at the right stage.
func TestBadPlugins(t *testing.T) {
	self := program(t)
	folder := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := filepath.Join(folder, "link")
	if err := os.Symlink(filepath.Join(folder, "nowhere"), link); err != nil {
		t.Fatal(err)
	}
	// The head of an ELF file for s390x.
	foreign := "\x7fELF\x02\x02\x01" + strings.Repeat("\x00", 9) + "\x00\x02\x00\x16\x00\x00\x00\x01" + strings.Repeat("\x00", 40)
	sum := make([]byte, 32)
	hang := patient()
	hang.StartTimeout = 300 * time.Millisecond
	checksum := patient()
	checksum.SHA256 = sum
	for _, test := range []struct {
		name, path, role string
		config           *Config
		stage            Stage
		reason           string
	}{
		{"nothing there", filepath.Join(folder, "none"), "", nil, StageFile, "no such file"},
		{"dangling link", link, "", nil, StageFile, "does not exist"},
		{"folder", folder, "", nil, StageFile, "a folder"},
		{"not executable", write("plain", "x", 0o600), "", nil, StageFile, "not executable"},
		{"text", write("text", "hello\n", 0o700), "", nil, StageFile, "not a program"},
		{"other GOARCH", write("foreign", foreign, 0o700), "", nil, StageFile, ""},
		{"exits", self, "exits", nil, StageStart, "exited"},
		{"hangs", self, "hangs", hang, StageStart, "no handshake"},
		{"writes to standard output", self, "writes", nil, StageStart, "hello from a plugin"},
		{"wrong cookie", self, "cookie", nil, StageStart, "exited"},
		{"wrong version", self, "version", nil, StageVersion, "speaks 1"},
		{"wrong checksum", self, "good", checksum, StageChecksum, "SHA-256"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(roleVariable, test.role)
			if test.config == nil {
				test.config = patient()
			}
			p, err := Open(context.Background(), test.path, test.config)
			if err == nil {
				p.Close()
				t.Fatal("opened")
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			if e.Stage != test.stage || !strings.Contains(e.Reason, test.reason) || strings.Contains(e.Error(), "\n") {
				t.Errorf("%v", e)
			}
		})
	}
}

// TestPrintsInInit prints before main, which the SDK keeps from the protocol.
func TestPrintsInInit(t *testing.T) { open(t, "prints", patient()) }

// TestFailsAtWork checks that a plugin which fails in mid-call does no harm: the
// bytes are right, the backend is down with its stage, and later plans do without
// it.
func TestFailsAtWork(t *testing.T) {
	for _, test := range []struct{ role, stage string }{
		{"crashes", "call"}, {"panics", "call"}, {"slow", "deadline"}, {"short", "call"}, {"long", "call"},
	} {
		t.Run(test.role, func(t *testing.T) {
			failAtWork(t, test.role, test.stage, "?tested,")
		})
	}
}

// TestForcedFailsAtWork checks that a force does not hold a program to a plugin
// that is gone: the call in flight is computed, later ones follow another plan,
// and the notes say so. A new selection with the same force is refused.
func TestForcedFailsAtWork(t *testing.T) {
	const override = "chacha20=tested,"
	sel, p := failAtWork(t, "crashes", "call", override)
	if notes := strings.Join(sel.Notes(), "\n"); !strings.Contains(notes, "chacha20=tested no longer holds") {
		t.Errorf("notes: %s", notes)
	}
	var refused *registry.OverrideError
	_, err := registry.Select(registry.WithBackends(p.Backend()), registry.WithOverride(override+"mode=prior,profile=off"))
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "plugin-down") {
		t.Errorf("a new selection: %v", err)
	}
	if _, err := sel.Under("chacha20=tested"); !errors.As(err, &refused) {
		t.Errorf("a selection under a force: %v", err)
	}
}

// failAtWork uses a plugin that fails in its role until it is down.
func failAtWork(t *testing.T, role, stage, override string) (*registry.Selection, *Plugin) {
	p := open(t, role, patient())
	if role == "slow" {
		defer func() { p.config.CallTimeout = time.Minute }()
	}
	sel, err := registry.Select(registry.WithBackends(p.Backend()), registry.WithOverride(override+"mode=prior,profile=off"))
	if err != nil {
		t.Fatal(err)
	}
	if state := stateOfKernel(sel, "tested/chacha"); state.State != registry.Forced {
		t.Fatalf("before: %v", state)
	}
	if role == "slow" {
		p.config.CallTimeout = 300 * time.Millisecond
	}
	state := [16]uint32{1, 2, 3}
	want := make([]byte, 3*atWork+5)
	wanted := state
	padded := make([]byte, 4*atWork)
	reference.XORChaCha(padded, padded, &wanted, 20)
	copy(want, padded)
	got := make([]byte, len(want))
	sel.Source(registry.ChaCha20).Plan().For(len(got)).XOR(got, got, &state)
	if !bytes.Equal(got, want) {
		t.Error("wrong bytes")
	}
	if got := p.Stage(); !strings.HasPrefix(got, stage) {
		t.Errorf("stage %q", got)
	}
	waitFor(t, "a plan without the plugin", func() bool {
		return stateOfKernel(sel, "tested/chacha").State == registry.PluginDown
	})
	waitFor(t, "no kernel of the plugin in the plan", func() bool {
		steps, _ := sel.Compose(registry.ChaCha20, atWork)
		return steps[0].Kernel != "tested/chacha"
	})
	return sel, p
}

func stateOfKernel(sel *registry.Selection, name string) registry.Outcome {
	for _, c := range sel.Candidates(registry.ChaCha20) {
		if c.Name() == name {
			return c.Outcome
		}
	}
	return registry.Outcome{}
}

// waitFor waits until condition holds, for as long as a busy machine may take.
func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(10 * time.Millisecond) {
		if condition() {
			return
		}
	}
	t.Errorf("waited in vain for: %s", what)
}

// TestWrongPlugins checks that the self-test and the CPU's features keep out what
// cannot be used.
func TestWrongPlugins(t *testing.T) {
	for role, want := range map[string]registry.State{"wrong": registry.SelfTestFailed, "feature": registry.MissingFeature} {
		t.Run(role, func(t *testing.T) {
			p := open(t, role, patient())
			sel, err := registry.Select(registry.WithBackends(p.Backend()), registry.WithOverride("?tested,mode=prior,profile=off"))
			if err != nil {
				t.Fatal(err)
			}
			if state := stateOfKernel(sel, "tested/chacha"); state.State != want {
				t.Errorf("%v", state)
			}
			if p.Stage() != "" {
				t.Errorf("down: %s", p.Stage())
			}
		})
	}
}

// TestWrongLibrary checks that a cipher of whole messages which is wrong gets no
// key, and is not timed.
func TestWrongLibrary(t *testing.T) {
	p := open(t, "library", patient())
	ctx := context.Background()
	function := Function{registry.ChaCha20, OperationXOR}
	for _, n := range []int{64, 1 << 10} {
		times, err := p.Measure(ctx, Timing{Function: function, Length: n, Messages: 2, Rounds: 3})
		if wrong := n > 513; (err != nil) != wrong || (len(times) != 3) != wrong {
			t.Errorf("Measure of %d bytes: %v, %v", n, times, err)
		}
		if n > 513 && (err == nil || !strings.Contains(err.Error(), "wrong result")) {
			t.Errorf("Measure of %d bytes: %v", n, err)
		}
	}
}

// TestWrongLibraryGetsNoKey is the same for keys.
func TestWrongLibraryGetsNoKey(t *testing.T) {
	p := open(t, "library", patient())
	var e *Error
	if _, err := p.NewKey(context.Background(), registry.ChaCha20, testKey); !errors.As(err, &e) || e.Stage != StageSelfTest {
		t.Errorf("%v", err)
	}
}

// TestCheck checks kernels inside a plugin: one that is right, and one that ends
// the process.
func TestCheck(t *testing.T) {
	p := open(t, "panics", patient())
	ctx := context.Background()
	passed := 0
	each := func(e CheckEvent) {
		if e.Failure != "" || e.Skipped != "" {
			t.Errorf("%+v", e)
		}
		passed++
	}
	if err := p.Check(ctx, "chacha", SelfTest, time.Minute, each); err != nil || passed != 1 {
		t.Errorf("self-test: %v, %d events", err, passed)
	}
	if err := p.Check(ctx, "nothing", SelfTest, time.Minute, nil); err == nil || p.Stage() != "" {
		t.Errorf("a kernel that is not there: %v", err)
	}
	// At this length the kernel panics; the suite recovers panics, so that one is a
	// failure of a check and no crash.
	failed := false
	err := p.Check(ctx, "chacha", Suite, time.Minute, func(e CheckEvent) { failed = failed || strings.Contains(e.Failure, "a bug") })
	if err != nil || !failed {
		t.Errorf("the suite: %v, failed %v", err, failed)
	}
	crashing := open(t, "crashes", patient())
	var crash *CrashError
	if err := crashing.Check(ctx, "chacha", Suite, time.Minute, nil); !errors.As(err, &crash) || crash.Signal != "exit" {
		t.Errorf("a crash: %v", err)
	}
}
