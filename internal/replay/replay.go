// Package replay makes the choice that the planner would make on a CPU that is
// not here, from what others published about their code on it.
//
// The candidates are those implementations, not kernels of this module; see
// package published.
package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/planner"
	"github.com/quarterround/quarterround/internal/published"
)

// A Choice is what the planner makes of the figures for one algorithm.
type Choice struct {
	// Boards are the CPUs: one, or several classes of core of one machine.
	Boards    []*published.Board
	Algorithm string
	// Figures are the candidates, with the figures of the first board, and Others
	// those of the other boards, in the same order.
	Figures []published.Figure
	Others  [][]published.Figure
	Table   *planner.Table

	kernels []planner.Kernel // of the first board
}

// New plans an algorithm on a board, or on a machine with a class of core for
// each of several boards, which then takes the candidates that all of them have
// figures for. Group names a published table, the boards' default if empty.
// Candidates whose technique or implementation is excluded are left out. Errors are those of
// [published.Board.Select], or say that nothing is left.
func New(boards []*published.Board, algorithm, group string, excluded ...string) (*Choice, error) {
	c := &Choice{Boards: boards, Algorithm: algorithm}
	figures := make([][]published.Figure, len(boards))
	for i, b := range boards {
		selected, err := b.Select(algorithm, group)
		if err != nil {
			return nil, err
		}
		figures[i] = slices.DeleteFunc(slices.Clone(selected), func(f published.Figure) bool {
			return slices.Contains(excluded, f.Technique) || slices.Contains(excluded, f.Implementation)
		})
	}
	figures = common(figures)
	if len(figures[0]) == 0 {
		return nil, fmt.Errorf("there are no figures for %s on all of these CPUs", algorithm)
	}
	c.Figures, c.Others = figures[0], figures[1:]
	var classes [][]planner.Kernel
	for _, list := range figures {
		classes = append(classes, kernelsOf(list))
	}
	c.kernels = classes[0]
	c.Table = planner.BuildClasses(classes, make([]planner.Overhead, len(boards)))
	return c, nil
}

// common keeps the candidates that every list has, in the order of the first.
func common(lists [][]published.Figure) [][]published.Figure {
	kept := make([][]published.Figure, len(lists))
	for _, f := range lists[0] {
		row := []published.Figure{f}
		for _, list := range lists[1:] {
			i := slices.IndexFunc(list, func(o published.Figure) bool {
				return o.Implementation == f.Implementation && o.Technique == f.Technique
			})
			if i >= 0 {
				row = append(row, list[i])
			}
		}
		if len(row) < len(lists) {
			continue
		}
		for i := range kept {
			kept[i] = append(kept[i], row[i])
		}
	}
	return kept
}

// kernelsOf returns the figures as the planner sees kernels.
func kernelsOf(figures []published.Figure) []planner.Kernel {
	kernels := make([]planner.Kernel, len(figures))
	for i, f := range figures {
		fixed, perStep := f.Cost()
		kernels[i] = planner.Kernel{ID: i, Blocks: f.Blocks, Fixed: fixed, PerStep: perStep,
			Simplicity: simplicity(f.Technique), Granular: f.Algorithm == "poly1305"}
	}
	return kernels
}

// simplicity ranks a technique as kernels of this module are ranked: portable
// code, scalar assembly, vectors.
func simplicity(technique string) int {
	backend, kernel, _ := strings.Cut(technique, "/")
	switch {
	case backend == "generic" || kernel == "go":
		return 0
	case kernel == "asm" || kernel == "mulx" || backend == "amd64scalar" || backend == "armscalar":
		return 1
	}
	return 2
}

// blockSize is the number of bytes in a block of the algorithm.
func (c *Choice) blockSize() int {
	if c.Algorithm == "poly1305" {
		return 16
	}
	return 64
}

// At returns the calls for a message of n bytes, whose IDs are indices of
// Figures, and their cost on the first board.
func (c *Choice) At(n int) (parts []planner.Part, cost float64) {
	blocks := (n + c.blockSize() - 1) / c.blockSize()
	return c.Table.For(blocks), c.Table.CostOf(blocks)
}

// Bulk returns the candidate for long messages.
func (c *Choice) Bulk() published.Figure { return c.Figures[c.Table.Bulk.ID] }

// A Verdict says how a candidate did for long messages.
type Verdict struct {
	Figure published.Figure
	// State is "selected", "slower" or "within-noise": no faster than something
	// simpler beyond the noise.
	State string
	// Behind is by which fraction it is slower than the selected one; negative if
	// it is faster, but not by enough.
	Behind float64
}

// Verdicts returns the candidates from the fastest for long messages on.
func (c *Choice) Verdicts() []Verdict {
	var all []Verdict
	selected := perByte(c.Bulk())
	for i, f := range c.Figures {
		v := Verdict{Figure: f, State: "slower", Behind: perByte(f)/selected - 1}
		switch {
		case i == c.Table.Bulk.ID:
			v.State = "selected"
		case v.Behind <= planner.MinGain && c.kernels[i].Simplicity >= c.Table.Bulk.Simplicity:
			v.State = "within-noise"
		}
		all = append(all, v)
	}
	slices.SortStableFunc(all, func(a, b Verdict) int {
		switch {
		case a.Behind < b.Behind:
			return -1
		case a.Behind > b.Behind:
			return 1
		}
		return 0
	})
	return all
}

func perByte(f published.Figure) float64 {
	_, perStep := f.Cost()
	return perStep / float64(f.StepBytes())
}
