//go:build !gc || purego || !arm

package poly26

import "github.com/quarterround/quarterround/registry"

// The assembly is not compiled in.
var (
	neonX2Absorb, neonX8A7Absorb registry.MACFunc
	neonX2Setup, neonX8A7Setup   registry.SetupFunc
)
