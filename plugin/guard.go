package plugin

import "os"

// handshakeOutput is the standard output on which go-plugin writes its first
// line. Until then whatever the plugin prints would be taken for that line, so in
// a process that a host has started standard output is standard error from the
// moment this package is initialized: before the packages that import it.
var handshakeOutput = guardOutput()

func guardOutput() *os.File {
	output := os.Stdout
	if startedByHost() {
		os.Stdout = os.Stderr
	}
	return output
}

// startedByHost reports whether this process has been started as a plugin.
func startedByHost() bool {
	return os.Getenv(Handshake.MagicCookieKey) == Handshake.MagicCookieValue
}
