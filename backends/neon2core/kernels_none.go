//go:build !(arm || arm64) || !gc || purego

package neon2core

import "github.com/quarterround/quarterround/registry"

var chachaXOR, salsaXOR registry.StreamFunc
