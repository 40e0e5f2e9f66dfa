package chart

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
)

// blockBytes is the size of the block that cycles are given for, as nettle's
// benchmark does: that of the stream ciphers, for MACs as well.
const blockBytes = 64

// Cycles returns bars of the cycles for 64 bytes, or of nanoseconds if that is
// what most boards have because their clocks are unknown, and notes on what is
// left out.
func Cycles(reports []*board.Report, q Query) (*Bars, []string, error) {
	columns, notes, err := q.collect(reports, lengthName(q.Length), q.atLength)
	if err != nil {
		return nil, nil, err
	}
	unit := unitOf(columns)
	columns, without := unit.keep(columns)
	if len(columns) == 0 {
		return nil, nil, fmt.Errorf("%s; chart them as percent of a reference", strings.Join(without, "; "))
	}
	b := q.newBars(columns, unit.name+" for 64 bytes (lower is faster)")
	for i, c := range columns {
		for _, f := range c.figures {
			y := unit.of(f.point) / float64(max(1, f.point.Length)) * blockBytes
			b.set(f.name, i, Value{y, y * f.point.Spread})
		}
	}
	b.finish(q, true)
	return b, append(notes, without...), nil
}

// A unit is what time is counted in.
type unit struct {
	name string
	of   func(board.Point) float64 // 0 if the point is not known in it
}

// units are those that boards can have in common, the preferred one first.
var units = []unit{
	{"cycles", func(p board.Point) float64 { return p.Cycles }},
	{"nanoseconds", func(p board.Point) float64 { return p.Nanoseconds }},
}

// unitOf returns the unit that most boards have.
func unitOf(columns []column) unit {
	best, most := units[0], -1
	for _, u := range units {
		if kept, _ := u.keep(columns); len(kept) > most {
			best, most = u, len(kept)
		}
	}
	return best
}

// keep returns the columns with the figures that are known in the unit, and says
// of which boards some or all are not.
func (u unit) keep(columns []column) (kept []column, notes []string) {
	for _, c := range columns {
		all := len(c.figures)
		c.figures = slices.DeleteFunc(slices.Clone(c.figures), func(f figure) bool { return u.of(f.point) == 0 })
		switch {
		case len(c.figures) == 0:
			notes = append(notes, fmt.Sprintf("%s is left out: %s of its figures are not known", c.label, u.name))
		case len(c.figures) < all:
			notes = append(notes, fmt.Sprintf("%s: %s of %d figures are not known", c.label, u.name, all-len(c.figures)))
		}
		if len(c.figures) > 0 {
			kept = append(kept, c)
		}
	}
	return kept, notes
}
