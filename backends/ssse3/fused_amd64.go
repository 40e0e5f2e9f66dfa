//go:build gc && !purego

package ssse3

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/stream -backend ssse3-fused -out ../backends/ssse3/fused_amd64.s

var (
	sealX4 registry.FusedFunc = fusedSealX4
	openX4 registry.FusedFunc = fusedOpenX4
	sealX8 registry.FusedFunc = fusedSealX8
	openX8 registry.FusedFunc = fusedOpenX8
)

//go:noescape
func fusedSealX4(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)

//go:noescape
func fusedOpenX4(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)

//go:noescape
func fusedSealX8(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)

//go:noescape
func fusedOpenX8(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)
