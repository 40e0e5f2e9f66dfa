package all

import (
	"slices"
	"testing"

	"github.com/quarterround/quarterround/registry"
)

// TestByteOrder fails if a Poly1305 kernel of arm or arm64 in assembly does not say
// that it is for one byte order: its words load the bytes of the message and the limbs
// of the state as words. (The generators' GNU text is right in both.) The vector stream
// kernels of arm are the same words in both.
func TestByteOrder(t *testing.T) {
	checked := 0
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			if k.Kind == registry.KindStream || !slices.Contains(k.GOARCH, "arm") && !slices.Contains(k.GOARCH, "arm64") {
				continue
			}
			checked++
			if k.ByteOrder != "little" {
				t.Errorf("%s/%s: byte order %q, want little", b.Name, k.Name, k.ByteOrder)
			}
		}
	}
	if checked < 8 {
		t.Errorf("only %d kernels checked", checked)
	}
}
