//go:build !gc || purego || !amd64

package avx512

import "github.com/quarterround/quarterround/registry"

var sealX32, openX32 registry.FusedFunc
