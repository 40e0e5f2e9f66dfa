//go:build !wasip1

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// commands are what scripts can run: the command as "select", and as
// "select-broken" with a backend that is wrong past 512 bytes and claims to be the
// fastest.
var commands = map[string]func(){
	"select":        func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) },
	"select-broken": func() { runWith(broken) },
}

// runWith runs the command with one more backend.
func runWith(b *registry.Backend) {
	registry.Register(b)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func TestMain(m *testing.M) { testscript.Main(m, commands) }

var broken = &registry.Backend{Name: "broken", Kernels: []registry.Kernel{{
	Name: "chacha", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 2,
	Priors: []registry.Prior{{Rounds: 20, PerStep: 1, Provenance: "estimated"}},
	XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
		reference.XORChaCha(dst, src, state, rounds)
		if len(dst) > 512 {
			dst[515] ^= 1
		}
	},
}}}

func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:  dir,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "columns": columns},
		Setup: func(e *testscript.Env) error {
			e.Setenv("QUARTERROUND", "mode=prior")
			path, err := exec.LookPath("select") // where all commands are
			if err != nil {
				return err
			}
			e.Setenv("PLUGINS", filepath.Dir(path))
			return nil
		},
	})
}
