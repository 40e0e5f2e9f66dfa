//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package cpu

import "os"

// On systems without users all four are equal.
func setuid() bool {
	return os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid()
}
