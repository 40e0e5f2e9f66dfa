// Package testenv says what a test needs beyond the Go toolchain. Where it is
// missing the test is skipped, naming what is missing; under CI=true, where
// everything is installed beforehand, a missing tool is a failure.
package testenv

import (
	"os"
	"os/exec"
	"testing"
)

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

// CIOnly skips a test that takes too long for other places than continuous
// integration.
func CIOnly(t testing.TB) {
	t.Helper()
	if !CI() {
		t.Skip("runs with CI=true only: it builds this module several times")
	}
}
