package registry

import (
	"fmt"
	"slices"
	"time"

	"github.com/quarterround/quarterround/internal/measure"
)

// A timing is what came of timing one kernel.
type timing struct {
	candidate *candidate
	done      bool // there are enough samples of each length
	fit       measure.Fit
	setup     float64 // ns for the powers of R
}

// Relative uncertainties from which a time is not believed. Plans move to a less
// simple kernel only for a gain of three times the uncertainty, or 3 %, so that on a
// busy machine the simplest kernels would win. Where there are priors that were
// measured on this model of CPU, to believe less than they do would be a loss: then
// the 3 % must be what decides.
const (
	tooNoisy          = 0.05
	tooNoisyToReplace = 0.01
)

const budgetSpent = "budget"

// judge adds the costs of kernels of one kind that were timed together: of all or
// of none. Measured costs beside priors would favour whichever is lower, whatever
// the kernels do.
//
// That a kernel was beaten and dropped is believed, by however few samples; it
// counts as no more uncertain than others may be.
func (m *measurer) judge(a Algorithm, timings []timing, costs map[costKey]Cost) {
	most := 0 // samples of kernels that were not dropped, or one more
	for _, t := range timings {
		most = max(most, t.fit.Samples)
	}
	limit := m.limit(a, timings)
	doubt := ""
	for _, t := range timings {
		beaten := t.fit.Samples < most-1
		switch {
		case !t.done:
			doubt = budgetSpent
		case !beaten && t.fit.Spread > limit:
			doubt = fmt.Sprintf("noise: times uncertain by %.0f %%", 100*t.fit.Spread)
		}
	}
	now := time.Now().UTC().Format(time.RFC3339)
	for _, t := range timings {
		key := keyFor(t.candidate, a)
		if doubt != "" {
			m.distrusted[key] = doubt
			continue
		}
		costs[key] = Cost{Fixed: t.fit.Fixed, PerStep: t.fit.PerStep, Setup: t.setup, Spread: min(t.fit.Spread, limit),
			Residual: t.fit.Residual, Samples: t.fit.Samples, Measured: now, Provenance: "measured"}
	}
}

// limit returns the uncertainty up to which these timings are believed.
func (m *measurer) limit(a Algorithm, timings []timing) float64 {
	t := m.selector.tables[0]
	for _, one := range timings {
		c := one.candidate
		prior := priorCost(c.kernel, keyFor(c, a).rounds, t.models)
		if prior.Provenance != "measured elsewhere" || !slices.Contains(t.models, prior.CPU) {
			return tooNoisy
		}
	}
	return tooNoisyToReplace
}

// ofKind returns the timings of kernels of a kind.
func ofKind(timings []timing, kind Kind) []timing {
	var some []timing
	for _, t := range timings {
		if t.candidate.kernel.Kind == kind {
			some = append(some, t)
		}
	}
	return some
}
