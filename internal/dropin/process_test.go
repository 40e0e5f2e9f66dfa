package dropin_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	xaead "golang.org/x/crypto/chacha20poly1305"
	xsalsa20 "golang.org/x/crypto/salsa20"

	"github.com/quarterround/quarterround/chacha20"
	"github.com/quarterround/quarterround/chacha20poly1305"
	"github.com/quarterround/quarterround/internal/twintest"
	"github.com/quarterround/quarterround/nacl/secretbox"
	"github.com/quarterround/quarterround/poly1305"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/salsa20"
	"github.com/quarterround/quarterround/salsa20/salsa"
)

// What depends on the environment, or on being the first call of the process, is
// tested in processes of their own: the test program starts itself.

// badEnvironment tells a process started by TestBadEnvironment what to do.
const badEnvironment = "QUARTERROUND_TEST_BAD_ENVIRONMENT"

func TestMain(m *testing.M) {
	if os.Getenv(badEnvironment) != "" {
		reportBadEnvironment()
		return
	}
	os.Exit(m.Run())
}

// again runs some of the tests of this program in a new process.
func again(t *testing.T, tests string, environment ...string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return run(t, environment, program, "-test.run=^("+tests+")$", "-test.short", "-test.v")
}

func TestEveryBackendByEnvironment(t *testing.T) {
	sel, err := registry.Select()
	if err != nil {
		t.Fatal(err)
	}
	backends := map[string]bool{}
	for _, a := range registry.Algorithms() {
		for _, c := range sel.Candidates(a) {
			if c.Cost != nil {
				backends[c.Backend] = true
			}
		}
	}
	for backend := range backends {
		t.Run(backend, func(t *testing.T) {
			output := again(t, "TestSameBytesAsXCrypto", registry.EnvironmentVariable+"="+backend)
			if !strings.Contains(output, "--- PASS: TestSameBytesAsXCrypto") {
				t.Error(output)
			}
		})
	}
}

func TestConcurrentFirstUse(t *testing.T) {
	for range 3 {
		if output := again(t, "TestConcurrentUse"); !strings.Contains(output, "--- PASS: TestConcurrentUse") {
			t.Error(output)
		}
	}
}

// TestConcurrentUse calls every package from many goroutines that start
// together.
func TestConcurrentUse(t *testing.T) {
	key := [32]byte(twintest.Random(1, 32))
	nonce := [24]byte(twintest.Random(2, 24))
	msg := twintest.Random(3, 1000)
	x, err := xaead.New(key[:])
	if err != nil {
		t.Fatal(err)
	}
	wantSealed := x.Seal(nil, nonce[:12], msg, nil)
	wantStream := make([]byte, len(msg))
	xsalsa20.XORKeyStream(wantStream, msg, nonce[:], &key)
	uses := []func() error{
		func() error {
			a, err := chacha20poly1305.New(key[:])
			if err != nil {
				return err
			}
			return same(a.Seal(nil, nonce[:12], msg, nil), wantSealed)
		},
		func() error {
			c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:12])
			if err != nil {
				return err
			}
			c.SetCounter(1)
			got := make([]byte, len(msg))
			c.XORKeyStream(got, msg)
			return same(got, wantSealed[:len(msg)])
		},
		func() error {
			got := make([]byte, len(msg))
			salsa20.XORKeyStream(got, msg, nonce[:], &key)
			return same(got, wantStream)
		},
		func() error {
			box := secretbox.Seal(nil, msg, &nonce, &key)
			got, ok := secretbox.Open(nil, box, &nonce, &key)
			if !ok {
				return errors.New("secretbox: not opened")
			}
			return same(got, msg)
		},
		func() error {
			var tag [16]byte
			poly1305.Sum(&tag, msg, &key)
			if !poly1305.Verify(&tag, msg, &key) {
				return errors.New("poly1305: not verified")
			}
			return nil
		},
	}
	var ready, wg sync.WaitGroup
	ready.Add(1)
	for i := range 40 {
		wg.Go(func() {
			ready.Wait()
			for j := range uses {
				if err := uses[(i+j)%len(uses)](); err != nil {
					t.Error(err)
				}
			}
		})
	}
	ready.Done()
	wg.Wait()
}

func same(got, want []byte) error {
	if !bytes.Equal(got, want) {
		return fmt.Errorf("got %x, want %x", got, want)
	}
	return nil
}

// TestBadEnvironment asks for a backend that does not exist. Functions that can
// return an error return it, each time; the others panic with its text.
func TestBadEnvironment(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for value, wants := range map[string][]string{
		"genric":                {"genric", "generic"},
		"poly1305=nosuch":       {"nosuch", "poly26"},
		"generic,-generic":      {"generic"},
		"mode=generic,poly26":   {"poly26"},
		"chacha20@lots=generic": {"lots"},
	} {
		output := run(t, []string{badEnvironment + "=1", registry.EnvironmentVariable + "=" + value}, program)
		lines := strings.Split(strings.TrimSpace(output), "\n")
		if len(lines) != 9 {
			t.Fatalf("%s: %s", value, output)
		}
		for _, line := range lines {
			if line != lines[0] {
				t.Errorf("%s: two texts:\n%s\n%s", value, lines[0], line)
			}
			for _, want := range wants {
				if !strings.Contains(line, want) {
					t.Errorf("%s: %q does not mention %s", value, line, want)
				}
			}
		}
	}
}

// reportBadEnvironment prints what each package says, a line each.
func reportBadEnvironment() {
	var key [32]byte
	var nonce [24]byte
	report := func(text string) { fmt.Println(strings.ReplaceAll(text, "\n", " ")) }
	for range 2 {
		_, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:12])
		var override *registry.OverrideError
		if !errors.As(err, &override) {
			report(fmt.Sprintf("no *registry.OverrideError: %v", err))
		}
		report(fmt.Sprint(err))
	}
	_, err := chacha20poly1305.NewX(key[:])
	report(fmt.Sprint(err))
	_, err = chacha20.HChaCha20(key[:], nonce[:16])
	report(fmt.Sprint(err))
	for _, f := range []func(){
		func() { poly1305.Sum(new([16]byte), nil, &key) },
		func() { poly1305.New(&key) },
		func() { salsa20.XORKeyStream(nil, nil, nonce[:], &key) },
		func() { salsa.Core208(new([64]byte), new([64]byte)) },
		func() { secretbox.Seal(nil, nil, &nonce, &key) },
	} {
		report(twintest.Panic(f))
	}
}
