//go:build !darwin && !freebsd

package cpu

func sysctl(string) (string, bool) { return "", false }

func sysctlUint32(string) (uint32, bool) { return 0, false }
