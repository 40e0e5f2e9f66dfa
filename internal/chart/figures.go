package chart

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
)

// blockBytes is the size of the block that cycles are given for, as nettle's
// benchmark does: that of the stream ciphers, for MACs as well.
const blockBytes = 64

// longBytes is the least length for which a published figure of long messages
// stands.
const longBytes = 8 << 10

// Modes are the modes that can be charted: those whose calls take a message.
var Modes = []string{board.Encrypt, board.Decrypt, board.Update}

// A Query says which figures of the reports to chart.
type Query struct {
	Algorithm string
	// Mode is one of Modes; empty is encrypt, or update for a MAC.
	Mode string
	// Length is the message length in bytes of bars.
	Length int
	// Reference lists the candidates, backends or techniques that count as 100
	// percent: on each board the first that it has.
	Reference []string
	// Only are the candidates, backends or techniques to show; empty is all but the
	// single kernels of a backend that was measured as a whole.
	Only []string
	// ByBackend makes clusters of candidates with a bar for each board, instead of
	// the other way round.
	ByBackend bool
}

// A NoFiguresError says that the reports have nothing to chart.
type NoFiguresError struct {
	What  string   // what was sought: `algorithm "poly1306"`
	Valid []string // what there is
}

func (e *NoFiguresError) Error() string {
	if len(e.Valid) == 0 {
		return fmt.Sprintf("no figures for %s", e.What)
	}
	return fmt.Sprintf("no figures for %s; there are some for %s", e.What, strings.Join(e.Valid, ", "))
}

// A figure is a point under the name of its series.
type figure struct {
	name  string
	point board.Point
}

// A column is what one report has.
type column struct {
	label   string
	report  *board.Report
	figures []figure
}

// Algorithms returns the algorithms of the reports, in their order there.
func Algorithms(reports []*board.Report) []string {
	var names []string
	for _, r := range reports {
		for _, p := range r.Points {
			if !slices.Contains(names, p.Algorithm) {
				names = append(names, p.Algorithm)
			}
		}
	}
	return names
}

// mode returns the mode of the query, or the one that fits the algorithm.
func (q *Query) mode(reports []*board.Report) string {
	if q.Mode != "" {
		return q.Mode
	}
	for _, r := range reports {
		for _, p := range r.Points {
			if p.Algorithm == q.Algorithm && p.Mode == board.Update {
				return board.Update
			}
		}
	}
	return board.Encrypt
}

// collect returns the figures of the query of each report that has any, and says
// which have none.
func (q *Query) collect(reports []*board.Report, length string, wanted func(board.Point) bool) (columns []column, notes []string, err error) {
	if all := Algorithms(reports); !slices.Contains(all, q.Algorithm) {
		return nil, nil, &NoFiguresError{fmt.Sprintf("algorithm %q", q.Algorithm), all}
	}
	mode := q.mode(reports)
	labels := boardLabels(reports)
	seen := map[string]bool{} // modes and lengths that there are
	for i, r := range reports {
		c := column{label: labels[i], report: r}
		for _, p := range r.Points {
			if p.Algorithm != q.Algorithm {
				continue
			}
			if p.Mode == mode && wanted(p) {
				c.figures = append(c.figures, figure{p.Candidate, p})
			}
			seen[p.Mode+" of "+lengthName(p.Length)] = true
		}
		if len(c.figures) > 0 {
			columns = append(columns, c)
		} else {
			notes = append(notes, fmt.Sprintf("%s has no such figures and is left out", labels[i]))
		}
	}
	if len(columns) == 0 {
		return nil, nil, &NoFiguresError{fmt.Sprintf("%s, %s of %s", q.Algorithm, mode, length), slices.Sorted(maps.Keys(seen))}
	}
	nameSeries(columns)
	return q.choose(columns, notes)
}

// choose drops the figures that are not asked for.
func (q *Query) choose(columns []column, notes []string) ([]column, []string, error) {
	for _, name := range q.Only {
		if err := isSomewhere(columns, name); err != nil {
			return nil, nil, err
		}
	}
	var kept []column
	for _, c := range columns {
		c.figures = slices.DeleteFunc(c.figures, func(f figure) bool { return !q.shows(c, f) })
		if len(c.figures) > 0 {
			kept = append(kept, c)
		} else {
			notes = append(notes, fmt.Sprintf("%s has none of %s and is left out", c.label, strings.Join(q.Only, ", ")))
		}
	}
	if len(q.Only) == 0 {
		shortenNames(kept)
	}
	return kept, notes, nil
}

// shortenNames calls a kernel that is all of its backend by the backend's name,
// so that generic/chacha and generic/poly1305 look alike.
func shortenNames(columns []column) {
	kernels := map[string]map[string]bool{} // of backends, in all columns
	for _, c := range columns {
		for _, f := range c.figures {
			if f.point.Kind != board.Backend {
				continue
			}
			backend, _, _ := strings.Cut(f.name, "/")
			if kernels[backend] == nil {
				kernels[backend] = map[string]bool{}
			}
			kernels[backend][f.name] = true
		}
	}
	for _, c := range columns {
		for i := range c.figures {
			f := &c.figures[i]
			if backend, _, _ := strings.Cut(f.name, "/"); f.point.Kind == board.Backend && len(kernels[backend]) == 1 {
				f.name = backend
			}
		}
	}
}

// isSomewhere returns an error if no figure is of that name.
func isSomewhere(columns []column, name string) error {
	var names []string
	for _, c := range columns {
		if slices.ContainsFunc(c.figures, func(f figure) bool { return f.is(name) }) {
			return nil
		}
		names = append(names, c.names()...)
	}
	slices.Sort(names)
	return &NoFiguresError{fmt.Sprintf("%q", name), slices.Compact(names)}
}

// shows reports whether a figure of a column is to be shown.
func (q *Query) shows(c column, f figure) bool {
	if len(q.Only) > 0 {
		return slices.ContainsFunc(q.Only, f.is) || slices.ContainsFunc(q.Reference, f.is)
	}
	backend, _, isKernel := strings.Cut(f.name, "/")
	return f.point.Kind != board.Backend || !isKernel || !c.has(backend)
}

// has reports whether there is a figure of exactly that name.
func (c *column) has(name string) bool {
	return slices.ContainsFunc(c.figures, func(f figure) bool { return f.name == name })
}

// is reports whether the figure is of that candidate, backend or technique.
func (f *figure) is(name string) bool { return name == f.point.Candidate || isOf(f.name, name) }

// atLength accepts the points of the length of the query, and figures for long
// messages if it is long.
func (q *Query) atLength(p board.Point) bool {
	return p.Length == q.Length || p.Length == 0 && q.Length >= longBytes
}

func lengthName(n int) string {
	if n == 0 {
		return "long messages"
	}
	return Bytes(n)
}

// boardLabels returns a label for each report that says what must not be mixed up.
func boardLabels(reports []*board.Report) []string {
	mixed := slices.ContainsFunc(reports, func(r *board.Report) bool { return r.Published != reports[0].Published })
	var labels []string
	for _, r := range reports {
		label := r.Board
		if r.Published && mixed {
			label += ", published"
		}
		if e := r.Host.CPU.Emulator; e != "" {
			label += ", emulated by " + e
		}
		labels = append(labels, label)
	}
	return labels
}

// likePrefix is before the technique of published figures beside measured ones.
const likePrefix = "like "

// nameSeries names published figures by their technique, so that the same idea
// has the same look on every board, but not the look of what was measured. Where a
// board has several figures of one technique, the implementation tells them apart,
// on every board.
func nameSeries(columns []column) {
	prefix := ""
	if slices.ContainsFunc(columns, func(c column) bool { return !c.report.Published }) {
		prefix = likePrefix
	}
	ambiguous := map[string]bool{}
	for _, c := range columns {
		seen := map[string]bool{}
		for _, f := range c.figures {
			if t := f.point.Technique; t != "" {
				ambiguous[t] = ambiguous[t] || seen[t]
				seen[t] = true
			}
		}
	}
	for _, c := range columns {
		for i := range c.figures {
			f := &c.figures[i]
			switch t := f.point.Technique; {
			case t == "":
			case ambiguous[t]:
				f.name = prefix + t + ": " + f.point.Candidate
			default:
				f.name = prefix + t
			}
		}
	}
}

// Cycles returns bars of the cycles for 64 bytes, or of nanoseconds if the clock
// of a board is unknown, and notes on what is left out.
func Cycles(reports []*board.Report, q Query) (*Bars, []string, error) {
	columns, notes, err := q.collect(reports, lengthName(q.Length), q.atLength)
	if err != nil {
		return nil, nil, err
	}
	perBlock, unit, err := unitOf(columns)
	if err != nil {
		return nil, nil, err
	}
	b := q.newBars(columns, unit+" for 64 bytes (lower is faster)")
	for i, c := range columns {
		for _, f := range c.figures {
			y := perBlock(f.point)
			b.set(f.name, i, Value{y, y * f.point.Spread})
		}
	}
	b.finish(q, true)
	return b, notes, nil
}

// unitOf returns how to count the figures: in cycles if all can be, or else in
// nanoseconds.
func unitOf(columns []column) (func(board.Point) float64, string, error) {
	bytes := func(p board.Point) float64 { return float64(max(1, p.Length)) }
	cycles, nanoseconds := "", "" // boards that have no such figures
	for _, c := range columns {
		for _, f := range c.figures {
			if f.point.Cycles == 0 {
				cycles = c.label
			}
			if f.point.Nanoseconds == 0 {
				nanoseconds = c.label
			}
		}
	}
	switch {
	case cycles == "":
		return func(p board.Point) float64 { return p.Cycles / bytes(p) * blockBytes }, "cycles", nil
	case nanoseconds == "":
		return func(p board.Point) float64 { return p.Nanoseconds / bytes(p) * blockBytes }, "nanoseconds", nil
	case cycles == nanoseconds:
		return nil, "", fmt.Errorf("%s has ratios only; chart them as percent of a reference", cycles)
	}
	return nil, "", fmt.Errorf("%s has no cycles, because its clock is unknown, and %s has nothing else; chart them as percent of a reference", cycles, nanoseconds)
}

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

// ratioSpread returns the spread that counts between candidates of a board.
func ratioSpread(p board.Point) float64 {
	if p.RatioSpread > 0 {
		return p.RatioSpread
	}
	return p.Spread
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

func (c *column) names() []string {
	var names []string
	for _, f := range c.figures {
		names = append(names, f.name)
	}
	return names
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

// newBars returns a chart without bars, one cluster for each report.
func (q *Query) newBars(columns []column, unit string) *Bars {
	b := &Bars{Unit: unit}
	long, published, spread := true, false, false
	var reports []*board.Report
	for _, c := range columns {
		b.Clusters = append(b.Clusters, c.label)
		reports = append(reports, c.report)
		published = published || c.report.Published
		for _, f := range c.figures {
			long, spread = long && f.point.Length == 0, spread || f.point.Spread > 0
		}
	}
	length := q.Length
	if long {
		length = 0
	}
	b.Title = fmt.Sprintf("%s, %s, %s", q.Algorithm, q.mode(reports), lengthName(length))
	b.Subtitle = remarks(published, spread)
	return b
}

// remarks says what the reader of figures must know.
func remarks(published, spread bool) string {
	var all []string
	if published {
		all = append(all, "Published figures are of other people's code, named by the kernel here that is the same idea.")
	}
	if spread {
		all = append(all, "Error bars reach from quartile to quartile.")
	}
	return strings.Join(all, " ")
}

// set enters the value of a series in a cluster.
func (b *Bars) set(name string, cluster int, v Value) {
	i := slices.IndexFunc(b.Series, func(s Series) bool { return s.Name == name })
	if i < 0 {
		i = len(b.Series)
		b.Series = append(b.Series, Series{Name: name, Values: slices.Repeat([]Value{missing}, len(b.Clusters))})
	}
	b.Series[i].Values[cluster] = v
}

// finish sorts the series from the slowest to the fastest with the reference
// before all, transposes if asked to, and numbers the looks.
func (b *Bars) finish(q Query, lowerIsFaster bool) {
	rank := map[string]float64{}
	for _, s := range b.Series {
		rank[s.Name] = b.meanShare(s)
		if lowerIsFaster {
			rank[s.Name] *= -1
		}
		if slices.ContainsFunc(q.Reference, func(name string) bool { return isOf(s.Name, name) }) {
			rank[s.Name] = math.Inf(-1)
		}
	}
	slices.SortStableFunc(b.Series, func(x, y Series) int {
		return cmp.Or(cmp.Compare(rank[x.Name], rank[y.Name]), cmp.Compare(x.Name, y.Name))
	})
	if q.ByBackend {
		b.transpose()
	}
	for i := range b.Series {
		b.Series[i].Style = i
	}
}

// isOf reports whether a series has that name, or is of that backend or technique;
// of a stream and a MAC kernel both must be of the backend.
func isOf(series, name string) bool {
	technique, _, _ := strings.Cut(strings.TrimPrefix(series, likePrefix), ": ")
	if name == series || name == technique {
		return true
	}
	for part := range strings.SplitSeq(technique, "+") {
		if backend, _, _ := strings.Cut(part, "/"); backend != name {
			return false
		}
	}
	return true
}

// meanShare returns the mean logarithm of the values of a series, each as a share
// of the greatest of its cluster.
func (b *Bars) meanShare(s Series) float64 {
	sum, n := 0.0, 0
	for i, v := range s.Values {
		if !v.known() {
			continue
		}
		most := 0.0
		for _, other := range b.Series {
			if other.Values[i].known() {
				most = max(most, other.Values[i].Y)
			}
		}
		sum, n = sum+math.Log(v.Y/most), n+1
	}
	return sum / float64(n)
}

// transpose makes clusters of series and the other way round.
func (b *Bars) transpose() {
	var clusters []string
	series := make([]Series, len(b.Clusters))
	for i, name := range b.Clusters {
		series[i].Name = name
		for _, s := range b.Series {
			series[i].Values = append(series[i].Values, s.Values[i])
		}
	}
	for _, s := range b.Series {
		clusters = append(clusters, s.Name)
	}
	b.Clusters, b.Series = clusters, series
}

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
	for i := range l.Lines {
		l.Lines[i].Style = i
	}
	var rivals []Line
	for _, line := range l.Lines {
		if line.Name != "auto" { // it follows the leader
			rivals = append(rivals, line)
		}
	}
	l.Crossovers = crossovers(rivals)
}
