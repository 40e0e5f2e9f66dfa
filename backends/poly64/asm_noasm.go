//go:build !gc || purego || !amd64

package poly64

import "github.com/quarterround/quarterround/registry"

var mulx, mulq registry.MACFunc
