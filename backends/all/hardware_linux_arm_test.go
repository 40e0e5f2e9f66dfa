package all

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/registry"
)

const (
	auxHardware  = 16      // AT_HWCAP of the auxiliary vector
	hardwareNEON = 1 << 12 // HWCAP_NEON of 32-bit ARM
)

// hasNEON asks the kernel of Linux, on 32-bit ARM.
func hasNEON(t *testing.T) bool {
	t.Helper()
	vector, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		t.Fatal(err)
	}
	for ; len(vector) >= 8; vector = vector[8:] {
		if binary.LittleEndian.Uint32(vector) == auxHardware {
			return binary.LittleEndian.Uint32(vector[4:])&hardwareNEON != 0
		}
	}
	t.Fatal("no AT_HWCAP")
	return false
}

// TestNEONByHardware checks that NEON kernels may run, and do, exactly where the
// hardware has NEON, whatever GOARM the program was built for.
func TestNEONByHardware(t *testing.T) {
	neon := hasNEON(t)
	selection, err := registry.Select()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, c := range selection.Candidates(registry.ChaCha20) {
		if !strings.HasPrefix(c.Backend, "neon") || c.State == registry.NotCompiled {
			continue
		}
		checked++
		if missing := c.State == registry.MissingFeature; missing == neon {
			t.Errorf("%s is %s, hardware has NEON: %t", c.Name(), c.State, neon)
		}
	}
	if checked < 6 {
		t.Errorf("only %d NEON kernels of ChaCha are compiled in", checked)
	}
	steps, _ := selection.Compose(registry.ChaCha20, 16384)
	if uses := strings.HasPrefix(steps[0].Kernel, "neon"); uses != neon {
		t.Errorf("16 KiB by %s, hardware has NEON: %t", steps[0].Kernel, neon)
	}
}
