//go:build !unix

package plugin

import "os"

// signalOf returns the name of the signal that ended a process, empty if none did.
func signalOf(*os.ProcessState) string { return "" }
