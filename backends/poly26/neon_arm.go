//go:build gc && !purego

package poly26

import "github.com/quarterround/quarterround/registry"

// neonX8A7 is neonX8 in an order of instructions for cores that issue one at a
// time.
//
//go:noescape
func neonX8A7(lanes *lanes26, table *uint32, msg *byte, n int)

// hybridAhead is the number of blocks that the scalar chain of the hybrid takes
// besides two an iteration.
const hybridAhead = 0

var (
	neonX8A7Absorb registry.MACFunc   = absorbX8A7
	neonX8A7Setup  registry.SetupFunc = setupR8
)

func absorbX8A7(state *registry.MACState, powers *registry.Powers, msg []byte) {
	absorbLanes(state, powers, msg, widthX8A7)
}

func vectorX8(lanes *lanes26, table *uint32, msg *byte, n int, w width) {
	if w == widthX8A7 {
		neonX8A7(lanes, table, msg, n)
		return
	}
	neonX8(lanes, table, msg, n)
}
