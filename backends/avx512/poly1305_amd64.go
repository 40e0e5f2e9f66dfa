//go:build gc && !purego

package avx512

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/poly1305 ifma ../backends/avx512/poly1305_amd64.s

var (
	absorbX8  registry.MACFunc = ifmaAbsorbX8
	absorbX16 registry.MACFunc = ifmaAbsorbX16
	absorbX32 registry.MACFunc = ifmaAbsorbX32

	setupX8  registry.SetupFunc = ifmaSetupX8
	setupX16 registry.SetupFunc = ifmaSetupX16
	setupX32 registry.SetupFunc = ifmaSetupX32
)

//go:noescape
func ifmaAbsorbX8(state *registry.MACState, powers *registry.Powers, msg []byte)

//go:noescape
func ifmaAbsorbX16(state *registry.MACState, powers *registry.Powers, msg []byte)

//go:noescape
func ifmaAbsorbX32(state *registry.MACState, powers *registry.Powers, msg []byte)

//go:noescape
func ifmaSetupX8(powers *registry.Powers, r *[2]uint64)

//go:noescape
func ifmaSetupX16(powers *registry.Powers, r *[2]uint64)

//go:noescape
func ifmaSetupX32(powers *registry.Powers, r *[2]uint64)
