//go:build !gc || purego || (!arm && !arm64)

package poly26

import "github.com/quarterround/quarterround/registry"

// The assembly is not compiled in.
var (
	hybridAbsorb registry.MACFunc
	hybridSetup  registry.SetupFunc
)
