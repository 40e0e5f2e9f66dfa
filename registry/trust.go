package registry

import (
	"fmt"
	"math"
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
	apart     float64 // relative distance of this timing from an earlier one
}

// tooNoisy is the relative uncertainty from which a time is not believed. Plans move
// to a less simple kernel only for a gain of three times the uncertainty, or 3 %, so
// that on a busy machine the simplest kernels would win.
const tooNoisy = 0.05

// agreement is how far apart a time and a prior may be, apart from uncertainty, for
// the one to confirm the other.
const agreement = 0.05

const (
	budgetSpent = "budget"
	confirmed   = "confirmed"
)

// judge returns the costs of kernels that were timed together, of one class of core:
// of all of one kind or of none. Measured costs beside priors would favour whichever
// is lower, whatever the kernels do.
//
// Priors that were measured on this model of CPU rest on far more samples than there
// is time for at a start-up. If the times confirm them they stay, at the one speed
// that this machine has: all processes then choose alike, where times that differ by
// their noise would turn each near tie this way or that. Times that contradict such
// priors are believed if they come out the same when taken again. A calibration has
// samples enough of its own, and is always believed.
func (m *measurer) judge(t *costTable, a Algorithm, timings []timing) map[costKey]Cost {
	costs := map[costKey]Cost{}
	speed := speedOf(t, a, timings)
	for _, kind := range kinds {
		some := ofKind(timings, kind)
		agreed := !m.thorough() && confirms(t, a, some, speed)
		doubt := ""
		if !agreed {
			doubt = m.doubt(some)
		}
		for _, one := range some {
			key := keyFor(one.candidate, a)
			switch {
			case doubt != "":
				m.distrusted[key] = doubt
			case agreed:
				costs[key] = one.confirmed(t, a, speed)
			default:
				costs[key] = one.measured()
			}
		}
	}
	return costs
}

// contradicting returns the kernels whose times, as those of a kind, do not confirm
// the priors that there are.
func contradicting(t *costTable, a Algorithm, timings []timing) []*candidate {
	var all []*candidate
	speed := speedOf(t, a, timings)
	for _, kind := range kinds {
		some := ofKind(timings, kind)
		if len(ratios(t, a, some)) == 0 || confirms(t, a, some, speed) {
			continue
		}
		for _, one := range some {
			all = append(all, one.candidate)
		}
	}
	return all
}

// doubt says why timings of one kind are not believed, empty if they are.
func (m *measurer) doubt(timings []timing) string {
	if slices.ContainsFunc(timings, func(one timing) bool { return !one.done }) {
		return budgetSpent
	}
	noise := uncertainty(timings)
	for _, one := range timings {
		noise = max(noise, one.apart)
	}
	if noise > tooNoisy && !m.thorough() {
		return fmt.Sprintf("noise: times uncertain by %.0f %%", 100*noise)
	}
	return ""
}

// combine puts second timings in the place of first ones of the same kernels. As far
// as the two differ they are uncertain.
func combine(timings, second []timing) {
	for _, again := range second {
		i := slices.IndexFunc(timings, func(one timing) bool { return one.candidate == again.candidate })
		for _, n := range stepsFor(again.candidate.kernel) {
			apart := math.Abs(timings[i].fit.At(n)/again.fit.At(n) - 1)
			again.apart = max(again.apart, apart)
		}
		timings[i] = again
	}
}

// uncertainty returns the largest spread of kernels that were not dropped. That a
// kernel was beaten and dropped is believed, by however few samples.
func uncertainty(timings []timing) float64 {
	most, spread := 0, 0.0
	for _, t := range timings {
		most = max(most, t.fit.Samples)
	}
	for _, t := range timings {
		if beaten := t.fit.Samples < most-1; !beaten {
			spread = max(spread, t.fit.Spread)
		}
	}
	return spread
}

// measured returns what was measured as a cost.
func (t *timing) measured() Cost {
	return Cost{Fixed: t.fit.Fixed, PerStep: t.fit.PerStep, Setup: t.setup, Spread: t.fit.Spread,
		Residual: t.fit.Residual, Samples: t.fit.Samples, Measured: now(), Provenance: "measured"}
}

// confirmed returns the prior as a cost, in ns by this speed. What is used is the
// prior by the speed that all kernels show.
func (t *timing) confirmed(table *costTable, a Algorithm, speed float64) Cost {
	cost := priorCost(t.candidate.kernel, keyFor(t.candidate, a).rounds, table.models)
	cost.Fixed *= speed
	cost.PerStep *= speed
	cost.Setup *= speed
	cost.Samples, cost.Measured, cost.Provenance = t.fit.Samples, now(), confirmed
	return cost
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// ratios returns how many ns were measured for each cycle of the prior, at each
// length; nothing unless all priors were measured on this model of CPU.
func ratios(t *costTable, a Algorithm, timings []timing) []float64 {
	var all []float64
	for _, one := range timings {
		prior := priorCost(one.candidate.kernel, keyFor(one.candidate, a).rounds, t.models)
		if !one.done || prior.Provenance != "measured elsewhere" || !slices.Contains(t.models, prior.CPU) {
			return nil
		}
		for _, n := range stepsFor(one.candidate.kernel) {
			all = append(all, one.fit.At(n)/(prior.Fixed+float64(n)*prior.PerStep))
		}
	}
	slices.Sort(all)
	return all
}

// speedOf returns the typical ratio of times to the priors of this model of CPU, 0
// if there are none.
func speedOf(t *costTable, a Algorithm, timings []timing) float64 {
	var all []float64
	for _, kind := range kinds {
		all = append(all, ratios(t, a, ofKind(timings, kind))...)
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// confirms reports whether times agree at all lengths with priors that were measured
// on this model of CPU.
func confirms(t *costTable, a Algorithm, timings []timing, speed float64) bool {
	all := ratios(t, a, timings)
	allowed := 1 + agreement + 3*uncertainty(timings)
	return len(all) > 0 && all[len(all)-1] <= speed*allowed && all[0]*allowed >= speed
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
