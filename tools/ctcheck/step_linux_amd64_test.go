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
		switch {
		case k.Name == "leaky/table": // leaks by addresses of data, which this tracer does not see
		case strings.HasPrefix(k.Name, "leaky/"):
			rest = append(rest, k)
		case emulated[k.Name]:
		case k.Missing != "":
			t.Run(k.Name, func(t *testing.T) {
				for _, feature := range strings.Fields(k.Missing) {
					testenv.Need(t, feature, false)
				}
			})
		default:
			rest = append(rest, k)
		}
	}
	checkAll(t, Stepped, victim, rest)
}
