package board

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/published"
)

// BuiltInNames returns the names of the built-in boards, sorted.
func BuiltInNames() []string { return published.Names() }

// BuiltIn returns published figures as a report. The name is that of a board,
// "cortex-a9", for the default group of each algorithm, or of a board and one of
// its groups, "cortex-a9@openssl-2014". The error is a [*published.UnknownError].
func BuiltIn(name string) (*Report, error) {
	name, group, grouped := strings.Cut(strings.ToLower(name), "@")
	b, err := published.Load(name)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Schema: Schema, Board: fmt.Sprintf("%s (%s)", b.Title, b.Name), Published: true, Points: []Point{},
		Host: Host{CPU: cpu.Identity{GOARCH: b.GOARCH, ByteOrder: b.ByteOrder, Model: b.CPU}},
	}
	if b.ClockHz != 0 {
		r.Host.ClockHz, r.Host.ClockSource = float64(b.ClockHz), "published"
	}
	if grouped {
		if err := b.CheckGroup(group); err != nil {
			return nil, err
		}
	}
	for _, f := range b.Figures {
		wanted := group
		if wanted == "" {
			wanted = b.Defaults[f.Algorithm]
		}
		for _, g := range f.Groups {
			if g == wanted {
				r.Points = append(r.Points, fromFigure(f, g))
			}
		}
	}
	r.Sort()
	return r, nil
}

// fromFigure converts a figure. Cycles are those of a byte if the figure is for
// long messages, and of the message if not.
func fromFigure(f published.Figure, group string) Point {
	p := Point{
		Algorithm: f.Algorithm, Mode: Encrypt, Length: f.Length, Candidate: f.Implementation, Kind: Peer,
		Technique: f.Technique, Group: group, Relative: f.Relative, Source: f.Source + ", " + f.Date,
	}
	if f.Algorithm == "poly1305" {
		p.Mode = Update
	}
	perByte := f.CyclesPerByte
	if f.CyclesPerBlock != 0 {
		perByte = f.CyclesPerBlock / 64
	}
	p.Cycles = perByte * float64(max(1, f.Length))
	return p
}
