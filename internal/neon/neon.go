// Package neon holds what the NEON stream backends share.
package neon

import (
	"runtime"

	"github.com/quarterround/quarterround/registry"
)

// Kernel describes a NEON stream kernel that exists on the given
// architectures, for both of 32-bit ARM and arm64 if none is named.
func Kernel(name string, c registry.Cipher, blocks int, xor registry.StreamFunc, priors []registry.Prior, goarch ...string) registry.Kernel {
	if len(goarch) == 0 {
		goarch = []string{"arm", "arm64"}
	}
	return registry.Kernel{
		Name:       name,
		Kind:       registry.KindStream,
		Cipher:     c,
		Blocks:     blocks,
		GOARCH:     goarch,
		Features:   []string{feature(goarch)},
		ByteOrder:  byteOrder(),
		Revision:   2,
		Simplicity: 2,
		Priors:     priors,
		XOR:        xor,
	}
}

// byteOrder is empty on 32-bit ARM, whose kernels are right in both. Those of
// arm64 store vectors whole.
func byteOrder() string {
	if runtime.GOARCH == "arm64" {
		return "little"
	}
	return ""
}

// feature names what a NEON kernel needs: on arm64 Advanced SIMD, which every
// CPU that Go runs on has, on 32-bit ARM the NEON extension, which GOARM=7 does
// not imply.
func feature(goarch []string) string {
	if runtime.GOARCH == "arm64" || len(goarch) == 1 && goarch[0] == "arm64" {
		return "asimd"
	}
	return "neon"
}
