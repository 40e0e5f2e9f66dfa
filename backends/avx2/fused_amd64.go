//go:build gc && !purego

package avx2

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/stream -backend avx2-fused -out ../backends/avx2/fused_amd64.s

var (
	sealX16 registry.FusedFunc = fusedSealX16
	openX16 registry.FusedFunc = fusedOpenX16
	sealX24 registry.FusedFunc = fusedSealX24
	openX24 registry.FusedFunc = fusedOpenX24
)

//go:noescape
func fusedSealX16(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)

//go:noescape
func fusedOpenX16(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)

//go:noescape
func fusedSealX24(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)

//go:noescape
func fusedOpenX24(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)
