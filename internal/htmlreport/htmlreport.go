// Package htmlreport writes board reports as one HTML page that needs nothing
// else: charts are inline SVG, styles are inline, and there is no script.
package htmlreport

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/chart"
	"github.com/quarterround/quarterround/internal/compare"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// barLength is the message length in bytes that bars are of.
const barLength = 16 << 10

// references are what charts of percent refer to: portable code.
var references = []string{"generic", "poly32/go", "poly64/go"}

// A page is what the template shows.
type page struct {
	Title    string
	Lead     string
	Contents []link
	Together []section // comparisons of several boards, by algorithm
	Verdicts *verdictsView
	Boards   []boardView
}

// A link is a line of the contents.
type link struct{ ID, Name string }

// A section is the charts and tables of one algorithm.
type section struct {
	ID, Name string
	Charts   []figure
	Tables   []table
}

// A figure is a chart with a caption, which may be empty. Wide ones are scrolled
// where there is no room.
type figure struct {
	SVG     template.HTML
	Caption string
	Wide    bool
}

// A boardView is all of one report.
type boardView struct {
	ID, Title  string
	Published  bool
	Warnings   []string
	Identity   []fact
	Choices    []table
	Algorithms []section
}

// A fact is a line of the identity.
type fact struct{ Name, Value string }

// A table has a heading for each row and column. Summary stands for it while it is
// folded.
type table struct {
	Summary string
	Caption string
	Columns []string // that of the row headings first
	Rows    []row
}

type row struct {
	Head  string
	Cells []string
}

// Write writes the page. The titles of the boards should differ.
func Write(w io.Writer, boards []compare.Board) error {
	var reports []*board.Report
	for _, b := range boards {
		reports = append(reports, b.Report)
	}
	p := page{Title: title(reports), Lead: lead(reports)}
	if len(reports) > 1 {
		p.Together = allTogether(reports)
		p.Verdicts = verdicts(boards)
	}
	for i, r := range reports {
		p.Boards = append(p.Boards, boardOf(r, fmt.Sprintf("board-%d", i+1)))
	}
	p.Contents = contents(&p)
	return pageTemplate.Execute(w, p)
}

// allTogether returns a section for each algorithm that can be compared.
func allTogether(reports []*board.Report) []section {
	var all []section
	for _, algorithm := range chart.Algorithms(reports) {
		s := section{ID: "together-" + algorithm, Name: algorithm}
		if render(together(reports, &s)); len(s.Charts) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// boardOf returns all of a report, in whose charts the same name looks alike.
func boardOf(r *board.Report, id string) boardView {
	b := boardView{ID: id, Title: r.Board, Published: r.Published, Warnings: warnings(r), Identity: identity(r), Choices: choices(r)}
	var drawn []*drawing
	for _, algorithm := range chart.Algorithms([]*board.Report{r}) {
		s := section{ID: id + "-" + algorithm, Name: algorithm, Tables: tables(r, algorithm)}
		drawn = append(drawn, alone(r, &s)...)
		b.Algorithms = append(b.Algorithms, s)
	}
	render(drawn)
	return b
}

// contents lists the boards, or what there is about the only one.
func contents(p *page) []link {
	var links []link
	if len(p.Boards) == 1 {
		b := &p.Boards[0]
		links = append(links, link{b.ID + "-identity", "Identity"})
		if len(b.Choices) > 0 {
			links = append(links, link{b.ID + "-choices", "Choices"})
		}
		for _, s := range b.Algorithms {
			links = append(links, link{s.ID, s.Name})
		}
		return links
	}
	links = append(links, link{"together", "All boards"})
	for _, b := range p.Boards {
		links = append(links, link{b.ID, b.Title})
	}
	return links
}

func title(reports []*board.Report) string {
	if len(reports) == 1 {
		return "ChaCha, Salsa20 and Poly1305 on " + reports[0].Board
	}
	return fmt.Sprintf("ChaCha, Salsa20 and Poly1305 on %d boards", len(reports))
}

// lead says in a sentence where the figures are from.
func lead(reports []*board.Report) string {
	measured := 0
	for _, r := range reports {
		if !r.Published {
			measured++
		}
	}
	switch {
	case measured == len(reports):
		return "Figures measured by Quarterround: medians over rounds in which all candidates took turns."
	case measured == 0:
		return "Figures that others published about their own code, named by the kernel of Quarterround that is the same idea."
	}
	return "Some boards were measured by Quarterround; the figures of others, marked so, were published by other people about their own code."
}

// A drawing is a chart and where it goes when all looks are known.
type drawing struct {
	chart chart.Chart
	into  *figure
	size  chart.Size
}

// alone draws the charts of one algorithm on one board.
func alone(r *board.Report, s *section) []*drawing {
	q := chart.Query{Algorithm: s.Name, Length: barLength, Reference: references}
	var charts []chart.Chart
	if lines, err := chart.Throughput(r, q); err == nil {
		charts = append(charts, lines)
	}
	if bars, _, err := chart.Cycles([]*board.Report{r}, q); err == nil {
		charts = append(charts, bars)
	}
	if bars, _, err := chart.Percent([]*board.Report{r}, q); err == nil {
		charts = append(charts, bars)
	}
	return place(charts, s)
}

// together draws the charts of one algorithm over several boards.
func together(reports []*board.Report, s *section) []*drawing {
	q := chart.Query{Algorithm: s.Name, Length: barLength, Reference: references}
	var charts []chart.Chart
	if bars, _, err := chart.Cycles(reports, q); err == nil && len(bars.Clusters) > 1 {
		charts = append(charts, bars)
	}
	if bars, _, err := chart.Percent(reports, q); err == nil && len(bars.Clusters) > 1 {
		charts = append(charts, bars)
	}
	return place(charts, s)
}

// place makes room for the charts in the section. The drawings are rendered when
// the looks of all charts are known.
func place(charts []chart.Chart, s *section) []*drawing {
	s.Charts = make([]figure, len(charts))
	var drawn []*drawing
	for i, c := range charts {
		wide := isWide(c)
		s.Charts[i] = figure{Caption: caption(c), Wide: wide}
		d := &drawing{chart: c, into: &s.Charts[i], size: chart.Wide}
		if !wide {
			const legendRow, perRow = 14, 2
			d.size = chart.Narrow
			d.size.Height += float64(legendRow * (len(chart.Names(c)) / perRow))
		}
		drawn = append(drawn, d)
	}
	return drawn
}

// isWide reports whether a chart has more bars than a narrow one has room for.
func isWide(c chart.Chart) bool {
	b, ok := c.(*chart.Bars)
	return ok && len(b.Clusters) > 1 && len(b.Clusters)*len(b.Series) > 12
}

// caption tells the crossovers of a chart of lines.
func caption(c chart.Chart) string {
	lines, ok := c.(*chart.Lines)
	if !ok {
		return ""
	}
	var parts []string
	for _, x := range lines.Crossovers {
		parts = append(parts, x.String()+".")
	}
	return strings.Join(parts, " ")
}

// render draws all charts, in which the same name has the same look.
func render(drawn []*drawing) {
	var charts []chart.Chart
	for _, d := range drawn {
		charts = append(charts, d.chart)
	}
	chart.Restyle(charts...)
	for _, d := range drawn {
		d.into.SVG = template.HTML(chart.Inline(d.chart, d.size)) // package chart escapes texts
	}
}
