// Package testenv says what a test needs beyond the Go toolchain. Where it is
// missing the test is skipped, naming what is missing. Under CI=true, where
// everything is installed beforehand, it fails: nothing is left out there unless
// the run says by LacksVariable what its platform cannot have.
package testenv

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// LacksVariable is the environment variable in which a run of continuous
// integration lists, with spaces between them, what its platform lacks: CPU
// features by the names that kernels have for them, or Native.
const LacksVariable = "CI_LACKS"

// Native stands for a machine that runs the programs that the tests build: under
// an emulator they are for another one.
const Native = "native"

// CI reports whether the tests run in continuous integration.
func CI() bool { return os.Getenv("CI") == "true" }

// NeedTool returns the path of the named program, or ends the test if it is
// not installed.
func NeedTool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "program "+name)
	}
	return path
}

// Missing ends the test because what is not there: as skipped, or in CI as
// failed.
func Missing(t testing.TB, what string) {
	t.Helper()
	if CI() {
		t.Fatalf("missing in CI: %s", what)
	}
	t.Skipf("missing: %s", what)
}

// Need ends the test if the platform has not what is needed, a CPU feature or
// Native: as skipped, or in CI as failed unless LacksVariable lists it.
func Need(t testing.TB, what string, have bool) {
	t.Helper()
	switch {
	case have:
	case CI() && !Lacks(what):
		t.Fatalf("missing in CI: %s, and %s does not list it", what, LacksVariable)
	default:
		t.Skipf("missing: %s", what)
	}
}

// Lacks reports whether LacksVariable lists something.
func Lacks(what string) bool {
	return slices.Contains(strings.Fields(os.Getenv(LacksVariable)), what)
}

// CIOnly skips a test that takes too long for other places than continuous
// integration.
func CIOnly(t testing.TB) {
	t.Helper()
	if !CI() {
		t.Skip("runs with CI=true only: it builds this module several times")
	}
}
