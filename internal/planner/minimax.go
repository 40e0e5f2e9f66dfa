package planner

import "math"

// On a machine with several classes of core a thread may run on any of them,
// and what is best on one may be bad on another. The plan is then the one of
// least worst-case regret: whose cost, relative to the best plan of each class,
// is least in the class where it is greatest.

// leastRegret returns the index of the option of least worst-case regret;
// costs are by option and class. The first of several wins.
func leastRegret(costs [][]float64) int {
	best, least := 0, math.Inf(1)
	for i := range costs {
		if worst := worstRegret(costs, i); worst < least {
			best, least = i, worst
		}
	}
	return best
}

// worstRegret returns by which factor option i is dearer than the cheapest
// option, in the class where that is most.
func worstRegret(costs [][]float64, i int) float64 {
	worst := 1.0
	for class, cost := range costs[i] {
		cheapest := cost
		for _, other := range costs {
			cheapest = min(cheapest, other[class])
		}
		if cheapest > 0 {
			worst = max(worst, cost/cheapest)
		}
	}
	return worst
}

// BuildClasses returns the plan of least worst-case regret for classes of core,
// given the same kernels with the costs and overheads of each class. The options
// for each number of blocks are the best plans of the classes, that of their
// average, and each kernel alone. The costs in the table are those of the first class.
func BuildClasses(classes [][]Kernel, overheads []Overhead) *Table {
	if len(classes) == 1 {
		return Build(classes[0], overheads[0])
	}
	options := make([]*Table, len(classes))
	for i := range classes {
		options[i] = Build(classes[i], overheads[i])
	}
	options = append(options, Build(average(classes, options), overheads[0]))
	widest := widestOf(classes[0])
	for _, k := range classes[0] {
		options = append(options, build([]Kernel{k}, overheads[0], widest))
	}

	// under[i][c] is option i with the costs of class c.
	under := make([][]*Table, len(options))
	for i, option := range options {
		for c := range classes {
			under[i] = append(under[i], option.Under(classes[c], overheads[c]))
		}
	}
	costs := func(cost func(*Table) float64) [][]float64 {
		all := make([][]float64, len(options))
		for i := range options {
			for c := range classes {
				all[i] = append(all[i], cost(under[i][c]))
			}
		}
		return all
	}
	// A bulk kernel runs for long input, so that its step alone matters.
	bulk := leastRegret(costs(func(t *Table) float64 { return t.Bulk.perBlock() }))
	table := *under[bulk][0]
	for n := range table.Parts {
		i := leastRegret(costs(func(t *Table) float64 { return t.Cost[n] }))
		chosen := under[i][0]
		table.Parts[n], table.Cost[n], table.Scratch[n] = chosen.Parts[n], chosen.Cost[n], chosen.Scratch[n]
	}
	table.Extend = extensions(&table)
	return &table
}

// average returns the kernels with the averages of their costs, each class
// counted in units of its cheapest block so that a slow class does not outweigh
// a fast one.
func average(classes [][]Kernel, best []*Table) []Kernel {
	averaged := make([]Kernel, len(classes[0]))
	for i := range averaged {
		averaged[i] = classes[0][i]
		averaged[i].Fixed, averaged[i].PerStep = 0, 0
		for c, kernels := range classes {
			unit := best[c].Bulk.perBlock() * float64(len(classes)) / best[0].Bulk.perBlock()
			averaged[i].Fixed += kernels[i].Fixed / unit
			averaged[i].PerStep += kernels[i].PerStep / unit
			averaged[i].Spread = max(averaged[i].Spread, kernels[i].Spread)
		}
	}
	return averaged
}

// Under returns the same plan with the costs of other kernels, which have the
// same IDs.
func (t *Table) Under(kernels []Kernel, overhead Overhead) *Table {
	byID := map[int]*Kernel{}
	for i := range kernels {
		byID[kernels[i].ID] = &kernels[i]
	}
	other := &Table{overhead: overhead, Bulk: *byID[t.Bulk.ID], Extend: t.Extend}
	for n, parts := range t.Parts {
		cost, scratch := 0.0, 0.0
		for _, p := range parts {
			k := byID[p.ID]
			cost += overhead.Call + k.Fixed + float64(p.Steps)*k.PerStep
			n -= (p.Steps - 1) * k.Blocks
			scratch += overhead.LastStep(k, n, p.Steps)
			n -= k.Blocks
		}
		other.Parts, other.Cost = append(other.Parts, parts), append(other.Cost, cost+scratch)
		other.Scratch = append(other.Scratch, scratch)
	}
	return other
}

// horizon are the message lengths in blocks by which whole plans are compared.
var horizon = []int{1, 2, 4, 6, 9, 13, 20, 32, 64, 200, 1000, 10000}

// leastRegretOver returns the option of least worst-case regret over all classes
// and the lengths of the horizon; cost is that of an option in a class.
func leastRegretOver(options, classes int, cost func(option, class, blocks int) float64) int {
	worst := make([][]float64, options)
	for i := range worst {
		worst[i] = make([]float64, len(horizon)*classes)
		for h, n := range horizon {
			for c := range classes {
				worst[i][h*classes+c] = cost(i, c, n)
			}
		}
	}
	return leastRegret(worst)
}

// BuildMACClasses is BuildMAC for classes of core; the options are the best
// plans of the classes. It returns too, by class and layout, the best plan with kernels
// that read no powers or those of this layout.
func BuildMACClasses(classes [][]MACKernel, overheads []Overhead) ([]MACLevel, []map[string]*Table) {
	options, tables := make([][]MACLevel, len(classes)), make([]map[string]*Table, len(classes))
	for i := range classes {
		levels := macLevels(classes[i], overheads[i])
		options[i], tables[i] = worthwhile(levels), byLayout(levels)
	}
	if len(classes) == 1 {
		return options[0], tables
	}
	under := make([][][]MACLevel, len(classes))
	for i, option := range options {
		for c := range classes {
			under[i] = append(under[i], LevelsUnder(option, classes[c], overheads[c]))
		}
	}
	best := leastRegretOver(len(classes), len(classes), func(option, class, blocks int) float64 {
		return CostOfMAC(under[option][class], blocks)
	})
	return under[best][0], tables
}

// LevelsUnder returns the same levels with the costs of other kernels.
func LevelsUnder(levels []MACLevel, kernels []MACKernel, overhead Overhead) []MACLevel {
	plain := make([]Kernel, len(kernels))
	for i := range kernels {
		plain[i] = kernels[i].Kernel
	}
	var other []MACLevel
	for _, level := range levels {
		level.Table = level.Table.Under(plain, overhead)
		level.Setup = setupOf(level.Layout, kernels)
		other = append(other, level)
	}
	return other
}

// BuildAEADClasses is BuildAEAD for classes of core; the problems have the same
// plans with the costs of each class. The options are the best plans of the
// classes.
func BuildAEADClasses(problems []*AEADProblem) *AEADTable {
	costs, options := make([]*aeadCosts, len(problems)), make([]*AEADTable, len(problems))
	for i, p := range problems {
		costs[i] = newAEADCosts(p)
		options[i] = costs[i].table()
	}
	best := leastRegretOver(len(problems), len(problems), func(option, class, blocks int) float64 {
		return costs[class].costOf(options[option].For(blocks), blocks)
	})
	return options[best]
}
