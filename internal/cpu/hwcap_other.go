//go:build !(linux && arm)

package cpu

func armHWCAP() (uintptr, bool) { return 0, false }
