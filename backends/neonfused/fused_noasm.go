//go:build !gc || purego || (!arm && !arm64)

package neonfused

import "github.com/quarterround/quarterround/registry"

// The assembly is not compiled in.
var sealX4, openX4, sealX8, openX8 registry.FusedFunc
