package inorder

import "github.com/quarterround/quarterround/tools/cyclemodel/trace"

// CPUs are the cores that the scoreboard models.
//
// How the parameters were found: the first guess came from what is known of
// the cores (issue width, a 64-bit NEON pipe in A5 and A7, result latencies)
// and was then adjusted, in some twenty steps, to the cycles per byte that
// A. Polyakov publishes in OpenSSL's chacha-armv4, poly1305-armv4 and their
// armv8 siblings for A5, A8 and A53, and that N. Möller and M. Goetz reported
// to nettle for A7: a second half of a 128-bit operation that blocks issue on
// A5 and A7, width 1 on A7 (which in practice seldom pairs cipher code), NEON
// latency 2 on A5, a slower multiplier on A8, and permutations that pair with
// arithmetic there. Those of A53 are the first guess unchanged. The integer
// multiplier of A7 is fitted to nothing.
//
// References in package main holds those figures with what the model says; over
// all of them it is 0 to 15 % off, and it orders kernels rightly where the
// published figures are more than 12 % apart. It does not see caches, alignment,
// fetch or mispredicted branches.
var CPUs = []*CPU{
	{
		Name: "cortex-a5", Arch: trace.ARM,
		Width: 1, BranchEnds: true,
		LoadLatency: 2, ShiftLatency: 0, MultiplyBusy: 3, MultiplyLatency: 4,
		QuadBusy: 2, DoubleBusy: 1, QuadBlocks: true, VectorLatency: 2,
		VectorMulBusy: 2, VectorMulLatency: 5, PermuteBusy: 2,
	},
	{
		Name: "cortex-a7", Arch: trace.ARM,
		Width: 1, BranchEnds: true,
		LoadLatency: 3, ShiftLatency: 1, MultiplyBusy: 2, MultiplyLatency: 3,
		QuadBusy: 2, DoubleBusy: 1, QuadBlocks: true, VectorLatency: 4,
		VectorMulBusy: 2, VectorMulLatency: 5, PermuteBusy: 2,
	},
	{
		Name: "cortex-a8", Arch: trace.ARM,
		Width:       2,
		LoadLatency: 3, ShiftLatency: 0, MultiplyBusy: 4, MultiplyLatency: 6,
		QuadBusy: 1, DoubleBusy: 1, VectorLatency: 2, InsertBusy: 1,
		VectorMulBusy: 2, VectorMulLatency: 6, PermuteBusy: 1, PermutePairs: true,
	},
	{
		Name: "cortex-a53", Arch: trace.ARM64,
		Width: 2, BranchEnds: true,
		LoadLatency: 3, ShiftLatency: 1, MultiplyBusy: 3, MultiplyLatency: 4,
		QuadBusy: 1, DoubleBusy: 1, VectorLatency: 3,
		VectorMulBusy: 1, VectorMulLatency: 4, PermuteBusy: 1, HalfVectorMove: true,
	},
}
