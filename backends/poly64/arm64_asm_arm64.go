//go:build gc && !purego

package poly64

import (
	"math/bits"

	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
)

var (
	arm64Absorb   registry.MACFunc   = absorbOneChain
	arm64AbsorbX2 registry.MACFunc   = absorbTwoChains
	arm64Setup    registry.SetupFunc = setupLadder
)

// A pair of chains covers 2^minLog to 2^maxLog blocks in each: below, joining
// the chains costs more than the second one saves; above, joining is cheap and
// more powers only lengthen Setup.
const (
	minLog     = 4
	maxLog     = 6
	ladderSize = maxLog + 1
)

func absorbOneChain(state *registry.MACState, _ *registry.Powers, msg []byte) {
	polyasm.Blocks(&state.H, &state.R, msg)
}

// absorbTwoChains splits the message into stretches of 2k blocks, k a power of
// two. The chain of the first k blocks, with the accumulator, and that of the
// others from zero do not depend on each other and both multiply by r, which,
// unlike r^2, is clamped and so keeps the short product. The first result is
// multiplied by r^k once.
func absorbTwoChains(state *registry.MACState, powers *registry.Powers, msg []byte) {
	for len(msg) >= 32<<minLog {
		log := min(bits.Len(uint(len(msg)/32))-1, maxLog)
		stretch := 32 << log
		h := [2][3]uint64{state.H}
		polyasm.BlocksX2(&h, &state.R, msg[:stretch])
		first := polyasm.Multiply(&h[0], ladder(powers, log))
		state.H = polyasm.Add(&first, &h[1])
		msg = msg[stretch:]
	}
	if len(msg) > 0 {
		polyasm.Blocks(&state.H, &state.R, msg)
	}
}

// ladder returns the room of r^(2^i).
func ladder(powers *registry.Powers, i int) *[3]uint64 {
	return (*[3]uint64)(powers.Words[3*i:])
}

func setupLadder(powers *registry.Powers, r *[2]uint64) {
	*ladder(powers, 0) = [3]uint64{r[0], r[1]}
	for i := 1; i < ladderSize; i++ {
		x := ladder(powers, i-1)
		*ladder(powers, i) = polyasm.Multiply(x, x)
	}
}
