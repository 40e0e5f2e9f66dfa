//go:build gc && !purego

package avx2

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/poly1305 fused-avx2 ../backends/avx2/fused_amd64.s

var (
	sealX16 registry.FusedFunc = fusedSeal
	openX16 registry.FusedFunc = fusedOpen
)

// fusedSeal is the fused kernel, and the MAC kernel for the last step, whose
// ciphertext is there only when there are no rounds left to hide the MAC in.
func fusedSeal(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers) {
	fusedSealX16(dst, src, state, mac)
	base26Absorb(mac, powers, dst[len(dst)-16*registry.BlockSize:])
}

func fusedOpen(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
	fusedOpenX16(dst, src, state, mac)
}

// fusedSealX16 encrypts, and absorbs the ciphertext of all steps but the last.
//
//go:noescape
func fusedSealX16(dst, src []byte, state *[16]uint32, mac *registry.MACState)

// fusedOpenX16 decrypts and absorbs the ciphertext.
//
//go:noescape
func fusedOpenX16(dst, src []byte, state *[16]uint32, mac *registry.MACState)
