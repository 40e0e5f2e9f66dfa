//go:build !linux

package kerneltest

import "testing"

// guardedPages skips the test: pages are guarded on Linux only.
func guardedPages(t *testing.T, n int) []byte {
	t.Skip("guard pages are tested on linux")
	return nil
}
