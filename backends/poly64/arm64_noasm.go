//go:build !gc || purego || !arm64

package poly64

import "github.com/quarterround/quarterround/registry"

// The assembly is not compiled in.
var (
	arm64Absorb   registry.MACFunc
	arm64AbsorbX2 registry.MACFunc
	arm64Setup    registry.SetupFunc
)
