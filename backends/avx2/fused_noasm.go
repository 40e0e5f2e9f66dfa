//go:build !gc || purego || !amd64

package avx2

import "github.com/quarterround/quarterround/registry"

var sealX16, openX16, sealX24, openX24 registry.FusedFunc
