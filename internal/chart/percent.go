package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
)

// Percent returns bars of the speed in percent of a reference on the same board,
// and notes on what is left out.
func Percent(reports []*board.Report, q Query) (*Bars, []string, error) {
	columns, notes, err := q.collect(reports, lengthName(q.Length), q.atLength)
	if err != nil {
		return nil, nil, err
	}
	var with []column
	var references []*figure
	var names []string // of the references in use
	for _, c := range columns {
		reference, name, err := c.firstOf(q.Reference)
		if err != nil {
			return nil, nil, err
		}
		if reference == nil {
			notes = append(notes, fmt.Sprintf("%s has no figure of %s and is left out", c.label, strings.Join(q.Reference, " or ")))
			continue
		}
		with, references = append(with, c), append(references, reference)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(with) == 0 {
		return nil, nil, &NoFiguresError{fmt.Sprintf("the reference %q", strings.Join(q.Reference, ",")), columns[0].names()}
	}
	b := q.newBars(with, fmt.Sprintf("speed in percent of %s (higher is faster)", strings.Join(names, " or ")))
	b.Reference = 100
	for i, c := range with {
		for _, f := range c.figures {
			ratio, ok := speedRatio(f.point, references[i].point)
			if !ok {
				notes = append(notes, fmt.Sprintf("%s: %s and %s have no unit in common", c.label, f.name, references[i].name))
				continue
			}
			v := Value{Y: 100 * ratio}
			if f.name != references[i].name {
				v.Error = v.Y * math.Hypot(ratioSpread(f.point), ratioSpread(references[i].point))
			}
			b.set(f.name, i, v)
		}
	}
	b.finish(q, false)
	return b, notes, nil
}

// firstOf returns the figure of the first name that there is, and that name.
func (c *column) firstOf(names []string) (*figure, string, error) {
	for _, name := range names {
		if f, err := c.reference(name); f != nil || err != nil {
			return f, name, err
		}
	}
	return nil, "", nil
}

// reference returns the figure of that name, nil if there is none: a series, or
// any kernel or technique of a backend.
func (c *column) reference(name string) (*figure, error) {
	var found []string
	var last *figure
	for i, f := range c.figures {
		switch {
		case name == f.name || name == f.point.Candidate:
			return &c.figures[i], nil
		case f.is(name):
			found = append(found, fmt.Sprintf("%q", f.name))
			last = &c.figures[i]
		}
	}
	if len(found) > 1 {
		return nil, fmt.Errorf("on %s the reference %q may be %s; name one of them", c.label, name, strings.Join(found, " or "))
	}
	return last, nil
}

// speedRatio returns how many times faster a is than b per byte.
func speedRatio(a, b board.Point) (float64, bool) {
	perByte := func(p board.Point, x float64) float64 { return x / float64(max(1, p.Length)) }
	switch {
	case a.Cycles != 0 && b.Cycles != 0:
		return perByte(b, b.Cycles) / perByte(a, a.Cycles), true
	case a.Nanoseconds != 0 && b.Nanoseconds != 0:
		return perByte(b, b.Nanoseconds) / perByte(a, a.Nanoseconds), true
	case a.Relative != 0 && b.Relative != 0:
		return b.Relative / a.Relative, true
	}
	return 0, false
}
