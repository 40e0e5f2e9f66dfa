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
	confirms  bool    // with the others of its kind, the priors that there are
	first     *timing // of the same kernel, if this is the second
}

// tooNoisy is the relative uncertainty from which a time is not believed. Plans move
// to a less simple kernel only for a gain of three times the uncertainty, or 3 %, so
// that on a busy machine the simplest kernels would win.
const tooNoisy = 0.05

// unsteady is the same for times that contradict priors of the same model of CPU: a
// program on the other thread of the core slows kernels down by factors of their own,
// for as long as a start-up lasts, and what tells is that times then scatter by 2 to
// 5 %, not by 1 %.
const unsteady = 0.02

// agreement is how far apart a time and a prior may be, apart from uncertainty, for
// the one to confirm the other. Of some 30 kernels at three lengths each the one that
// is farthest off is off by 7 % in a quiet start-up, by 9 % in one of ten.
const agreement = 0.1

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
// priors are believed if they come out the same, and steady, when taken again. A
// calibration has samples enough of its own, and is always believed.
func (m *measurer) judge(t *costTable, a Algorithm, timings []timing) map[costKey]Cost {
	costs := map[costKey]Cost{}
	speed := speedOf(t, a, timings)
	for _, kind := range kinds {
		some := ofKind(timings, kind)
		agreed := len(some) > 0 && some[0].confirms && !m.thorough()
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

// compare notes which timings confirm priors, and returns the kernels whose times
// contradict them. What once was confirmed stays so: a second timing is of other
// kernels, and makes the speed another.
func compare(t *costTable, a Algorithm, timings []timing) (contradicting []*candidate) {
	speed := speedOf(t, a, timings)
	for _, kind := range kinds {
		some := ofKind(timings, kind)
		known := len(ratios(t, a, some)) > 0
		confirmed := confirms(t, a, some, speed)
		for i := range timings {
			if one := &timings[i]; one.candidate.kernel.Kind == kind {
				one.confirms = one.confirms || confirmed
				if known && !one.confirms {
					contradicting = append(contradicting, one.candidate)
				}
			}
		}
	}
	return contradicting
}

// doubt says why timings of one kind are not believed, empty if they are.
func (m *measurer) doubt(timings []timing) string {
	if slices.ContainsFunc(timings, func(one timing) bool { return !one.done }) {
		return budgetSpent
	}
	if m.thorough() {
		return ""
	}
	if noise := uncertainty(timings); noise > tooNoisy {
		return uncertain(noise)
	}
	return doubtTwice(timings)
}

// doubtTwice is doubt of timings that contradict priors and were taken twice.
func doubtTwice(timings []timing) string {
	var first []timing
	most, apart := mostSamples(timings), 0.0
	for _, one := range timings {
		if one.first == nil {
			continue
		}
		first = append(first, *one.first)
		if !one.beaten(most) {
			apart = max(apart, one.apart())
		}
	}
	if len(first) == 0 {
		return ""
	}
	if noise := max(uncertainty(first), uncertainty(timings)); noise > unsteady {
		return uncertain(noise)
	}
	if !(apart <= tooNoisy) { // nor if it is no number
		return uncertain(apart)
	}
	return ""
}

func uncertain(noise float64) string {
	return fmt.Sprintf("noise: times uncertain by %.0f %%", 100*noise)
}

// apart returns how far the times of a kernel are from those that were taken first.
func (t *timing) apart() float64 {
	most := 0.0
	for _, n := range stepsFor(t.candidate.kernel) {
		most = max(most, math.Abs(t.first.fit.At(n)/t.fit.At(n)-1))
	}
	return most
}

// combine puts second timings in the place of first ones of the same kernels.
func combine(timings, second []timing) {
	for _, again := range second {
		i := slices.IndexFunc(timings, func(one timing) bool { return one.candidate == again.candidate })
		first := timings[i]
		again.first = &first
		timings[i] = again
	}
}

// uncertainty returns the largest spread of kernels that were not dropped. That a
// kernel was beaten and dropped is believed, by however few samples.
func uncertainty(timings []timing) float64 {
	most, spread := mostSamples(timings), 0.0
	for i := range timings {
		if one := &timings[i]; !one.beaten(most) {
			spread = max(spread, one.fit.Spread)
		}
	}
	return spread
}

// beaten reports whether a kernel was dropped, given the most samples of its kind.
func (t *timing) beaten(most int) bool { return t.fit.Samples < most-1 }

func mostSamples(timings []timing) int {
	most := 0
	for _, t := range timings {
		most = max(most, t.fit.Samples)
	}
	return most
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
	for i := range timings {
		own := timings[i].ratios(t, a)
		if own == nil {
			return nil
		}
		all = append(all, own...)
	}
	return all
}

// ratios is ratios of one kernel.
func (t *timing) ratios(table *costTable, a Algorithm) []float64 {
	prior := priorCost(t.candidate.kernel, keyFor(t.candidate, a).rounds, table.models)
	if !t.done || prior.Provenance != "measured elsewhere" || !slices.Contains(table.models, prior.CPU) {
		return nil
	}
	var own []float64
	for _, n := range stepsFor(t.candidate.kernel) {
		own = append(own, t.fit.At(n)/(prior.Fixed+float64(n)*prior.PerStep))
	}
	return own
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
// on this model of CPU. What was beaten and dropped rests on few samples, and no plan
// depends on how far it was behind: it may be twice as far off, and by its own spread.
// What is too noisy to be believed confirms no more than what just is not.
func confirms(t *costTable, a Algorithm, timings []timing, speed float64) bool {
	noise, most := min(uncertainty(timings), tooNoisy), mostSamples(timings)
	for i := range timings {
		one := &timings[i]
		allowed := 1 + agreement + 3*noise
		if one.beaten(most) {
			allowed = 1 + 2*agreement + 3*max(noise, min(one.fit.Spread, tooNoisy))
		}
		own := one.ratios(t, a)
		if own == nil || slices.Max(own) > speed*allowed || slices.Min(own)*allowed < speed {
			return false
		}
	}
	return len(timings) > 0
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
