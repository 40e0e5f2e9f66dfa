//go:build !gc || purego || !amd64

package avx2

import "github.com/quarterround/quarterround/registry"

var (
	absorb, absorbMixed registry.MACFunc
	setup               registry.SetupFunc
)
