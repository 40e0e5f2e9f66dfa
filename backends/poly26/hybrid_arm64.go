//go:build gc && !purego

package poly26

import (
	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

// neonHybrid absorbs n > 0 times eight blocks of msg into the lanes, as neonX8
// does, and beside them 2*n+1 blocks of tail into h in base 2^64.
//
//go:noescape
func neonHybrid(lanes *lanes26, table *uint32, msg *byte, n int, h *[3]uint64, r *[2]uint64, tail *byte)

var (
	hybridAbsorb registry.MACFunc   = absorbHybrid
	hybridSetup  registry.SetupFunc = setupHybrid
)

const (
	// A stretch is n iterations of ten blocks and three more: two that end the
	// lanes and one that the scalar chain is ahead.
	hybridStep  = 10
	hybridExtra = 3
	// With fewer iterations joining the two parts costs more than it saves.
	minIterations = 8
	// More would need a higher power of r than the ladder has.
	maxIterations = 1<<(ladderSize-1) - 1
	ladderSize    = 8
	ladderWord    = tableWords / 2
)

// absorbHybrid splits the message in stretches. The first part of a stretch
// goes through the lanes, the second, of k blocks, through the scalar chain,
// which starts from zero and multiplies by r, clamped, at each block; the first
// is multiplied by r^k once.
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
	neonHybrid(&lanes, table(powers, 4), &msg[0], n, &h, &state.R, &tail[0])
	endLanes(state, &lanes, first[128*n:])
	power := ladderPower(powers, len(tail)/16)
	state.H = polyasm.Multiply(&state.H, &power)
	state.H = polyasm.Add(&state.H, &h)
}

// ladderPower returns r^k for 0 < k < 2^ladderSize.
func ladderPower(powers *registry.Powers, k int) [3]uint64 {
	var x [3]uint64
	first := true
	for i := range ladderSize {
		if k>>i&1 == 0 {
			continue
		}
		y := ladder(powers, i)
		if first {
			x, first = *y, false
			continue
		}
		x = polyasm.Multiply(&x, y)
	}
	return x
}

// ladder returns the room of r^(2^i).
func ladder(powers *registry.Powers, i int) *[3]uint64 {
	return (*[3]uint64)(powers.Words[ladderWord+3*i:])
}

func setupHybrid(powers *registry.Powers, r *[2]uint64) {
	setupR8(powers, r)
	*ladder(powers, 0) = [3]uint64{r[0], r[1]}
	for i := 1; i < ladderSize; i++ {
		x := ladder(powers, i-1)
		*ladder(powers, i) = polyasm.Multiply(x, x)
	}
}
