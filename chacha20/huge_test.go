// Where int has 32 bits no slice is that long.
//go:build !386 && !arm && !mips && !mipsle

package chacha20_test

import (
	"fmt"
	"testing"

	"github.com/quarterround/quarterround/internal/twintest"
)

func TestHugeLengths(t *testing.T) {
	for _, n := range []int{1<<38 + 1, 1 << 40} {
		huge := twintest.Huge(n)
		ours, theirs := pair(t)
		text := twintest.SamePanic(t, fmt.Sprintf("%d bytes", n),
			func() { ours.XORKeyStream(huge, huge) }, func() { theirs.XORKeyStream(huge, huge) })
		if text == "" {
			t.Errorf("%d bytes: no panic", n)
		}
	}
}
