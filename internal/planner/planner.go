// Package planner turns the costs of kernels into plans: for each number of
// blocks the cheapest sequence of kernel calls that covers it. It knows numbers
// only; what a kernel is, the registry knows.
//
// A kernel covers w blocks per step and costs fixed + perStep per step: a
// staircase, because a kernel three blocks wide does three blocks of work for
// one. Small counts are solved exactly by dynamic programming; larger ones are
// a run of the kernel with the cheapest block followed by the plan for what is
// left. All costs of one problem are in one unit; which one does not matter.
//
// The same input gives the same plan, byte for byte.
package planner

import (
	"cmp"
	"math"
	"slices"
)

// MinGain is the least relative gain for which a plan moves to a less simple
// kernel, where the spread of the measurements does not ask for more.
const MinGain = 0.03

// A Kernel is what the planner knows of one kernel.
type Kernel struct {
	// ID is the caller's name for the kernel, returned in the parts.
	ID int
	// Blocks is the width of a step in blocks.
	Blocks int
	// Fixed is the cost of a call apart from its steps, PerStep that of a step.
	Fixed, PerStep float64
	// Spread is the relative spread of these figures, 0 if unknown.
	Spread float64
	// Simplicity orders kernels for the tie-break: smaller is simpler.
	Simplicity int
	// Scratch is what a last step through the scratch buffer costs with this kernel
	// apart from what it costs with any.
	Scratch float64
	// Granular kernels take any number of blocks, and Blocks says only in which
	// step the cost grows. Others take whole steps, and a last step that is not
	// full runs through a scratch buffer.
	Granular bool
}

// perBlock is the cost of one block in a long run.
func (k *Kernel) perBlock() float64 { return k.PerStep / float64(k.Blocks) }

// Overhead is what a plan costs apart from the kernels.
type Overhead struct {
	// Call is the cost of dispatching one kernel call.
	Call float64
	// Scratch is the extra cost of a last step through the scratch buffer, and
	// CopyBlock that of each block copied in and out of it.
	Scratch, CopyBlock float64
}

// lastStep returns what the scratch buffer costs if the last step of a call of k is
// for so many blocks: nothing if it is full.
func (o *Overhead) lastStep(k *Kernel, blocks int) float64 {
	if k.Granular || blocks >= k.Blocks {
		return 0
	}
	return o.Scratch + k.Scratch + float64(blocks)*o.CopyBlock
}

// A Part is one kernel call of a plan.
type Part struct {
	ID    int // of the kernel
	Steps int
}

// A Table is the plan for every number of blocks.
type Table struct {
	// Parts holds the calls for 0 to len(Parts)-1 blocks, in order. In kernels
	// that are not granular the last step of the last part may be wider than
	// what is left.
	Parts [][]Part
	// Cost holds the cost of each entry of Parts, and Scratch how much of it is for
	// the scratch buffer.
	Cost, Scratch []float64
	// Bulk is the kernel for longer input: as many steps of it as fit, then
	// Parts for the rest.
	Bulk Kernel
	// Extend says, by what is left after the whole steps of a granular Bulk, that
	// one more step of the same call takes it.
	Extend []bool

	overhead Overhead
}

// Limit returns the largest number of blocks that the table holds exactly.
func (t *Table) Limit() int { return len(t.Parts) - 1 }

// For returns the calls for n blocks.
func (t *Table) For(n int) []Part {
	if n <= t.Limit() {
		return t.Parts[n]
	}
	bulk, rest := Part{ID: t.Bulk.ID, Steps: n / t.Bulk.Blocks}, n%t.Bulk.Blocks
	if t.Extend[rest] {
		return []Part{{ID: bulk.ID, Steps: bulk.Steps + 1}}
	}
	return append([]Part{bulk}, t.Parts[rest]...)
}

// CostOf returns the cost of n blocks.
func (t *Table) CostOf(n int) float64 {
	if n <= t.Limit() {
		return t.Cost[n]
	}
	steps, rest := n/t.Bulk.Blocks, n%t.Bulk.Blocks
	cost := t.overhead.Call + t.Bulk.Fixed + float64(steps)*t.Bulk.PerStep
	if t.Extend[rest] {
		return cost + t.Bulk.PerStep
	}
	return cost + t.Cost[rest]
}

// CostWithin returns the cost of n blocks in a buffer with room for a step that is
// not full, which one call then does without the scratch buffer.
func (t *Table) CostWithin(n int) float64 {
	if n <= t.Limit() && len(t.Parts[n]) == 1 {
		return t.Cost[n] - t.Scratch[n]
	}
	return t.CostOf(n)
}

// Build returns the plan that the kernels allow, of which there must be at
// least one. The table is exact for counts up to 32, or twice the widest kernel
// if that is more.
//
// Among plans that cost nearly the same the one that gets by with simpler
// kernels wins: Build solves the problem for each level of simplicity and takes
// the lowest level whose cost is within the tolerance of the best. So what is
// given up stays below the tolerance however many calls a plan has.
func Build(kernels []Kernel, overhead Overhead) *Table {
	return build(kernels, overhead, widestOf(kernels))
}

// widestOf returns the most blocks that a step of a kernel covers.
func widestOf(kernels []Kernel) int {
	widest := 0
	for _, k := range kernels {
		widest = max(widest, k.Blocks)
	}
	return widest
}

// build is Build with a table for twice the given width.
func build(kernels []Kernel, overhead Overhead, widest int) *Table {
	ordered := slices.Clone(kernels)
	slices.SortStableFunc(ordered, func(a, b Kernel) int {
		return cmp.Or(cmp.Compare(b.Blocks, a.Blocks), cmp.Compare(a.Simplicity, b.Simplicity), cmp.Compare(a.ID, b.ID))
	})
	limit := max(32, 2*widest)
	levels := solveLevels(ordered, overhead, limit)

	best := levels[len(levels)-1]
	table := &Table{overhead: overhead}
	for n := range limit + 1 {
		chosen := best
		for _, level := range levels {
			if level.cost[n]*(1-Tolerance(level.spread(n), best.spread(n))) <= best.cost[n] {
				chosen = level
				break
			}
		}
		table.Parts = append(table.Parts, chosen.parts(n))
		table.Cost = append(table.Cost, chosen.cost[n])
		table.Scratch = append(table.Scratch, chosen.scratch(n))
	}
	table.Bulk = bulkKernel(ordered)
	table.Extend = extensions(table)
	return table
}

// extensions returns the Extend of a table.
func extensions(t *Table) []bool {
	extend := make([]bool, t.Bulk.Blocks)
	for rest := 1; rest < t.Bulk.Blocks; rest++ {
		extend[rest] = t.Bulk.Granular && t.Bulk.PerStep <= t.Cost[rest]
	}
	return extend
}

// bulkKernel returns the kernel with the cheapest block, or the simplest of
// those within the tolerance of it.
func bulkKernel(kernels []Kernel) Kernel {
	best := slices.MinFunc(kernels, func(a, b Kernel) int { return cmp.Compare(a.perBlock(), b.perBlock()) })
	chosen := best
	for _, k := range kernels {
		near := k.perBlock()*(1-Tolerance(k.Spread, best.Spread)) <= best.perBlock()
		if near && k.Simplicity < chosen.Simplicity {
			chosen = k
		}
	}
	return chosen
}

// Tolerance returns the relative gain below which two kernels with these
// relative spreads count as equally fast.
func Tolerance(a, b float64) float64 { return max(MinGain, 3*max(a, b)) }

// A level is the solution with kernels up to one simplicity.
type level struct {
	kernels  []Kernel
	overhead Overhead
	cost     []float64 // by blocks
	first    []int     // index of the kernel of the first call, by blocks
	steps    []int     // of that call
}

// solveLevels solves the problem once for each simplicity that occurs, simplest
// first; the last level uses all kernels.
func solveLevels(kernels []Kernel, overhead Overhead, limit int) []*level {
	var cuts []int
	for _, k := range kernels {
		cuts = append(cuts, k.Simplicity)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var levels []*level
	for _, cut := range cuts {
		var allowed []Kernel
		for _, k := range kernels {
			if k.Simplicity <= cut {
				allowed = append(allowed, k)
			}
		}
		levels = append(levels, solve(allowed, overhead, limit))
	}
	return levels
}

// solve fills a level. startingWith[k][n] is the least cost of n blocks if the
// first call goes to kernel k: either k covers all of it in one step, or it is
// one step of k in front of a plan for the rest, which may begin with the same
// call (then only the step is paid) or with another.
func solve(kernels []Kernel, overhead Overhead, limit int) *level {
	l := &level{kernels: kernels, overhead: overhead,
		cost: make([]float64, limit+1), first: make([]int, limit+1), steps: make([]int, limit+1)}
	startingWith := make([][]float64, len(kernels))
	steps := make([][]int, len(kernels))
	for i := range kernels {
		startingWith[i] = make([]float64, limit+1)
		steps[i] = make([]int, limit+1)
	}
	for n := 1; n <= limit; n++ {
		l.cost[n] = math.Inf(1)
		for i := range kernels {
			startingWith[i][n], steps[i][n] = l.callCost(i, n, startingWith[i], steps[i])
			// Rounding must not decide between orders of the same calls: the widest
			// kernel, which comes first here, goes first.
			if startingWith[i][n] < l.cost[n]*(1-1e-9) || math.IsInf(l.cost[n], 1) {
				l.cost[n], l.first[n], l.steps[n] = startingWith[i][n], i, steps[i][n]
			}
		}
	}
	return l
}

// callCost returns the least cost of n blocks that begins with kernel i, and how
// many steps that first call has.
func (l *level) callCost(i, n int, same []float64, steps []int) (float64, int) {
	k := &l.kernels[i]
	call := l.overhead.Call + k.Fixed
	if k.Blocks >= n {
		return call + k.PerStep + l.overhead.lastStep(k, n), 1
	}
	rest := n - k.Blocks
	longer, next := same[rest]+k.PerStep, call+k.PerStep+l.cost[rest]
	if longer <= next {
		return longer, steps[rest] + 1
	}
	return next, 1
}

// parts returns the calls for n blocks.
func (l *level) parts(n int) []Part {
	var parts []Part
	for n > 0 {
		k := &l.kernels[l.first[n]]
		parts = append(parts, Part{ID: k.ID, Steps: l.steps[n]})
		n -= l.steps[n] * k.Blocks
	}
	return parts
}

// scratch returns how much of the cost of n blocks is for the scratch buffer.
func (l *level) scratch(n int) float64 {
	cost := 0.0
	for n > 0 {
		k := &l.kernels[l.first[n]]
		n -= (l.steps[n] - 1) * k.Blocks
		cost = l.overhead.lastStep(k, n)
		n -= k.Blocks
	}
	return cost
}

// spread returns the largest spread of the kernels in the calls for n blocks.
func (l *level) spread(n int) float64 {
	spread := 0.0
	for n > 0 {
		k := &l.kernels[l.first[n]]
		spread = max(spread, k.Spread)
		n -= l.steps[n] * k.Blocks
	}
	return spread
}
