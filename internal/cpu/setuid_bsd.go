//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package cpu

import (
	"os"

	"golang.org/x/sys/unix"
)

func setuid() bool {
	return unix.Issetugid() || os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid()
}
