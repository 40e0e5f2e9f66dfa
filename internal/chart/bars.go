package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (b *Bars) heading() (title, subtitle string) { return b.Title, b.Subtitle }
func (b *Bars) bars() bool                        { return true }

func (b *Bars) unit() string { return b.Unit }

func (b *Bars) legend() []legendEntry {
	var entries []legendEntry
	for _, s := range b.Series {
		entries = append(entries, legendEntry{s.Name, s.Style})
	}
	return entries
}

// Describe implements [Chart].
func (b *Bars) Describe() string {
	var parts []string
	for i, cluster := range b.Clusters {
		var values []string
		for _, s := range b.Series {
			if v := s.Values[i]; v.known() {
				values = append(values, s.Name+" "+number(v.Y))
			}
		}
		parts = append(parts, strings.ReplaceAll(cluster, "\n", " ")+": "+strings.Join(values, ", "))
	}
	return fmt.Sprintf("Bars, %s. %s.", b.Unit, strings.Join(parts, "; "))
}

// highest returns the upper end of the longest bar, error bar included.
func (b *Bars) highest() float64 {
	top := b.Reference
	for _, s := range b.Series {
		for _, v := range s.Values {
			if v.known() {
				top = max(top, v.Y+v.Error)
			}
		}
	}
	return top
}

// clusterWidth is the share of the distance between clusters that bars take.
const clusterWidth = 0.84

func (b *Bars) draw(c *canvas) {
	p := c.newPlot(b.Unit, "", b.highest())
	p.X.Min, p.X.Max = -0.5, float64(len(b.Clusters))-0.5
	room := (c.Max.X - c.Min.X - 40) / vg.Length(len(b.Clusters))
	fits := func(line string) bool { return c.small.Width(line)*slack <= room }
	if !wordsFit(b.Clusters, fits) { // upright, on one line each
		fits = func(string) bool { return true }
		p.X.Tick.Label.Rotation = math.Pi / 2
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YCenter
	}
	ticks := clusterTicks(b.Clusters, fits)
	if p.X.Tick.Label.Rotation != 0 {
		for i := range ticks {
			ticks[i].Label += "  " // away from the axis
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Tick.Length = 0
	p.Add(barPlotter{chart: b, style: c})
	p.Draw(c.Canvas)
}

// wordsFit reports whether every word of the names fits a line.
func wordsFit(names []string, fits func(string) bool) bool {
	words := strings.Fields(strings.Join(names, " "))
	return !slices.ContainsFunc(words, func(word string) bool { return !fits(word) })
}

// clusterTicks returns the labels under the clusters, wrapped, and all of as many
// lines so that they stand at one height.
func clusterTicks(names []string, fits func(string) bool) []plot.Tick {
	ticks := make([]plot.Tick, len(names))
	most := 0
	for i, name := range names {
		ticks[i] = plot.Tick{Value: float64(i), Label: wrap(name, fits)}
		most = max(most, strings.Count(ticks[i].Label, "\n"))
	}
	for i := range ticks {
		ticks[i].Label += strings.Repeat("\n ", most-strings.Count(ticks[i].Label, "\n"))
	}
	return ticks
}

// A barPlotter draws the bars into the axes.
type barPlotter struct {
	chart *Bars
	style *canvas
}

// Plot implements [plot.Plotter].
func (b barPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	gridlines(&c, p)
	x, y := p.Transforms(&c)
	for i := range b.chart.Clusters {
		present := slices.DeleteFunc(slices.Clone(b.chart.Series), func(s Series) bool { return !s.Values[i].known() })
		width := clusterWidth / float64(max(len(present), b.chart.fullest()))
		left := float64(i) - width*float64(len(present))/2
		for j, s := range present {
			v := s.Values[i]
			from, to := x(left+width*float64(j)), x(left+width*float64(j+1))
			fillBox(&c, s.Style, vg.Rectangle{Min: vg.Point{X: from, Y: y(0)}, Max: vg.Point{X: to, Y: y(v.Y)}})
			if v.Error > 0 {
				errorBar(&c, (from+to)/2, y(max(0, v.Y-v.Error)), y(v.Y+v.Error))
			}
			b.label(&c, v, from, to, y(v.Y+v.Error))
		}
	}
	if b.chart.Reference > 0 {
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.8, Dashes: []vg.Length{4, 3}}, c.Min.X, y(b.chart.Reference), c.Max.X, y(b.chart.Reference))
	}
}

// label writes the value over a bar, if it fits.
func (b barPlotter) label(c *draw.Canvas, v Value, from, to, above vg.Length) {
	style := b.style.small
	style.Font.Size = 8
	style.XAlign, style.YAlign = text.XCenter, text.YBottom
	if s := number(v.Y); style.Width(s)*slack <= to-from {
		c.FillText(style, vg.Point{X: (from + to) / 2, Y: above + 2}, s)
	}
}

// fullest returns the number of bars in the cluster that has most.
func (b *Bars) fullest() int {
	most := 0
	for i := range b.Clusters {
		n := 0
		for _, s := range b.Series {
			if s.Values[i].known() {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// number formats a figure with three digits that matter.
func number(x float64) string {
	switch a := math.Abs(x); {
	case a >= 100:
		return fmt.Sprintf("%.0f", x)
	case a >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
