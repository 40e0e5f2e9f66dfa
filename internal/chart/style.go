package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette holds the colours of Okabe and Ito, with grey in place of black, which
// is for axes and text. Neighbours differ in lightness as far as can be.
var palette = [...]color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xf0, 0xe4, 0x42, 0xff}, // yellow
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0x99, 0x99, 0x99, 0xff}, // grey
}

var (
	ink      = color.Black
	gridline = color.NRGBA{0x80, 0x80, 0x80, 0x50}
	darkInk  = color.RGBA{0x1a, 0x1a, 0x1a, 0xff} // hatching on light colours
	paleInk  = color.RGBA{0xff, 0xff, 0xff, 0xff} // hatching on dark colours
	halo     = color.RGBA{0xfe, 0xfe, 0xfe, 0xff} // around error bars; Inline knows it by its value
)

// A hatching is the directions of the lines across a bar, as the step in x for
// one step in y and the other way round.
type hatching []vg.Point

var hatchings = [...]hatching{
	{},
	{{X: 1, Y: 1}},
	{{X: 1, Y: -1}},
	{{X: 1}},
	{{Y: 1}},
	{{X: 1, Y: 1}, {X: 1, Y: -1}},
	{{X: 1}, {Y: 1}},
	{{X: 1, Y: 2}},
}

var dashings = [...][]vg.Length{
	nil,
	{6, 2},
	{2, 2},
	{8, 2, 2, 2},
	{4, 4},
	{10, 3},
	{1, 3},
	{8, 2, 2, 2, 2, 2},
}

var markers = [...]draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
	draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{},
}

// darkYellow is for thin lines, which yellow is too pale for.
var darkYellow = color.RGBA{0xa8, 0x9a, 0x00, 0xff}

// strokeOf is colourOf for lines and markers.
func strokeOf(style int) color.RGBA {
	if c := colourOf(style); c != palette[3] {
		return c
	}
	return darkYellow
}

// colourOf, hatchingOf, dashingOf and markerOf give the look of a style. Past the
// palette's end colours come again with other patterns.
func colourOf(style int) color.RGBA { return palette[style%len(palette)] }

func hatchingOf(style int) hatching { return hatchings[shifted(style, len(hatchings))] }

func dashingOf(style int) []vg.Length { return dashings[shifted(style, len(dashings))] }

func markerOf(style int) draw.GlyphDrawer { return markers[shifted(style, len(markers))] }

// shifted moves the pattern on by one each time the colours are used up.
func shifted(style, n int) int { return (style + style/len(palette)) % n }

// hatchColour returns what is seen well on a colour: by its luminance as Rec. 709
// weighs it.
func hatchColour(c color.RGBA) color.Color {
	if 0.2126*float64(c.R)+0.7152*float64(c.G)+0.0722*float64(c.B) > 120 {
		return darkInk
	}
	return paleInk
}

// fillBox paints a rectangle in the look of a style, with an outline.
func fillBox(c *draw.Canvas, style int, box vg.Rectangle) {
	colour := colourOf(style)
	corners := []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}}
	c.FillPolygon(colour, corners)
	inside := *c
	inside.Rectangle = box
	line := draw.LineStyle{Color: hatchColour(colour), Width: 0.7}
	for _, direction := range hatchingOf(style) {
		strokeAll(c, line, inside.ClipLinesXY(hatch(box, direction)...))
	}
	c.StrokeLines(draw.LineStyle{Color: ink, Width: 0.6}, append(corners, box.Min))
}

// strokeAll strokes lines as one path, which keeps files small.
func strokeAll(c *draw.Canvas, style draw.LineStyle, lines [][]vg.Point) {
	var path vg.Path
	for _, line := range lines {
		path.Move(line[0])
		for _, to := range line[1:] {
			path.Line(to)
		}
	}
	if len(path) > 0 {
		c.SetLineStyle(style)
		c.Stroke(path)
	}
}

// hatch returns parallel lines that cover a box, on a grid common to all boxes.
func hatch(box vg.Rectangle, direction vg.Point) [][]vg.Point {
	const distance = 4 // points between lines, along the axis they cross
	var lines [][]vg.Point
	size := box.Size()
	if direction.X == 0 {
		for x := box.Min.X + distance/2; x < box.Max.X; x += distance {
			lines = append(lines, []vg.Point{{X: x, Y: box.Min.Y}, {X: x, Y: box.Max.Y}})
		}
		return lines
	}
	slope := direction.Y / direction.X
	rise := slope * size.X
	spacing := vg.Length(distance)
	if slope != 0 {
		spacing *= 1.4
	}
	low, high := box.Min.Y-max(rise, 0), box.Max.Y-min(rise, 0)
	for y := low + spacing/2; y < high; y += spacing {
		lines = append(lines, []vg.Point{{X: box.Min.X, Y: y}, {X: box.Max.X, Y: y + rise}})
	}
	return lines
}
