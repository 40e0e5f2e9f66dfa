package ctcheck

import "testing"

// TestStepped single-steps the kernels of this machine's architecture.
func TestStepped(t *testing.T) {
	for _, arch := range []string{"amd64", "386"} {
		t.Run(arch, func(t *testing.T) { checkAll(t, Stepped, false, build(t, "GOARCH="+arch)) })
	}
}
