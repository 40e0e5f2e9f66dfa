package kerneltest

import "golang.org/x/sys/cpu"

// Has reports whether the CPU has the named feature of the ARM kernels.
func Has(feature string) bool {
	switch feature {
	case "neon":
		return cpu.ARM.HasNEON
	case "asimd":
		return cpu.ARM64.HasASIMD
	}
	return false
}
