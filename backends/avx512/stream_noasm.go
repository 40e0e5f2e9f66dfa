//go:build !amd64 || !gc || purego

package avx512

import "github.com/quarterround/quarterround/registry"

// streamRoutines is empty: the kernels are not compiled.
var streamRoutines map[string]registry.StreamFunc
