package registry

import (
	"runtime"
)

// A Cost is what a kernel is taken to cost, and how that is known. All costs of
// one selection are in the same unit.
type Cost struct {
	// Fixed is the cost of a call apart from its steps, PerStep that of a step,
	// Setup that of computing the powers of R.
	Fixed   float64 `json:"fixed"`
	PerStep float64 `json:"per_step"`
	Setup   float64 `json:"setup,omitempty"`
	// Spread is the relative uncertainty of measured figures, Residual the largest
	// relative distance of a measured time from this line, and Samples the least
	// number of samples behind a time; 0 if nothing was measured.
	Spread   float64 `json:"spread,omitempty"`
	Residual float64 `json:"residual,omitempty"`
	Samples  int     `json:"samples,omitempty"`
	// Measured is when, in UTC: "2006-01-02T15:04:05Z".
	Measured string `json:"measured,omitempty"`
	// Provenance is "measured" in this process; "confirmed" for priors of this model
	// of CPU that agree with what was measured in this process; "profile" for measured
	// by another process on this CPU; or of priors "measured elsewhere", "modelled" or
	// "estimated".
	Provenance string `json:"provenance"`
	// CPU is the model the figures are for, Source where they come from.
	CPU    string `json:"cpu,omitempty"`
	Source string `json:"source,omitempty"`
}

// A costKey names a kernel at a number of rounds (0 for MACs).
type costKey struct {
	kernel string // backend/kernel
	rounds int
}

// keyFor returns the key of c in algorithm a.
func keyFor(c *candidate, a Algorithm) costKey {
	if c.kernel.Kind == KindMAC {
		return costKey{c.name(), 0}
	}
	return costKey{c.name(), a.Rounds()}
}

// undeclared is the price per byte, in cycles, of a kernel that declares no
// prior for this CPU: dearer than any kernel here, so that it is used only when
// forced or measured.
const undeclared = 100

const noPrior = "no prior declared"

// priorCost returns the most specific prior of k for the CPU models (most
// specific first), this GOARCH, or any CPU, in cycles.
func priorCost(k *Kernel, rounds int, models []string) Cost {
	for _, name := range models {
		if prior, ok := findPrior(k, name, rounds); ok {
			return prior
		}
	}
	for _, name := range [...]string{runtime.GOARCH, ""} {
		if prior, ok := findPrior(k, name, rounds); ok {
			return prior
		}
	}
	return Cost{PerStep: float64(k.Step()) * undeclared, Provenance: "estimated", Source: noPrior}
}

// findPrior returns the prior of k for this CPU name: at these rounds, or scaled
// from 20 rounds.
func findPrior(k *Kernel, name string, rounds int) (Cost, bool) {
	scaled, found := Cost{}, false
	for _, p := range k.Priors {
		if p.CPU != name {
			continue
		}
		cost := Cost{Fixed: p.Fixed, PerStep: p.PerStep, Setup: p.Setup, Provenance: p.Provenance, CPU: p.CPU, Source: p.Source}
		if cost.Provenance == "measured" {
			cost.Provenance = "measured elsewhere"
		}
		if p.Rounds == rounds {
			return cost, true
		}
		if p.Rounds == 20 && rounds > 0 {
			cost.PerStep *= float64(rounds) / 20
			scaled, found = cost, true
		}
	}
	return scaled, found
}
