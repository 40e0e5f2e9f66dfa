//go:build !(arm || arm64) || !gc || purego

package neonmixed

import "github.com/quarterround/quarterround/registry"

var chachaX3S1XOR, chachaX4S1XOR, chachaX6S2XOR, chachaX8S2XOR, salsaX4S1XOR, salsaX4S1A9XOR, salsaX4S2XOR, salsaX8S2XOR registry.StreamFunc
