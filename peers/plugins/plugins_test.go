package plugins_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/peers"
	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

// names are the programs, and the algorithms each has.
var names = map[string][]string{
	"openssl":   {"chacha20", "poly1305", "chacha20poly1305"},
	"libsodium": {"chacha20", "salsa20", "poly1305", "chacha20poly1305", "xsalsa20poly1305"},
	"nettle":    {"chacha20", "salsa20", "chacha20poly1305"},
	"libgcrypt": {"chacha20", "salsa20", "poly1305", "chacha20poly1305"},
	"xcrypto":   {"chacha20", "salsa20", "poly1305", "chacha20poly1305", "xsalsa20poly1305"},
}

// TestPlugins builds the plugins by the command in README.md and compares what they
// give, through the wire and when measured, with ours.
func TestPlugins(t *testing.T) {
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", folder+string(os.PathSeparator), "./...")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	defer plugin.Cleanup()
	for name, algorithms := range names {
		t.Run(name, func(t *testing.T) {
			config := &plugin.Config{StartTimeout: 30 * time.Second, CallTimeout: 30 * time.Second}
			p, err := plugin.Open(context.Background(), filepath.Join(folder, name), config)
			if err != nil && strings.Contains(err.Error(), "missing") {
				testenv.Missing(t, err.Error())
			} else if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if got := p.Backend().Name; got != name {
				t.Errorf("it calls itself %q", got)
			}
			if got := strings.Join(p.Algorithms(), " "); got != strings.Join(algorithms, " ") {
				t.Errorf("algorithms %s", got)
			}
			for _, f := range p.Functions() {
				t.Run(f.String(), func(t *testing.T) { compare(t, p, f) })
			}
			refused(t, p)
		})
	}
}

// peerNames are what package peers calls the functions.
func peerName(f plugin.Function) string {
	switch {
	case f.Algorithm == registry.XSalsa20Poly1305:
		return "secretbox " + f.Operation.String()
	case f.Algorithm.IsAEAD():
		return f.String()
	}
	return f.Algorithm.String()
}

func compare(t *testing.T, p *plugin.Plugin, f plugin.Function) {
	ctx := context.Background()
	random := rand.NewChaCha8([32]byte{3})
	secret := new([32]byte)
	random.Read(secret[:])
	ours := peers.Ours().New(peerName(f), secret)
	key, err := p.NewKey(ctx, f.Algorithm, secret[:])
	if err != nil {
		t.Fatal(err)
	}
	defer key.Drop(ctx)
	for _, n := range []int{0, 1, 64, 1350, 70000} {
		src, nonce := peers.Input(peerName(f), secret, n, random)
		size, _ := f.Sizes(n)
		want := make([]byte, size)
		ours(want, src, nonce, 1)
		got, err := call(ctx, key, f.Operation, nonce, src)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %v, or other bytes than ours", n, err)
		}
		if f.Operation == plugin.OperationOpen {
			src[n/2] ^= 1
			if _, err := call(ctx, key, f.Operation, nonce, src); !errors.Is(err, plugin.ErrOpen) {
				t.Errorf("%d forged bytes: %v", n, err)
			}
		}
		times, err := p.Measure(ctx, plugin.Timing{Function: f, Length: n, Messages: 3, Rounds: 2})
		if err != nil || len(times) != 2 || times[0] <= 0 {
			t.Errorf("Measure at %d bytes: %v, %v", n, times, err)
		}
	}
}

func call(ctx context.Context, key *plugin.Key, o plugin.Operation, nonce, src []byte) ([]byte, error) {
	switch o {
	case plugin.OperationSeal:
		return key.Seal(ctx, nonce, src, nil)
	case plugin.OperationOpen:
		return key.Open(ctx, nonce, src, nil)
	case plugin.OperationMAC:
		return key.MAC(ctx, src)
	}
	return key.XOR(ctx, nonce, 0, src)
}

// refused checks that what a peer cannot do is an error, and does not end it.
func refused(t *testing.T, p *plugin.Plugin) {
	ctx := context.Background()
	if _, err := p.NewKey(ctx, registry.ChaCha8, make([]byte, 32)); err == nil {
		t.Error("chacha8 is offered")
	}
	key, err := p.NewKey(ctx, registry.ChaCha20Poly1305, make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	var e *plugin.Error
	if _, err := key.Seal(ctx, make([]byte, 12), nil, []byte("additional")); !errors.As(err, &e) {
		t.Errorf("additional data: %v", err)
	}
	if p.Stage() != "" {
		t.Errorf("down: %s", p.Stage())
	}
}
