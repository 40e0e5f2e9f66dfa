package ctcheck

import "testing"

// TestStepped single-steps the kernels of this machine's architecture.
func TestStepped(t *testing.T) {
	checkAll(t, Stepped, false, build(t, "GOARCH=amd64"))
}
