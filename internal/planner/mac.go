package planner

import (
	"cmp"
	"math"
	"slices"
)

// A MACKernel is what the planner knows of a MAC kernel.
type MACKernel struct {
	Kernel
	// Layout names the powers of r that the kernel reads, empty if none.
	Layout string
	// Setup is the cost of computing them.
	Setup float64
}

// A MACLevel is the plan for messages of at least From blocks: kernels that read
// no powers, and kernels that read those of one layout.
type MACLevel struct {
	From   int
	Layout string
	Setup  float64
	Table  *Table
}

// macHorizon is the message length in blocks up to which the planner looks for
// the break-even of powers: 1 MiB.
const macHorizon = 1 << 16

// BuildMAC returns the levels in order of From; the first has From 0. Powers are
// worth computing only when the message is long enough, and only one layout at
// a time, because a second one would cost its set-up again.
func BuildMAC(kernels []MACKernel, overhead Overhead) []MACLevel {
	return worthwhile(macLevels(kernels, overhead))
}

// worthwhile returns those of the levels that are best from some length on.
func worthwhile(levels []MACLevel) []MACLevel {
	current := cheapestLevel(levels, 1)
	chosen := []MACLevel{levels[current]}
	for n := 2; n <= macHorizon; n = max(n+1, n*17/16) {
		next := cheapestLevel(levels, n)
		better := &levels[next]
		if better.Layout == levels[current].Layout || !lastingly(better, &levels[current]) ||
			better.around(n) > levels[current].around(n)*(1-MinGain) {
			continue
		}
		current = next
		level := levels[current]
		level.From = n
		chosen = append(chosen, level)
	}
	return chosen
}

// macLevels returns a level for each layout that occurs, by name; the one
// without powers comes first if there is a kernel for it.
func macLevels(kernels []MACKernel, overhead Overhead) []MACLevel {
	var layouts []string
	for _, k := range kernels {
		layouts = append(layouts, k.Layout)
	}
	slices.Sort(layouts)
	var levels []MACLevel
	for _, layout := range slices.Compact(layouts) {
		level := MACLevel{Layout: layout, Setup: setupOf(layout, kernels)}
		var usable []Kernel
		for _, k := range kernels {
			if k.Layout == "" || k.Layout == layout {
				usable = append(usable, k.Kernel)
			}
		}
		level.Table = Build(usable, overhead)
		levels = append(levels, level)
	}
	return levels
}

// byLayout returns the tables of levels.
func byLayout(levels []MACLevel) map[string]*Table {
	tables := make(map[string]*Table, len(levels))
	for i := range levels {
		tables[levels[i].Layout] = levels[i].Table
	}
	return tables
}

// setupOf returns the cost of the powers of a layout. Kernels that share it may
// state different costs; the highest counts.
func setupOf(layout string, kernels []MACKernel) float64 {
	setup := 0.0
	for _, k := range kernels {
		if k.Layout == layout {
			setup = max(setup, k.Setup)
		}
	}
	return setup
}

// costOf returns the cost of n blocks, set-up included.
func (l *MACLevel) costOf(n int) float64 { return l.Setup + l.Table.CostOf(n) }

// around returns the cost of n blocks and a little more on average, because the
// cost is a staircase and a single length may fall on the edge of a step.
func (l *MACLevel) around(n int) float64 {
	const samples = 8
	sum := 0.0
	for i := range samples {
		sum += l.costOf(n + i*n/(2*samples))
	}
	return sum / samples
}

// cheapestLevel returns the index of the cheapest level around n blocks; the
// first wins a tie.
func cheapestLevel(levels []MACLevel, n int) int {
	best := 0
	for i := range levels {
		if levels[i].around(n) < levels[best].around(n) {
			best = i
		}
	}
	return best
}

// lastingly reports whether a stays ahead of b for long input, so that a ripple
// of the staircase does not change the level back and forth.
func lastingly(a, b *MACLevel) bool {
	return cmp.Compare(a.Table.CostOf(macHorizon), b.Table.CostOf(macHorizon)) < 0
}

// CostOfMAC returns the cost of a message of n blocks at the level that is
// right for it.
func CostOfMAC(levels []MACLevel, n int) float64 {
	if n == 0 {
		return 0
	}
	cost := math.Inf(1)
	for i := range levels {
		if levels[i].From <= n {
			cost = levels[i].costOf(n)
		}
	}
	return cost
}
