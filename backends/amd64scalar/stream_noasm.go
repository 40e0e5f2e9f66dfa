//go:build !amd64 || !gc || purego

package amd64scalar

import "github.com/quarterround/quarterround/registry"

// streamRoutines is empty: the kernels are not compiled.
var streamRoutines map[string]registry.StreamFunc
