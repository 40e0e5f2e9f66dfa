// Where int has 32 bits no slice is that long.
//go:build !386 && !arm && !mips && !mipsle

package chacha20poly1305_test

import (
	"testing"

	"github.com/quarterround/quarterround/internal/twintest"
)

func TestHugeLengths(t *testing.T) {
	for _, tw := range twins(t) {
		huge := twintest.Huge(1<<38 - 63)
		text := twintest.SamePanic(t, tw.name+": Seal",
			func() { tw.ours.Seal(nil, tw.nonce(), huge, nil) }, func() { tw.theirs.Seal(nil, tw.nonce(), huge, nil) })
		if text != "chacha20poly1305: plaintext too large" {
			t.Errorf("%s: Seal: panic %q", tw.name, text)
		}
		huge = twintest.Huge(1<<38 - 47)
		text = twintest.SamePanic(t, tw.name+": Open",
			func() { tw.ours.Open(nil, tw.nonce(), huge, nil) }, func() { tw.theirs.Open(nil, tw.nonce(), huge, nil) })
		if text != "chacha20poly1305: ciphertext too large" {
			t.Errorf("%s: Open: panic %q", tw.name, text)
		}
	}
}
