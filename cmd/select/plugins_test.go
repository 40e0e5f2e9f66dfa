//go:build unix

package main

import (
	"os"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/poly1305"
	"github.com/quarterround/quarterround/registry"
)

func init() {
	commands["plugin-good"] = func() { plugin.Serve(servedBackend("good", func([]byte) {})) }
	commands["plugin-wrong"] = func() {
		plugin.Serve(servedBackend("wrong", func(dst []byte) {
			if len(dst) > 513 {
				dst[513] ^= 1
			}
		}))
	}
	commands["plugin-crashes"] = func() {
		plugin.Serve(servedBackend("crashes", func(dst []byte) {
			if len(dst) > 8<<10 {
				panic("a bug")
			}
		}))
	}
	commands["plugin-library"] = func() {
		plugin.ServeLibrary(&plugin.Library{Name: "library", Functions: map[plugin.Function]plugin.NewMessage{
			{Algorithm: registry.Poly1305, Operation: plugin.OperationMAC}: sums,
		}})
	}
	commands["plugin-exits"] = func() {
		os.Stderr.WriteString("no licence for this machine\n")
		os.Exit(3)
	}
}

// TestUnixScripts runs the scripts that start plugins or count on signals.
func TestUnixScripts(t *testing.T) { runScripts(t, "testdata/unix") }

// sums is Poly1305 by the drop-in package.
func sums(key *[32]byte) (plugin.MessageFunc, func(), error) {
	return func(dst, src, _ []byte, times int) bool {
		for range times {
			poly1305.Sum((*[16]byte)(dst), src, key)
		}
		return true
	}, func() {}, nil
}

// servedBackend is the generic routines with a fault.
func servedBackend(name string, fault func(dst []byte)) *registry.Backend {
	return &registry.Backend{Name: name, Doc: "generic routines in another process", Kernels: []registry.Kernel{
		{Name: "chacha", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 4,
			XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
				reference.XORChaCha(dst, src, state, rounds)
				fault(dst)
			}},
	}}
}
