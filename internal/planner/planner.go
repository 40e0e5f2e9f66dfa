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
	"sync"
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
	// Partial says that the last block is partial, so that no last step is full.
	Partial bool
}

// LastStep returns what the scratch buffer costs if so many blocks are left for the last
// step of a call of k that has so many steps: nothing if they fill it, or do not end
// with it. Behind other steps it is a call of its own.
func (o *Overhead) LastStep(k *Kernel, blocks, steps int) float64 {
	if k.Granular || blocks > k.Blocks || blocks == k.Blocks && !o.Partial {
		return 0
	}
	cost := o.Scratch + k.Scratch + float64(blocks)*o.CopyBlock
	if steps > 1 && cost > 0 {
		cost += o.Call + k.Fixed
	}
	return cost
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
	steps, rest := t.split(n)
	if rest < t.Bulk.Blocks && t.Extend[rest] {
		return []Part{{ID: t.Bulk.ID, Steps: steps + 1}}
	}
	return append([]Part{{ID: t.Bulk.ID, Steps: steps}}, t.Parts[rest]...)
}

// split returns how many full steps the bulk kernel makes of more blocks than the table
// is exact for, and how many blocks are left.
func (t *Table) split(n int) (steps, rest int) {
	if t.overhead.Partial {
		n--
		rest = 1
	}
	return n / t.Bulk.Blocks, n%t.Bulk.Blocks + rest
}

// CostOf returns the cost of n blocks.
func (t *Table) CostOf(n int) float64 {
	if n <= t.Limit() {
		return t.Cost[n]
	}
	steps, rest := t.split(n)
	cost := t.overhead.Call + t.Bulk.Fixed + float64(steps)*t.Bulk.PerStep
	if rest < t.Bulk.Blocks && t.Extend[rest] {
		return cost + t.Bulk.PerStep
	}
	return cost + t.Cost[rest]
}

// Roomy returns kernels and overheads as they are in a buffer with room for a last
// step that is not full, which then does without the scratch buffer.
func Roomy(classes [][]Kernel, overheads []Overhead) ([][]Kernel, []Overhead) {
	roomy := make([][]Kernel, len(classes))
	free := make([]Overhead, len(overheads))
	for i, kernels := range classes {
		roomy[i] = slices.Clone(kernels)
		for j := range roomy[i] {
			roomy[i][j].Scratch = 0
		}
		free[i] = Overhead{Call: overheads[i].Call}
	}
	return roomy, free
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
	room, _ := rooms.Get().(*[]start)
	if most := 2 * len(kernels) * (limit + 1); room == nil || len(*room) < most {
		room = new(make([]start, most))
	}
	defer rooms.Put(room)
	levels := solveLevels(ordered, overhead, limit, *room)

	all := levels[len(levels)-1]
	table := &Table{overhead: overhead, Parts: make([][]Part, limit+1), Cost: make([]float64, limit+1), Scratch: make([]float64, limit+1)}
	parts := make([]Part, 0, 2*limit)
	for n := range limit + 1 {
		chosen := all
		for _, level := range levels {
			if level.best[n].cost*(1-Tolerance(level.spread(n), all.spread(n))) <= all.best[n].cost {
				chosen = level
				break
			}
		}
		before := len(parts)
		parts = chosen.appendParts(parts, n)
		table.Parts[n], table.Cost[n], table.Scratch[n] = parts[before:len(parts):len(parts)], chosen.best[n].cost, chosen.scratch(n)
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

// Noise returns the relative difference below which two times with these relative
// spreads may well be the same.
func Noise(a, b float64) float64 { return max(MinGain, 3*max(a, b)) }

// maxGain is the largest relative gain that a plan gives up for a simpler kernel. Times
// that say less than that are still the best there are: a kernel that was beaten at
// once keeps the spread of its few samples, which may be larger than its time.
const maxGain = 0.1

// Tolerance returns the relative gain below which plans with kernels of these relative
// spreads count as equally good.
func Tolerance(a, b float64) float64 { return min(maxGain, Noise(a, b)) }

// A level is the solution with kernels up to one simplicity.
type level struct {
	kernels  []Kernel
	overhead Overhead
	best     []start // by blocks
}

// A start is the first call of a plan, and what the whole plan costs.
type start struct {
	cost   float64
	kernel int32 // index of the kernel of the first call
	steps  int32 // of that call
}

// solveLevels solves the problem once for each simplicity that occurs, simplest
// first; the last level uses all kernels. A simplicity that adds nothing of use
// has no level of its own. The levels lie in room, which has place for twice as many
// plans as there are kernels.
func solveLevels(kernels []Kernel, overhead Overhead, limit int, room []start) []*level {
	var cuts []int
	for _, k := range kernels {
		cuts = append(cuts, k.Simplicity)
	}
	slices.Sort(cuts)
	var levels []*level
	var useful, last []Kernel
	for _, cut := range slices.Compact(cuts) {
		useful = appendUseful(useful[:0], kernels, cut)
		if !slices.Equal(useful, last) {
			last = slices.Clone(useful)
			levels = append(levels, solve(last, overhead, room[:limit+1], room[limit+1:]))
			room = room[limit+1:]
		}
	}
	return levels
}

// rooms are what build works in: a plan takes many tables, and the first handle of a
// program waits for each new page of memory.
var rooms sync.Pool

// appendUseful appends the kernels up to a simplicity without those that another
// of them makes superfluous. Of two equal ones the first stays, which is the
// simpler.
func appendUseful(useful, kernels []Kernel, cut int) []Kernel {
	for i := range kernels {
		if kernels[i].Simplicity <= cut && !superfluous(kernels, i, cut) {
			useful = append(useful, kernels[i])
		}
	}
	return useful
}

// superfluous reports whether kernel i is, beside those up to a simplicity.
func superfluous(kernels []Kernel, i, cut int) bool {
	for j := range kernels {
		if i != j && kernels[j].Simplicity <= cut && kernels[j].replaces(&kernels[i]) && (i > j || !kernels[i].replaces(&kernels[j])) {
			return true
		}
	}
	return false
}

// replaces reports whether k does what other does for no more, however they are
// used.
func (k *Kernel) replaces(other *Kernel) bool {
	return k.Blocks == other.Blocks && k.Granular == other.Granular &&
		k.Fixed <= other.Fixed && k.PerStep <= other.PerStep && k.Scratch <= other.Scratch
}

// solve returns a level. startingWith[n] is the best plan for n blocks whose first
// call goes to a given kernel: either that covers all of it in one step, or it is
// one step in front of a plan for the rest, which may begin with the same call
// (then only the step is paid) or with another. These tables lie in room, one
// for each kernel, and the result in plans.
func solve(kernels []Kernel, overhead Overhead, plans, room []start) *level {
	l := &level{kernels: kernels, overhead: overhead, best: plans}
	plans[0] = start{}
	for n := 1; n < len(plans); n++ {
		best := start{cost: math.Inf(1)}
		for i := range kernels {
			startingWith := room[i*len(plans):][:len(plans)]
			startingWith[n] = l.startWith(i, n, startingWith)
			// Rounding must not decide between orders of the same calls: the widest
			// kernel, which comes first here, goes first.
			if startingWith[n].cost < best.cost*(1-rounding) || math.IsInf(best.cost, 1) {
				best = startingWith[n]
			}
		}
		plans[n] = best
	}
	return l
}

// rounding is the relative difference of costs up to which they are the same: sums in
// another order differ by less.
const rounding = 1e-9

// startWith returns the best plan for n blocks that begins with kernel i, given
// those for fewer blocks.
func (l *level) startWith(i, n int, fewer []start) start {
	k := &l.kernels[i]
	call := l.overhead.Call + k.Fixed
	if k.Blocks >= n {
		return start{call + k.PerStep + l.overhead.LastStep(k, n, 1), int32(i), 1}
	}
	rest := n - k.Blocks
	longer, next := fewer[rest].cost+k.PerStep, call+k.PerStep+l.best[rest].cost
	if fewer[rest].steps == 1 {
		longer += l.overhead.LastStep(k, rest, 2) - l.overhead.LastStep(k, rest, 1)
	}
	if longer <= next*(1+rounding) {
		return start{longer, int32(i), fewer[rest].steps + 1}
	}
	return start{next, int32(i), 1}
}

// appendParts appends the calls for n blocks to parts.
func (l *level) appendParts(parts []Part, n int) []Part {
	for m := n; m > 0; m -= l.covers(m) {
		parts = append(parts, Part{ID: l.kernels[l.best[m].kernel].ID, Steps: int(l.best[m].steps)})
	}
	return parts
}

// covers returns how many blocks the first call for n blocks has room for.
func (l *level) covers(n int) int { return int(l.best[n].steps) * l.kernels[l.best[n].kernel].Blocks }

// scratch returns how much of the cost of n blocks is for the scratch buffer.
func (l *level) scratch(n int) float64 {
	cost := 0.0
	for m := n; m > 0; m -= l.covers(m) {
		k := &l.kernels[l.best[m].kernel]
		steps := int(l.best[m].steps)
		cost = l.overhead.LastStep(k, m-(steps-1)*k.Blocks, steps)
	}
	return cost
}

// spread returns the largest spread of the kernels in the calls for n blocks.
func (l *level) spread(n int) float64 {
	spread := 0.0
	for m := n; m > 0; m -= l.covers(m) {
		spread = max(spread, l.kernels[l.best[m].kernel].Spread)
	}
	return spread
}
