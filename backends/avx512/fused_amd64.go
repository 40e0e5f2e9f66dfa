//go:build gc && !purego

package avx512

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/poly1305 fused-avx512 ../backends/avx512/fused_amd64.s

var (
	sealX32 registry.FusedFunc = fusedSeal
	openX32 registry.FusedFunc = fusedOpenX32
)

// fusedSeal is the fused kernel, and the MAC kernel for the last step, whose
// ciphertext is there only when there are no rounds left to hide the MAC in.
func fusedSeal(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers) {
	fusedSealX32(dst, src, state, mac, powers)
	ifmaAbsorbX32(mac, powers, dst[len(dst)-32*registry.BlockSize:])
}

// fusedSealX32 encrypts, and absorbs the ciphertext of all steps but the last.
//
//go:noescape
func fusedSealX32(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)

// fusedOpenX32 decrypts and absorbs the ciphertext.
//
//go:noescape
func fusedOpenX32(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers)
