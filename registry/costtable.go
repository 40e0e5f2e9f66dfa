package registry

import (
	"maps"
	"slices"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/profile"
)

// A costTable is what is known of costs on one class of core.
type costTable struct {
	class  cpu.Class
	models []string // CPU models by which priors are looked up
	// known are the costs that replace priors, in the selector's unit, and profile the
	// entries of a profile that do so for the rest: by their costs at index.
	known   map[costKey]Cost
	profile map[costKey]*profile.Entry
	index   int
	// scale is the factor from the cycles of priors to the unit.
	scale float64
}

// costTables returns a table for each class of core, the strongest first, that
// knows priors only. A machine of equal cores has one table.
func costTables(id cpu.Identity) []*costTable {
	if len(id.Classes) < 2 {
		return []*costTable{{models: modelsOf(id), scale: 1}}
	}
	var tables []*costTable
	for _, class := range id.Classes {
		tables = append(tables, &costTable{class: class, index: len(tables), models: []string{modelOf(id.GOARCH, class)}, scale: 1})
	}
	return tables
}

// lookup returns a cost that replaces a prior.
func (t *costTable) lookup(key costKey) (cost Cost, ok bool) {
	if cost, ok := t.known[key]; ok {
		return cost, true
	}
	e := t.profile[key]
	if e == nil {
		return Cost{}, false
	}
	c := &e.Classes[t.index]
	return Cost{Fixed: c.Fixed, PerStep: c.PerStep, Setup: c.Setup, Spread: c.Spread,
		Residual: c.Residual, Samples: c.Samples, Measured: e.Measured, Provenance: "profile"}, true
}

// cost returns what is taken to be the cost of c in algorithm a: what is known;
// or what follows from other numbers of rounds that are known; or the prior.
func (t *costTable) cost(c *candidate, a Algorithm) Cost {
	key := keyFor(c, a)
	known, ok := t.lookup(key)
	switch {
	case ok && known.Provenance == confirmed:
		cost := t.prior(c, key)
		cost.Samples, cost.Measured, cost.Provenance = known.Samples, known.Measured, confirmed
		return cost
	case ok:
		return known
	}
	if twenty, ok := t.lookup(costKey{key.kernel, 20}); ok && key.rounds != 0 && twenty.Provenance != confirmed {
		return t.fromTwenty(c, key, twenty)
	}
	return t.prior(c, key)
}

// prior returns the prior of c in the unit of the table.
func (t *costTable) prior(c *candidate, key costKey) Cost {
	cost := priorCost(c.kernel, key.rounds, t.models)
	cost.Fixed *= t.scale
	cost.PerStep *= t.scale
	cost.Setup *= t.scale
	return cost
}

// fromTwenty returns the cost for fewer rounds than the 20 that are known. The
// work is linear in the rounds, so that 12 lie between 8 and 20; from 20 alone, a
// step takes the part that it takes by the priors.
func (t *costTable) fromTwenty(c *candidate, key costKey, twenty Cost) Cost {
	eight, ok := t.lookup(costKey{key.kernel, 8})
	if !ok || eight.Provenance == confirmed {
		twenty.PerStep *= priorCost(c.kernel, key.rounds, t.models).PerStep / priorCost(c.kernel, 20, t.models).PerStep
		twenty.Source = "by 20 rounds and the prior"
		return twenty
	}
	weight := float64(key.rounds-8) / 12
	eight.Fixed += weight * (twenty.Fixed - eight.Fixed)
	eight.PerStep += weight * (twenty.PerStep - eight.PerStep)
	eight.Spread = max(eight.Spread, twenty.Spread)
	eight.Source = "between 8 and 20 rounds"
	return eight
}

// with returns a copy of the table that knows more costs, in ns.
func (t *costTable) with(more map[costKey]Cost, candidates []*candidate) *costTable {
	grown := *t
	grown.known = make(map[costKey]Cost, len(t.known)+len(more))
	maps.Copy(grown.known, t.known)
	maps.Copy(grown.known, more)
	grown.setScale(candidates)
	return &grown
}

// withProfile returns a copy of the table that knows, and keeps, entries of a profile.
func (t *costTable) withProfile(entries map[costKey]*profile.Entry, candidates []*candidate) *costTable {
	grown := *t
	grown.profile = entries
	grown.setScale(candidates)
	return &grown
}

// setScale sets the scale for what is not known, once something is: to the median of
// the ratios of known costs to declared priors.
func (t *costTable) setScale(candidates []*candidate) {
	if ratios := t.ratios(candidates); len(ratios) > 0 {
		slices.Sort(ratios)
		t.scale = ratios[len(ratios)/2]
	}
}

// typicalClock is the rate in GHz that turns cycles into ns where nothing with a
// prior was measured.
const typicalClock = 2

// ratios returns the ratio of known cost to prior for a few steps of each kernel
// that has both.
func (t *costTable) ratios(candidates []*candidate) []float64 {
	const steps = 8
	ratios := []float64{}
	for _, c := range candidates {
		for _, rounds := range []int{0, 20} {
			known, ok := t.lookup(costKey{c.name(), rounds})
			if !ok {
				continue
			}
			if prior := priorCost(c.kernel, rounds, t.models); prior.Source != noPrior {
				ratios = append(ratios, (known.Fixed+steps*known.PerStep)/(prior.Fixed+steps*prior.PerStep))
			}
		}
	}
	if len(ratios) == 0 {
		return []float64{1.0 / typicalClock}
	}
	return ratios
}
