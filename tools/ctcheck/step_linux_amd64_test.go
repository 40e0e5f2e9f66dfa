package ctcheck

import (
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

// TestStepped single-steps the kernels of this machine's architecture that need
// CPU features the emulator lacks. The others are traced there, in a hundredth of
// the time.
func TestStepped(t *testing.T) {
	testenv.NeedTool(t, emulatorAMD64[0])
	victim := build(t, "GOARCH=amd64")
	emulated := map[string]bool{}
	for _, k := range kernelsOf(t, victim, emulatorAMD64...) {
		emulated[k.Name] = k.Missing == ""
	}
	var rest []Kernel
	for _, k := range kernelsOf(t, victim) {
		if !emulated[k.Name] || strings.HasPrefix(k.Name, "leaky/") {
			rest = append(rest, k)
		}
	}
	checkAll(t, Stepped, false, victim, rest)
}
