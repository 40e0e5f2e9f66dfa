//go:build !gc || purego || !amd64

package avx512

import "github.com/quarterround/quarterround/registry"

var (
	absorbX8, absorbX16, absorbX32 registry.MACFunc
	setupX8, setupX16, setupX32    registry.SetupFunc
)
