//go:build !amd64 || !gc || purego

package avx2

import "github.com/quarterround/quarterround/registry"

// streamRoutines and leads are empty: the kernels are not compiled.
var (
	streamRoutines map[string]registry.StreamFunc
	leads          map[string]registry.Lead
)
