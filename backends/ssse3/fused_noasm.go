//go:build !gc || purego || !amd64

package ssse3

import "github.com/quarterround/quarterround/registry"

var sealX4, openX4, sealX8, openX8 registry.FusedFunc
