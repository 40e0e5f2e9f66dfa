// Package chart draws board reports: bars of cycles, bars in percent of a
// reference, and throughput over message length, as SVG, PNG or text.
//
// Charts are made to be read in greyscale and by colour-blind people: each
// series has a colour of the palette of M. Okabe and K. Ito ("Color universal
// design", 2008) and, besides, a hatching of its own in bars, and a dashing and a
// marker of its own in lines.
//
// Only cmd/select imports this package, which brings in gonum.org/v1/plot.
package chart

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// A Value is a figure and how far its error bar reaches to either side, in the
// unit of the chart. Y is NaN where there is no figure.
type Value struct{ Y, Error float64 }

// MarshalJSON writes null for a figure that does not exist.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.known() {
		return []byte("null"), nil
	}
	return json.Marshal(struct {
		Value float64 `json:"value"`
		Error float64 `json:"error"`
	}{v.Y, v.Error})
}

// missing is the value of a figure that does not exist.
var missing = Value{Y: math.NaN()}

// known reports whether there is a figure.
func (v Value) known() bool { return !math.IsNaN(v.Y) }

// Bars is a chart of clustered bars.
type Bars struct {
	// Title says what is shown, Subtitle what else the reader must know, one line
	// each.
	Title    string `json:"title"`
	Subtitle string `json:"subtitle,omitempty"`
	// Unit is what the bars count, with the direction that is good.
	Unit string `json:"unit"`
	// Clusters are the labels under the groups of bars.
	Clusters []string `json:"clusters"`
	Series   []Series `json:"series"`
	// Reference is the value at which a line is drawn across, 0 for none.
	Reference float64 `json:"reference,omitempty"`
}

// A Series is the bars of one look, one for each cluster.
type Series struct {
	Name string `json:"name"`
	// Style is the number of the look, so that a name can look alike in several
	// charts.
	Style  int     `json:"-"`
	Values []Value `json:"values"`
}

// Lines is a chart of curves over message length.
type Lines struct {
	Title      string      `json:"title"`
	Subtitle   string      `json:"subtitle,omitempty"`
	Unit       string      `json:"unit"` // what the curves count
	Lines      []Line      `json:"lines"`
	Crossovers []Crossover `json:"crossovers"`
}

// A Line is one curve, its points in ascending order of length.
type Line struct {
	Name   string  `json:"name"`
	Style  int     `json:"-"`
	Points []Point `json:"points"`
}

// A Point is a figure for messages of X bytes.
type Point struct {
	X int
	Value
	// Noise is the fraction by which another point must lead to count as faster.
	Noise float64
}

// MarshalJSON is needed because that of Value would be promoted.
func (p Point) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Length int     `json:"length"`
		Value  float64 `json:"value"`
		Error  float64 `json:"error"`
	}{p.X, p.Y, p.Error})
}

// A Crossover is a message length in bytes at which another candidate becomes the
// fastest, interpolated between the lengths measured.
type Crossover struct {
	X    float64 `json:"length"`
	Y    float64 `json:"value"`
	From string  `json:"from"`
	To   string  `json:"to"`
}

// A Chart can be drawn and printed.
type Chart interface {
	// Text prints the chart for a terminal of 80 columns without colour.
	Text(w io.Writer) error
	// Describe says in a sentence or two what the chart shows, for people who
	// cannot see it.
	Describe() string

	draw(c *canvas)
	heading() (title, subtitle string)
	unit() string
	legend() []legendEntry
	bars() bool
}

// A Format is a kind of image file.
type Format int

// The formats.
const (
	SVG Format = iota
	PNG
)

// FormatOf returns the format that the ending of a file name asks for.
func FormatOf(name string) (Format, error) {
	switch ending := strings.ToLower(filepath.Ext(name)); ending {
	case ".svg":
		return SVG, nil
	case ".png":
		return PNG, nil
	case "":
		return 0, fmt.Errorf("%s: the name must end in .svg or .png", name)
	default:
		return 0, fmt.Errorf("%s: cannot draw %s files; the name must end in .svg or .png", name, ending)
	}
}

// Restyle gives series and lines of the same name the same look in all charts.
// The plan has the plainest one.
func Restyle(charts ...Chart) {
	style := map[string]int{}
	for _, name := range planFirst(charts) {
		if _, ok := style[name]; !ok {
			style[name] = len(style)
		}
	}
	for _, c := range charts {
		switch c := c.(type) {
		case *Bars:
			for i := range c.Series {
				c.Series[i].Style = style[c.Series[i].Name]
			}
		case *Lines:
			for i := range c.Lines {
				c.Lines[i].Style = style[c.Lines[i].Name]
			}
		}
	}
}

// planFirst returns the names in all charts, with that of the plan in front.
func planFirst(charts []Chart) []string {
	var names []string
	for _, c := range charts {
		names = append(names, Names(c)...)
	}
	if slices.Contains(names, planName) {
		return slices.Insert(names, 0, planName)
	}
	return names
}

// Names returns the names of the series or lines of a chart.
func Names(c Chart) []string {
	var names []string
	for _, e := range c.legend() {
		names = append(names, e.name)
	}
	return names
}
