package chart

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (l *Lines) heading() (title, subtitle string) { return l.Title, l.Subtitle }
func (l *Lines) bars() bool                        { return false }

func (l *Lines) unit() string { return l.Unit }

func (l *Lines) legend() []legendEntry {
	var entries []legendEntry
	for _, line := range l.Lines {
		entries = append(entries, legendEntry{line.Name, line.Style})
	}
	return entries
}

// Describe implements [Chart].
func (l *Lines) Describe() string {
	var names []string
	for _, line := range l.Lines {
		last := line.Points[len(line.Points)-1]
		names = append(names, fmt.Sprintf("%s %s at %s", line.Name, number(last.Y), Bytes(last.X)))
	}
	s := fmt.Sprintf("Curves over message length, %s: %s.", l.Unit, strings.Join(names, ", "))
	for _, x := range l.Crossovers {
		s += " " + x.String() + "."
	}
	return s
}

// String says where the lead changes.
func (x Crossover) String() string {
	return fmt.Sprintf("From about %s on, %s is faster than %s", Bytes(int(math.Round(x.X))), x.To, x.From)
}

// Bytes formats a number of bytes.
func Bytes(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

func (l *Lines) draw(c *canvas) {
	least, most, top := math.Inf(1), 0.0, 0.0
	for _, line := range l.Lines {
		for _, point := range line.Points {
			x := math.Log2(float64(point.X))
			least, most, top = min(least, x), max(most, x), max(top, point.Y+point.Error)
		}
	}
	p := c.newPlot(l.Unit, "message length (bytes, logarithmic)", top)
	p.X.Min, p.X.Max = least-0.2, most+0.2
	p.X.Tick.Marker = lengthTicks(c.Max.X - c.Min.X)
	p.Add(linePlotter{chart: l, style: c})
	p.Draw(c.Canvas)
}

// lengthTicks marks powers of 4 on an axis of binary logarithms. It labels every
// other one where the axis of so many points is too short for all.
type lengthTicks vg.Length

// Ticks implements [plot.Ticker].
func (width lengthTicks) Ticks(low, high float64) []plot.Tick {
	const room = 55 // points for a label
	every := 2
	if (high-low)/2*room > float64(width) {
		every = 4
	}
	var ticks []plot.Tick
	for shift := max(0, 2*int(math.Ceil(low/2))); float64(shift) <= high; shift += 2 {
		tick := plot.Tick{Value: float64(shift)}
		if (shift-6)%every == 0 { // counted from a block on
			tick.Label = Bytes(1 << shift)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// A linePlotter draws the curves into the axes.
type linePlotter struct {
	chart *Lines
	style *canvas
}

// Plot implements [plot.Plotter].
func (l linePlotter) Plot(c draw.Canvas, p *plot.Plot) {
	gridlines(&c, p)
	x, y := p.Transforms(&c)
	for _, line := range l.chart.Lines {
		var curve []vg.Point
		for _, point := range line.Points {
			at := vg.Point{X: x(math.Log2(float64(point.X))), Y: y(point.Y)}
			curve = append(curve, at)
			if point.Error > 0 {
				errorBar(&c, at.X, y(max(0, point.Y-point.Error)), y(point.Y+point.Error))
			}
		}
		strokeCurve(&c, line.Style, curve)
		for _, at := range curve {
			mark(&c, line.Style, at)
		}
	}
	for _, crossing := range l.chart.Crossovers {
		l.drawCrossover(&c, crossing, x(math.Log2(crossing.X)), y(crossing.Y))
	}
}

// drawCrossover draws a ring, a dotted line down to the axis, and the length
// along that.
func (l linePlotter) drawCrossover(c *draw.Canvas, crossing Crossover, x, y vg.Length) {
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.8, Dashes: []vg.Length{1, 2}}, x, c.Min.Y, x, y)
	c.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: 5, Shape: draw.RingGlyph{}}, vg.Point{X: x, Y: y})
	style := l.style.small
	style.Rotation = math.Pi / 2
	style.XAlign, style.YAlign = text.XLeft, text.YTop
	c.FillText(style, vg.Point{X: x, Y: c.Min.Y + 4}, Bytes(int(math.Round(crossing.X))))
}

// strokeCurve draws a curve in the look of a style.
func strokeCurve(c *draw.Canvas, style int, points []vg.Point) {
	c.StrokeLines(draw.LineStyle{Color: strokeOf(style), Width: 1.6, Dashes: dashingOf(style)}, c.ClipLinesXY(points)...)
}

// mark draws the marker of a style.
func mark(c *draw.Canvas, style int, at vg.Point) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: strokeOf(style), Radius: 3, Shape: markerOf(style)}, at)
}
