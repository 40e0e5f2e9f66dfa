//go:build !gc || purego || !arm

package poly32

import "github.com/quarterround/quarterround/registry"

// armAbsorb is nil: the assembly is not compiled in.
var armAbsorb registry.MACFunc
