//go:build gc && !purego

package poly26

import "github.com/quarterround/quarterround/registry"

// hybridAhead is the number of blocks that the scalar chain of the hybrid takes
// besides two an iteration.
const hybridAhead = 0

var (
	neonX2Absorb   registry.MACFunc   = absorbX2
	neonX2Setup    registry.SetupFunc = setupR2
	neonX8A7Absorb registry.MACFunc   = absorbX8A7
	neonX8A7Setup  registry.SetupFunc = setupR8
)

func absorbX2(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbPairs(state, powers, msg, widthX2)
}

func absorbX8A7(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbPairs(state, powers, msg, widthX8A7)
}

func setupR2(powers *registry.Powers, r *[2]uint64) {
	w := words(powers)
	neonPowers(&w[0], r, 1)
	w[tableWords-powerWords-1] = 0 // the other half of r^2's first 64-bit word
}
