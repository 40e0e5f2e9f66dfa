package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// sizes are the lengths in bytes that the tables show.
var sizes = []int{16384, 1024, 256, 64}

// A figure is what one CPU takes for one routine.
type figure struct {
	cpu *cpuModel
	// fixed and perStep are a kernel's cost of a call apart from its steps and
	// of each step, setup that of its Setup, in cycles.
	fixed, perStep, setup float64
	perByte               map[int]float64 // cycles a byte by length
	reordered             bool            // perStep was raised to keep a published order
}

// A row is one routine with its figures, in the order of cpus.
type row struct {
	routine
	figures []figure
}

// model finds all figures of the chosen routines.
func (l *lab) model(o options) ([]row, error) {
	chosen := l.chosen(o)
	rows := make([]row, len(chosen))
	err := parallel(len(chosen), func(i int) error {
		figures, err := l.figures(chosen[i], o)
		rows[i] = row{chosen[i], figures}
		if err != nil {
			return fmt.Errorf("%s on %s: %w", chosen[i].name, chosen[i].arch.Name, err)
		}
		return nil
	})
	return rows, err
}

// figures models one routine on the chosen CPUs of its architecture.
func (l *lab) figures(r routine, o options) ([]figure, error) {
	plan := newPlan(r)
	traces := map[int]*trace.Trace{}
	for _, n := range plan.lengths() {
		tr, err := l.tracer.Run(r.prog, r.name, "count", strconv.Itoa(n), "1")
		if err != nil {
			return nil, err
		}
		traces[n] = tr
	}
	var setup *trace.Trace
	if r.setup {
		var err error
		if setup, err = l.tracer.Run(r.prog, r.name, "setup", "1"); err != nil {
			return nil, err
		}
	}
	var out []figure
	for i := range cpus {
		c := &cpus[i]
		if c.arch != r.arch || !o.cpu.MatchString(c.name) {
			continue
		}
		f, err := plan.figure(c, traces, setup)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// long is the length in bytes, about, of the shorter of the two calls whose
// difference gives the cost of a step.
const long = 1536

// A plan says which lengths of a routine are traced. The difference of the two
// long ones is free of what a call costs apart from its steps; what lies beyond
// them is extrapolated.
type plan struct {
	routine
	long1, long2 int
	short        []int
}

func newPlan(r routine) plan {
	p := plan{routine: r, long1: roundUp(long, r.step)}
	p.long2 = 2 * p.long1
	if r.ours {
		p.short = []int{r.step}
		return p
	}
	for _, n := range sizes {
		if n < p.long1 {
			p.short = append(p.short, n)
		}
	}
	return p
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

func (p *plan) lengths() []int { return append([]int{p.long1, p.long2}, p.short...) }

// figure models one CPU.
func (p *plan) figure(c *cpuModel, traces map[int]*trace.Trace, setup *trace.Trace) (figure, error) {
	cycles := map[int]float64{}
	for n, tr := range traces {
		t, err := c.cycles(tr)
		if err != nil {
			return figure{}, err
		}
		cycles[n] = t
	}
	f := figure{cpu: c, perByte: map[int]float64{}}
	slope := (cycles[p.long2] - cycles[p.long1]) / float64(p.long2-p.long1)
	f.perStep = slope * float64(p.step)
	if setup != nil {
		t, err := c.cycles(setup)
		if err != nil {
			return figure{}, err
		}
		f.setup = t
	}
	if p.ours {
		// A kernel may take a simpler way for a short call; what it needs before
		// its steps cost what they do in the long run shows in the longer one.
		f.fixed = max(0, cycles[p.step]-f.perStep, cycles[p.long1]-slope*float64(p.long1))
	}
	for _, n := range sizes {
		t, ok := cycles[n]
		switch {
		case p.ours:
			t = f.fixed + f.perStep*float64(roundUp(n, p.step)/p.step)
		case !ok:
			t = cycles[p.long2] + slope*float64(n-p.long2)
		}
		f.perByte[n] = t / float64(n)
	}
	return f, nil
}

// backendOf returns the part of a name before the slash.
func backendOf(name string) string {
	b, _, _ := strings.Cut(name, "/")
	return b
}
