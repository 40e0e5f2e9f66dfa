package registrytest

import (
	"encoding/binary"

	"github.com/quarterround/quarterround/internal/cpu"
)

// missingFeatures returns those of the features that this CPU lacks.
func missingFeatures(features []string) []string {
	return cpu.Detect().Features.Missing(features)
}

// hostByteOrder returns "little" or "big".
func hostByteOrder() string {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return "little"
	}
	return "big"
}
