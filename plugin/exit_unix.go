//go:build unix

package plugin

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalOf returns the name of the signal that ended a process, empty if none did.
func signalOf(state *os.ProcessState) string {
	if state == nil {
		return ""
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return unix.SignalName(status.Signal())
	}
	return ""
}
