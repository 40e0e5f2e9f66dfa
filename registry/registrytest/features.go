package registrytest

import (
	"encoding/binary"
	"runtime"

	"golang.org/x/sys/cpu"
)

// missingFeatures returns those of the features that this CPU lacks. A name
// that is not known counts as missing: running the kernel could end the
// process.
func missingFeatures(features []string) []string {
	var missing []string
	for _, f := range features {
		if !hasFeature(f) {
			missing = append(missing, f)
		}
	}
	return missing
}

func hasFeature(name string) bool {
	switch runtime.GOARCH {
	case "amd64", "386":
		return hasX86(name)
	case "arm":
		return name == "neon" && cpu.ARM.HasNEON
	case "arm64":
		// Advanced SIMD is part of the ARMv8-A baseline that Go requires.
		return name == "asimd"
	}
	return false
}

func hasX86(name string) bool {
	x := &cpu.X86
	switch name {
	case "sse2":
		return x.HasSSE2
	case "ssse3":
		return x.HasSSSE3
	case "sse4_1":
		return x.HasSSE41
	case "avx":
		return x.HasAVX
	case "avx2":
		return x.HasAVX2
	case "bmi1":
		return x.HasBMI1
	case "bmi2":
		return x.HasBMI2
	case "adx":
		return x.HasADX
	case "fma":
		return x.HasFMA
	case "avx512f":
		return x.HasAVX512F
	case "avx512vl":
		return x.HasAVX512VL
	case "avx512bw":
		return x.HasAVX512BW
	case "avx512dq":
		return x.HasAVX512DQ
	case "avx512ifma":
		return x.HasAVX512IFMA
	case "avx512vbmi":
		return x.HasAVX512VBMI
	}
	return false
}

// hostByteOrder returns "little" or "big".
func hostByteOrder() string {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return "little"
	}
	return "big"
}
