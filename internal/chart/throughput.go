package chart

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quarterround/quarterround/internal/board"
)

// Throughput returns curves of the speed over the message length on one board,
// with the lengths at which the lead changes.
func Throughput(r *board.Report, q Query) (*Lines, error) {
	columns, _, err := q.collect([]*board.Report{r}, "given lengths in time", func(p board.Point) bool { return p.Length > 0 && nanoseconds(r, p) > 0 })
	if err != nil {
		return nil, err
	}
	l := &Lines{Unit: "MB/s (10^6 bytes a second, higher is faster)"}
	l.Title = fmt.Sprintf("%s, %s, by message length", q.Algorithm, q.mode([]*board.Report{r}))
	most, spread := 0, false
	for _, f := range columns[0].figures {
		y := float64(f.point.Length) / nanoseconds(r, f.point) * 1e3
		spread = spread || f.point.Spread > 0
		most = max(most, l.add(f.name, Point{f.point.Length, Value{y, y * f.point.Spread}, max(noise, 3*ratioSpread(f.point))}))
	}
	if most < 2 {
		return nil, fmt.Errorf("%s has figures of one length only for %s; chart them as bars", columns[0].label, q.Algorithm)
	}
	l.Subtitle = columns[0].label + ". " + remarks(r.Published, spread)
	l.finish()
	return l, nil
}

// nanoseconds returns the time of a call, by the clock if only cycles are known.
func nanoseconds(r *board.Report, p board.Point) float64 {
	if p.Nanoseconds == 0 && r.Host.ClockHz > 0 {
		return p.Cycles / r.Host.ClockHz * 1e9
	}
	return p.Nanoseconds
}

// add enters a point and returns how many its line has then.
func (l *Lines) add(name string, p Point) int {
	i := slices.IndexFunc(l.Lines, func(line Line) bool { return line.Name == name })
	if i < 0 {
		i = len(l.Lines)
		l.Lines = append(l.Lines, Line{Name: name})
	}
	l.Lines[i].Points = append(l.Lines[i].Points, p)
	return len(l.Lines[i].Points)
}

// finish sorts the lines by speed at their greatest length, numbers the looks and
// finds the crossovers.
func (l *Lines) finish() {
	for _, line := range l.Lines {
		slices.SortFunc(line.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	}
	last := func(line Line) float64 { return line.Points[len(line.Points)-1].Y }
	slices.SortStableFunc(l.Lines, func(a, b Line) int { return cmp.Compare(last(a), last(b)) })
	Restyle(l)
	var rivals []Line
	for _, line := range l.Lines {
		if line.Name != planName { // it follows the leader
			rivals = append(rivals, line)
		}
	}
	l.Crossovers = crossovers(rivals)
}
