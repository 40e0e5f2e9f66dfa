package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
)

// planName is the candidate that is the plan.
const planName = "auto"

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

// ratioSpread returns the spread that counts between candidates of a board.
func ratioSpread(p board.Point) float64 {
	if p.RatioSpread > 0 {
		return p.RatioSpread
	}
	return p.Spread
}

func (c *column) names() []string {
	var names []string
	for _, f := range c.figures {
		names = append(names, f.name)
	}
	return names
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
