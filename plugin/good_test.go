package plugin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

var (
	testKey   = bytes.Repeat([]byte{7}, 32)
	testNonce = bytes.Repeat([]byte{9}, 12)
)

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*31 + i>>9)
	}
	return b
}

// TestSizes compares messages of many sizes with golang.org/x/crypto.
func TestSizes(t *testing.T) {
	p := open(t, "good", patient())
	ctx := context.Background()
	sealing, err := p.NewKey(ctx, registry.ChaCha20Poly1305, testKey)
	if err != nil {
		t.Fatal(err)
	}
	encrypting, err := p.NewKey(ctx, registry.ChaCha20, testKey)
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := chacha20poly1305.New(testKey)
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int{0, 1, 63, 64, 4<<20 - 1, 4 << 20, 5 << 20}
	if !testing.Short() && !raceEnabled {
		sizes = append(sizes, 64<<20)
	}
	for _, n := range sizes {
		message, additional := pattern(n), []byte("additional")
		want := oracle.Seal(nil, testNonce, message, additional)
		sealed, err := sealing.Seal(ctx, testNonce, message, additional)
		if err != nil || !bytes.Equal(sealed, want) {
			t.Fatalf("Seal of %d bytes: %v", n, err)
		}
		opened, err := sealing.Open(ctx, testNonce, sealed, additional)
		if err != nil || !bytes.Equal(opened, message) {
			t.Fatalf("Open of %d bytes: %v", n, err)
		}
		if n > 5<<20 {
			continue
		}
		sealed[n/2] ^= 1
		if out, err := sealing.Open(ctx, testNonce, sealed, additional); !errors.Is(err, ErrOpen) || out != nil {
			t.Errorf("Open of %d forged bytes: %v", n, err)
		}
		stream, err := chacha20.NewUnauthenticatedCipher(testKey, testNonce)
		if err != nil {
			t.Fatal(err)
		}
		plain := make([]byte, n)
		stream.XORKeyStream(plain, message)
		got, err := encrypting.XOR(ctx, testNonce, 0, message)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("XOR of %d bytes: %v", n, err)
		}
	}
	if _, err := sealing.Seal(ctx, testNonce[:8], nil, nil); err == nil {
		t.Error("a short nonce is taken")
	}
	if err := sealing.Drop(ctx); err != nil {
		t.Error(err)
	}
	var e *Error
	if _, err := sealing.Seal(ctx, testNonce, nil, nil); !errors.As(err, &e) || p.Stage() != "" {
		t.Errorf("a dropped key: %v", err)
	}
}

// TestBatch compares a batch with single calls.
func TestBatch(t *testing.T) {
	p := open(t, "good", patient())
	ctx := context.Background()
	key, err := p.NewKey(ctx, registry.ChaCha20Poly1305, testKey)
	if err != nil {
		t.Fatal(err)
	}
	oracle, _ := chacha20poly1305.New(testKey)
	messages := make([]Message, 700)
	for i := range messages {
		messages[i] = Message{Key: key, Nonce: testNonce, Data: pattern(i * 7)}
	}
	messages[3].Nonce = nil
	messages[5] = Message{Key: key, Nonce: testNonce, Data: pattern(40), Open: true}
	if err := p.Batch(ctx, messages); err != nil {
		t.Fatal(err)
	}
	for i, m := range messages {
		switch i {
		case 3:
			if m.Err == nil {
				t.Error("a message without nonce is taken")
			}
		case 5:
			if !errors.Is(m.Err, ErrOpen) {
				t.Errorf("a forged message: %v", m.Err)
			}
		default:
			if m.Err != nil || !bytes.Equal(m.Result, oracle.Seal(nil, testNonce, m.Data, nil)) {
				t.Errorf("message %d: %v", i, m.Err)
			}
		}
	}
}

// TestManyGoroutines uses one plugin from 32 goroutines.
func TestManyGoroutines(t *testing.T) {
	p := open(t, "good", patient())
	ctx := context.Background()
	oracle, _ := chacha20poly1305.New(testKey)
	var group sync.WaitGroup
	for g := range 32 {
		group.Go(func() {
			key, err := p.NewKey(ctx, registry.ChaCha20Poly1305, testKey)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 8 {
				message := pattern(g*100 + i)
				sealed, err := key.Seal(ctx, testNonce, message, nil)
				if err != nil || !bytes.Equal(sealed, oracle.Seal(nil, testNonce, message, nil)) {
					t.Errorf("goroutine %d: %v", g, err)
				}
			}
		})
	}
	group.Wait()
}

// TestKilledUnderLoad kills a plugin that 32 goroutines use by a plan: none may see
// other bytes.
func TestKilledUnderLoad(t *testing.T) {
	p := open(t, "good", patient())
	sel, err := registry.Select(registry.WithBackends(p.Backend()), registry.WithOverride("chacha20=tested,mode=prior,profile=off"))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for g := range 32 {
		group.Go(func() {
			for i := range 20 {
				data := pattern(g*100 + i + 1)
				want := make([]byte, len(data))
				stream, err := chacha20.NewUnauthenticatedCipher(testKey, testNonce)
				if err != nil {
					t.Error(err)
					return
				}
				stream.XORKeyStream(want, data)
				c := new(cipher.Stream)
				if err := c.Init(sel.Source(registry.ChaCha20), registry.ChaCha20, testKey, testNonce, ""); err != nil {
					t.Error(err)
					return
				}
				c.XORKeyStream(data, data)
				if !bytes.Equal(data, want) {
					t.Errorf("goroutine %d, message %d: wrong bytes", g, i)
				}
				if g == 7 && i == 5 {
					p.command.Process.Kill()
				}
			}
		})
	}
	group.Wait()
	waitFor(t, "the plugin to be down", func() bool { return p.Stage() != "" })
}

// TestCyclesLeakNothing starts and ends plugins and counts what is left.
func TestCyclesLeakNothing(t *testing.T) {
	cycles := 50
	if testing.Short() || raceEnabled || runtime.GOARCH != "amd64" {
		cycles = 5
	}
	t.Setenv(roleVariable, "good")
	cycle := func() string {
		p, err := Open(context.Background(), program(t), patient())
		if err != nil {
			t.Fatal(err)
		}
		p.Close()
		return p.folder
	}
	cycle()
	goroutines, files := runtime.NumGoroutine(), openFiles()
	for range cycles {
		if folder := cycle(); exists(folder) {
			t.Errorf("%s is left", folder)
		}
	}
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= goroutines+2 })
	waitFor(t, "files to be closed", func() bool { return openFiles() <= files+2 })
}

// openFiles returns the number of open descriptors, 0 where that is not known.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// TestTemporaryFolders starts a plugin where TMPDIR is too long for a socket or
// cannot be written, and without HOME.
func TestTemporaryFolders(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	if err := os.MkdirAll(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{long, "/proc"} {
		t.Run(place[:5], func(t *testing.T) {
			t.Setenv("TMPDIR", place)
			t.Setenv("XDG_RUNTIME_DIR", "")
			t.Setenv("HOME", "")
			open(t, "good", patient())
		})
	}
}

// TestManifest opens a folder with a good plugin and a changed one.
func TestManifest(t *testing.T) {
	self := program(t)
	folder := t.TempDir()
	content, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"good", "changed"} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	entry := func(file string, sum [32]byte) string {
		return fmt.Sprintf(`{"name":"tested","file":%q,"sha256":"%x","algorithms":["chacha20"]}`, file, sum)
	}
	manifest := `{"plugins":[` + entry("changed", [32]byte{}) + "," + entry("good", sha256.Sum256(content)) + "]}"
	if err := os.WriteFile(filepath.Join(folder, ManifestName), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(roleVariable, "good")
	plugins, errs := OpenAll(context.Background(), folder, patient())
	if len(plugins) != 1 || len(errs) != 1 {
		t.Fatalf("%v, %v", plugins, errs)
	}
	var e *Error
	if !errors.As(errs[0], &e) || e.Stage != StageChecksum {
		t.Errorf("%v", errs[0])
	}
	// The manifest allows one algorithm.
	ctx := context.Background()
	if _, err := plugins[0].NewKey(ctx, registry.ChaCha20, testKey); err != nil {
		t.Error(err)
	}
	if _, err := plugins[0].NewKey(ctx, registry.ChaCha20Poly1305, testKey); !errors.As(err, &e) {
		t.Errorf("a key that the manifest does not allow: %v", err)
	}
	sel, err := registry.Select(registry.WithBackends(plugins[0].Backend()), registry.WithOverride("?tested,mode=prior,profile=off"))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range registry.Algorithms() {
		used := false
		for _, c := range sel.Candidates(a) {
			used = used || c.Backend == "tested"
		}
		if used != (a == registry.ChaCha20) {
			t.Errorf("%v: a candidate: %v", a, used)
		}
	}
	closeAll()
}

// TestEnvironment checks that a plugin's environment holds nothing it need not have.
func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_THE_HOST", "x")
	p := open(t, "good", patient())
	if env := strings.Join(p.command.Env, "\n"); strings.Contains(env, "SECRET_OF_THE_HOST") {
		t.Error("the plugin gets all of the host's environment")
	}
}
