//go:build !(arm || arm64) || !gc || purego

package neon4core

import "github.com/quarterround/quarterround/registry"

var chachaXOR, salsaXOR registry.StreamFunc
