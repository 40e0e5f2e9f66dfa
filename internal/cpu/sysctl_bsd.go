//go:build darwin || freebsd

package cpu

import "golang.org/x/sys/unix"

func sysctl(name string) (string, bool) {
	value, err := unix.Sysctl(name)
	return value, err == nil
}

func sysctlUint32(name string) (uint32, bool) {
	value, err := unix.SysctlUint32(name)
	return value, err == nil
}
