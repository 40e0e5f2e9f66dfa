//go:build gc && !purego && (arm || arm64)

package poly26

import (
	"unsafe"

	"github.com/quarterround/quarterround/registry"
)

// neonHybrid absorbs n > 0 times eight blocks of msg into the lanes, even blocks into
// lane 0 and odd ones into lane 1, and beside them 2*n+hybridAhead blocks of tail into h, by a scalar chain
// in the radix that suits the CPU. Limbs of lanes are at most 2^27 before and 2^26 + 2^9
// after the call.
//
//go:noescape
func neonHybrid(lanes *lanes26, table *uint32, msg *byte, n int, h *[3]uint64, r *[2]uint64, tail *byte)

var (
	hybridAbsorb registry.MACFunc   = absorbHybrid
	hybridSetup  registry.SetupFunc = setupHybrid
)

const (
	// A stretch is n iterations of ten blocks and a few more: two that end the
	// lanes and what the scalar chain is ahead.
	hybridStep  = 10
	hybridExtra = 2 + hybridAhead
	// With fewer iterations joining the two parts costs more than it saves.
	minIterations = 8
	// More would need a higher power of r than the ladder has.
	maxIterations = 1<<(ladderSize-1) - 1
	ladderSize    = 8
)

// absorbHybrid splits the message in stretches. The first part of a stretch
// goes through the lanes, the second, of k blocks, through the scalar chain,
// which starts from zero and multiplies by r at each block; the first is
// multiplied by r^k once.
func absorbHybrid(state *registry.MACState, powers *registry.Powers, msg []byte) {
	for {
		n := min((len(msg)/16-hybridExtra)/hybridStep, maxIterations)
		if n < minIterations {
			break
		}
		size := 16 * (hybridStep*n + hybridExtra)
		absorbStretch(state, powers, msg[:size], n)
		msg = msg[size:]
	}
	if len(msg) > 0 {
		absorbX8(state, powers, msg)
	}
}

func absorbStretch(state *registry.MACState, powers *registry.Powers, msg []byte, n int) {
	first := msg[:128*n+32]
	tail := msg[len(first):]
	var lanes lanes26
	lanes.setLanes(&state.H)
	var h [3]uint64
	neonHybrid(&lanes, powersFrom(powers, 4), &msg[0], n, &h, &state.R, &tail[0])
	neonEnd(&state.H, &lanes, powersFrom(powers, 1), &first[128*n], 1)
	lanes.setLanes(&state.H)
	multiplyByPower(&lanes, powers, len(tail)/16)
	lanes.addLane(&h, 0)
	state.H = h
}

// multiplyByPower multiplies lane 0 of x by r^k, for 0 < k < 2^ladderSize.
func multiplyByPower(x *lanes26, powers *registry.Powers, k int) {
	var y lanes26
	for i := range ladderSize {
		if k>>i&1 != 0 {
			ladder := ladderPower(powers, i)
			for j, limb := range ladder {
				y[2*j] = limb
			}
			multiplyLanes(x, &y)
		}
	}
}

// ladderPower returns the room of r^(2^i), which follows the table.
func ladderPower(powers *registry.Powers, i int) *[5]uint32 {
	const first = tableWords + pairWords
	all := (*[first + 5*ladderSize]uint32)(unsafe.Pointer(&powers.Words))
	return (*[5]uint32)(all[first+5*i:])
}

func setupHybrid(powers *registry.Powers, r *[2]uint64) {
	setupR8(powers, r)
	var x lanes26
	x.setLanes(&[3]uint64{r[0], r[1]})
	for i := range ladderSize {
		power := ladderPower(powers, i)
		for j := range power {
			power[j] = x[2*j]
		}
		y := x
		multiplyLanes(&x, &y)
	}
}
