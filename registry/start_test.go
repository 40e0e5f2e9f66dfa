package registry_test

import (
	"testing"

	"github.com/quarterround/quarterround"
	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/registry"
)

// BenchmarkFirstHandle is the start of a program that uses a drop-in package. It
// should stay below 1 ms, also with a profile: QUARTERROUND=profile=FILE, of a FILE
// made by select calibrate. What a new process pays for touching code and memory for
// the first time comes on top.
func BenchmarkFirstHandle(b *testing.B) {
	for _, a := range registry.Algorithms() {
		b.Run(a.String(), func(b *testing.B) {
			for b.Loop() {
				if err := registry.FirstHandle(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAuto is the start of a program that calls Auto, with an AEAD made by
// it. It should stay below 15 ms.
func BenchmarkAuto(b *testing.B) {
	for b.Loop() {
		selection, err := registry.Select(registry.WithOverride("mode=measure"))
		if err != nil {
			b.Fatal(err)
		}
		aead, err := quarterround.New(selection).AEAD(registry.ChaCha20Poly1305, make([]byte, 32))
		if err != nil {
			b.Fatal(err)
		}
		aead.Seal(nil, make([]byte, 12), make([]byte, 1000), nil)
	}
}

var scheduleSink *registry.Schedule

// BenchmarkLookup is finding the plan for a length. It should stay below 3 ns.
func BenchmarkLookup(b *testing.B) {
	selection, err := registry.Select(registry.WithOverride("mode=prior"))
	if err != nil {
		b.Fatal(err)
	}
	source := selection.Source(registry.ChaCha20)
	for b.Loop() {
		scheduleSink = source.Plan().For(1350)
	}
}
