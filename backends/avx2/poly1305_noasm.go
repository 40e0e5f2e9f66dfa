//go:build !gc || purego || !amd64

package avx2

import "github.com/quarterround/quarterround/registry"

// absorb is nil: the kernel is not compiled.
var absorb registry.MACFunc
