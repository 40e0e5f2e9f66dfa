package cpu

import "golang.org/x/sys/unix"

const atHWCAP = 16

// armHWCAP returns AT_HWCAP as the runtime got it from the kernel. x/sys/cpu
// reads /proc/self/auxv, which Android and programs with file capabilities may
// not do.
func armHWCAP() (uintptr, bool) {
	vector, err := unix.Auxv()
	if err != nil {
		return 0, false
	}
	for _, entry := range vector {
		if entry[0] == atHWCAP {
			return entry[1], true
		}
	}
	return 0, false
}
