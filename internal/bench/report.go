package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"
)

// A Sample is one line of Go's benchmark format: one round of one candidate.
type Sample struct {
	Algorithm, Mode string
	Length          int
	Candidate       string
	Nanoseconds     float64
}

// Samples calls yield for each sample taken, by cell, candidate and round.
func (b *Bench) Samples(yield func(Sample) bool) {
	for _, c := range b.cells {
		for i, candidate := range c.candidates {
			for _, x := range c.kept(i) {
				if !yield(Sample{c.algorithm.String(), c.mode, c.length, candidate.Name, x}) {
					return
				}
			}
		}
	}
}

// kept returns the samples of a candidate, none if they are too few.
func (c *cell) kept(i int) []float64 {
	if c.samples == nil || len(c.samples[i]) < minRounds {
		return nil
	}
	return c.samples[i]
}

// Report returns the figures with what they were measured on.
func (b *Bench) Report(id cpu.Identity, now time.Time) *board.Report {
	r := &board.Report{
		Schema: board.Schema, Board: boardTitle(id), Date: now.UTC().Format(time.DateOnly), Points: []board.Point{},
		Host:     hostOf(id, redact(b.Override)),
		Warnings: b.warnings(id),
		Choices:  b.choices(),
	}
	for _, c := range b.cells {
		r.Points = append(r.Points, b.points(c)...)
	}
	r.Sort()
	return r
}

// points returns the figures of a cell.
func (b *Bench) points(c *cell) []board.Point {
	var points []board.Point
	if len(c.candidates) == 0 || c.kept(0) == nil {
		return nil
	}
	for i, s := range measure.Summarize(c.samples) {
		if s.Nanoseconds <= 0 {
			continue // less than the clock can tell
		}
		points = append(points, board.Point{
			Algorithm: c.algorithm.String(), Mode: c.mode, Length: c.length,
			Candidate: c.candidates[i].Name, Kind: c.candidates[i].Kind,
			Nanoseconds: s.Nanoseconds, Spread: rounded(s.Spread), RatioSpread: rounded(s.RatioSpread), Rounds: len(c.samples[i]),
			Cycles: s.Nanoseconds * b.ClockHz / 1e9, Source: c.candidates[i].Source,
		})
	}
	return points
}

func rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// choices says what the plan is for each algorithm and length, and how the kernel
// that came closest compares.
func (b *Bench) choices() []board.Choice {
	var all []board.Choice
	for _, a := range b.Algorithms {
		candidates := b.candidates(a)
		next := runnerUp(candidates)
		for _, n := range b.Lengths {
			steps, _ := b.Selection.Compose(a, n)
			choice := board.Choice{Algorithm: a.String(), Length: n, Steps: composition(steps), Provenance: provenance(candidates, steps)}
			if next != nil {
				choice.RunnerUp, choice.Reason = next.Name(), next.Outcome.String()
			}
			all = append(all, choice)
		}
	}
	return all
}

// runnerUp returns the kernel that comes closest to the plan without being in it.
func runnerUp(candidates []registry.Candidate) *registry.Candidate {
	var next *registry.Candidate
	for i := range candidates {
		if c := &candidates[i]; c.BehindAt > 0 && (next == nil || c.Behind < next.Behind) {
			next = c
		}
	}
	return next
}

func composition(steps []registry.Step) string {
	var parts []string
	for _, s := range steps {
		parts = append(parts, fmt.Sprintf("%s x%d", s.Kernel, s.Steps))
	}
	return strings.Join(parts, ", ")
}

// provenance says how the costs of the steps' kernels are known.
func provenance(candidates []registry.Candidate, steps []registry.Step) string {
	var kinds []string
	for _, s := range steps {
		i := slices.IndexFunc(candidates, func(c registry.Candidate) bool { return c.Name() == s.Kernel })
		if i >= 0 && candidates[i].Cost != nil && !slices.Contains(kinds, candidates[i].Cost.Provenance) {
			kinds = append(kinds, candidates[i].Cost.Provenance)
		}
	}
	slices.Sort(kinds)
	return strings.Join(kinds, ", ")
}

// boardTitle names the machine by its board or CPU.
func boardTitle(id cpu.Identity) string {
	name := cmp.Or(id.Board, strings.TrimSpace(id.Brand), id.Model, "unknown CPU")
	if id.Model != "" && id.Model != name {
		name += " (" + id.Model + ")"
	}
	return name + ", " + id.GOARCH
}

// redact takes the paths out of an override.
func redact(override string) string {
	words := strings.Split(override, ",")
	for i, w := range words {
		name, _, ok := strings.Cut(w, "=")
		switch key := strings.ToLower(strings.TrimSpace(name)); {
		case ok && (key == "profile" && !strings.HasSuffix(w, "=off") || key == "plugins"):
			words[i] = key + "=..."
		}
	}
	return strings.Join(words, ",")
}
