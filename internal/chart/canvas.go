package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Size is the size of an image in points of 1/72 inch.
type Size struct{ Width, Height float64 }

// Wide is the usual size, and Narrow one that stays legible on a phone.
var (
	Wide   = Size{720, 400}
	Narrow = Size{320, 290}
)

// dotsPerInch is the resolution of PNG files.
const dotsPerInch = 144

// Write draws the chart as a file of the format.
func Write(w io.Writer, c Chart, format Format, size Size) error {
	if format == PNG {
		img := vgimg.NewWith(vgimg.UseWH(vg.Length(size.Width), vg.Length(size.Height)), vgimg.UseDPI(dotsPerInch))
		paint(c, draw.New(img))
		_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(w)
		return err
	}
	_, err := io.WriteString(w, "<?xml version=\"1.0\"?>\n"+svg(c, size))
	return err
}

// Inline returns the chart as an SVG element for an HTML page. It has no
// background, fills the width it is given, and takes the colour of text and axes
// from the page; --paper must be the page's background.
func Inline(c Chart, size Size) string {
	s := svg(c, size)
	s = strings.Replace(s, fmt.Sprintf(`width="%gpt" height="%gpt" `, size.Width, size.Height), "", 1)
	s = strings.Replace(s, paper, "", 1)
	s = strings.ReplaceAll(s, "stroke:#000000", "stroke:currentColor")
	s = strings.ReplaceAll(s, "stroke:#FEFEFE", "stroke:var(--paper)")
	title, _ := c.heading()
	return strings.Replace(s, "<svg ", `<svg fill="currentColor" aria-label="`+escape(title+": "+c.unit())+`" `, 1)
}

// paper is the background of SVG files, replaced in the size of the chart.
const paper = `<rect width="100%" height="100%" fill="#ffffff"/>` + "\n"

// svg returns the chart as an SVG element with title and description.
func svg(c Chart, size Size) string {
	drawn := vgsvg.New(vg.Length(size.Width), vg.Length(size.Height))
	paint(c, draw.New(drawn))
	var b bytes.Buffer
	drawn.WriteTo(&b) // a buffer takes everything
	_, s, _ := strings.Cut(b.String(), "<svg ")
	head, rest, _ := strings.Cut(s, ">\n")
	head = strings.Replace(head, "\n\txmlns:xlink=\"http://www.w3.org/1999/xlink\"", "", 1)
	head = strings.ReplaceAll(head, "\n\t", " ")
	rest = shortenStyles.Replace(rest)
	title, _ := c.heading()
	return fmt.Sprintf("<svg role=\"img\" font-family=\"Liberation Sans, Arial, Helvetica, sans-serif\" %s>\n<title>%s</title>\n<desc>%s</desc>\n%s%s", head, escape(title), escape(c.Describe()), paper, rest)
}

// shortenStyles takes out of the texts what the element as a whole says, or what
// goes without saying.
var shortenStyles = strings.NewReplacer(
	"\n\tstyle=\"font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", " style=\"",
	"\n\tstyle=\"font-family:Liberation Sans;font-variant:normal;", " style=\"",
	"font-style:normal;", "",
)

// escape escapes text for XML.
func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a builder takes everything
	return b.String()
}

// A canvas is where a chart is drawn, with the sizes of text that suit it.
type canvas struct {
	draw.Canvas
	small, normal, large text.Style
}

// slack is how much wider text may turn out than it measures, because the reader
// of an SVG file may lack the font.
const slack = 1.15

// paint draws a chart with its heading and legend.
func paint(c Chart, on draw.Canvas) {
	size := func(points vg.Length, weight xfont.Weight) text.Style {
		style := plot.New().Title.TextStyle
		style.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: points, Weight: weight}
		style.XAlign, style.YAlign = text.XLeft, text.YTop
		return style
	}
	cv := &canvas{Canvas: draw.Crop(on, 8, -8, 8, -8), small: size(9, xfont.WeightNormal), normal: size(10, xfont.WeightNormal), large: size(12, xfont.WeightBold)}
	title, subtitle := c.heading()
	cv.heading(cv.large, title)
	cv.heading(cv.small, subtitle)
	cv.legend(c.legend(), c.bars())
	c.draw(cv)
}

// heading draws text at the top, wrapped at spaces, and takes its room away.
func (c *canvas) heading(style text.Style, s string) {
	if s == "" {
		return
	}
	s = wrap(s, func(line string) bool { return style.Width(line)*slack <= c.Max.X-c.Min.X })
	c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y}, s)
	c.Max.Y -= style.Height(s) + 4
}

// wrap breaks text at spaces so that each line fits, if its words do.
func wrap(s string, fits func(string) bool) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		switch {
		case line == "":
			line = word
		case fits(line + " " + word):
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// A legendEntry explains one look.
type legendEntry struct {
	name  string
	style int
}

// legend draws the entries in columns, and takes their room away.
func (c *canvas) legend(entries []legendEntry, bars bool) {
	const thumb, gap, row = 24, 6, 14
	if len(entries) == 0 {
		return
	}
	var widest vg.Length
	for _, e := range entries {
		widest = max(widest, c.normal.Width(e.name)*slack)
	}
	column := thumb + gap + widest + 2*gap
	columns := min(max(1, int((c.Max.X-c.Min.X)/column)), len(entries))
	rows := (len(entries) + columns - 1) / columns
	for i, e := range entries {
		x, y := c.Min.X+vg.Length(i/rows)*column, c.Max.Y-vg.Length(i%rows)*row
		box := vg.Rectangle{Min: vg.Point{X: x, Y: y - row + 4}, Max: vg.Point{X: x + thumb, Y: y - 1}}
		if bars {
			fillBox(&c.Canvas, e.style, box)
		} else {
			middle := (box.Min.Y + box.Max.Y) / 2
			strokeCurve(&c.Canvas, e.style, []vg.Point{{X: box.Min.X, Y: middle}, {X: box.Max.X, Y: middle}})
			mark(&c.Canvas, e.style, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: middle})
		}
		c.FillText(c.normal, vg.Point{X: x + thumb + gap, Y: y}, e.name)
	}
	c.Max.Y -= vg.Length(rows)*row + 6
}

// newPlot writes the unit above the vertical axis, where it is read without
// turning the head, and returns axes in the style of the canvas, the vertical one
// from 0 to a little above top.
func (c *canvas) newPlot(yLabel, xLabel string, top float64) *plot.Plot {
	c.heading(c.normal, yLabel)
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		label, tick := axis.Label.TextStyle, axis.Tick.Label
		label.Font, tick.Font = c.normal.Font, c.small.Font
		axis.Label.TextStyle, axis.Tick.Label = label, tick
	}
	p.X.Label.Text = xLabel
	p.Y.Min, p.Y.Max = 0, top*1.08
	p.Y.Tick.Marker = roundTicks{}
	return p
}

// roundTicks marks five to ten round numbers from 0 on.
type roundTicks struct{}

// Ticks implements [plot.Ticker].
func (roundTicks) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(high/5)))
	for _, factor := range []float64{5, 2} {
		if step*factor <= high/5 {
			step *= factor
			break
		}
	}
	var ticks []plot.Tick
	for i := 0; float64(i)*step <= high; i++ {
		y := float64(i) * step
		label := strconv.FormatFloat(y, 'g', 6, 64) + " " // slack before the axis
		ticks = append(ticks, plot.Tick{Value: y, Label: label})
	}
	return ticks
}

// gridlines draws horizontal lines at the ticks.
func gridlines(c *draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if tick.Value > p.Y.Min {
			c.StrokeLine2(draw.LineStyle{Color: gridline, Width: 0.5}, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
		}
	}
}

// errorBar draws a vertical bar with caps from low to high, and a halo so that it
// stands out from the bar that it is drawn over.
func errorBar(c *draw.Canvas, x, low, high vg.Length) {
	const width = 2.5 // of a cap, to either side
	lines := [][]vg.Point{
		{{X: x, Y: low}, {X: x, Y: high}},
		{{X: x - width, Y: low}, {X: x + width, Y: low}},
		{{X: x - width, Y: high}, {X: x + width, Y: high}},
	}
	strokeAll(c, draw.LineStyle{Color: halo, Width: 2.4}, lines)
	strokeAll(c, draw.LineStyle{Color: ink, Width: 0.8}, lines)
}
