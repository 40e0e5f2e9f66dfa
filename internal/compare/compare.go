// Package compare sets board reports side by side and draws verdicts: what is
// fastest where, what is of no benefit anywhere, what is within noise, and where
// boards disagree.
//
// Figures of emulators are shown and take no part in verdicts, unless there is
// nothing else. Published figures are of other people's code, and their kernels
// are named by technique; they are never put in one row with measured ones.
package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/planner"
)

// A Board is a report and what to call it.
type Board struct {
	Name   string
	Report *board.Report
}

// Options say what to compare.
type Options struct {
	// Reference lists backends or kernels to compare with, the first one that a
	// board has at a place counts.
	Reference []string
	// Algorithms are those to compare, all if it is empty.
	Algorithms []string
}

// The classes of message length: up to 256 bytes, up to 4 KiB, and longer ones,
// among them the long messages of published figures.
const (
	Short  = "short"
	Medium = "medium"
	Long   = "long"
)

// ClassOf returns the class of a length in bytes; 0 stands for long messages.
func ClassOf(n int) string {
	switch {
	case n == 0 || n > 4096:
		return Long
	case n > 256:
		return Medium
	}
	return Short
}

// A Comparison is what several boards say. Its field names in JSON are stable.
type Comparison struct {
	Schema int         `json:"schema"`
	Boards []BoardInfo `json:"boards"`
	Tables []Table     `json:"tables"`
	// Fastest says for each place and board what is fastest.
	Fastest []Fastest `json:"fastest"`
	// Nowhere are the kernels that win on no board.
	Nowhere []Nowhere `json:"no_benefit"`
	// Disagreements are pairs of kernels of which each wins somewhere.
	Disagreements []Disagreement `json:"disagreements"`
	// Notes say what took no part in verdicts, and why.
	Notes []string `json:"notes,omitempty"`
}

// Schema is the version of a comparison in JSON.
const Schema = 1

// A BoardInfo says which board a column is of.
type BoardInfo struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Published bool     `json:"published,omitempty"`
	Emulator  string   `json:"emulator,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
}

// A Place is where kernels compete: an algorithm, a mode and a class of length.
type Place struct {
	Algorithm string `json:"algorithm"`
	Mode      string `json:"mode"`
	Class     string `json:"class"`
}

// A Table has a row for each kernel and a cell for each board.
type Table struct {
	Place
	Rows []Row `json:"rows"`
}

// A Row is one kernel.
type Row struct {
	Kernel string  `json:"kernel"`
	Cells  []*Cell `json:"cells"` // by board; null where it has no figure
}

// A Cell is how fast a kernel is on a board, over the lengths of the class.
type Cell struct {
	// Value is the geometric mean of the costs of a byte, in Unit: "cycles/byte",
	// "ns/byte", or "relative" to another kernel of the board.
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// Percent is the speed if that of the reference is 100, 0 if there is no
	// reference.
	Percent   float64 `json:"percent,omitempty"`
	Reference bool    `json:"reference,omitempty"`
	// Noise is the relative uncertainty of Value.
	Noise float64 `json:"noise,omitempty"`

	entry *entry
}

// A Fastest says what is fastest at a place on a board.
type Fastest struct {
	Place
	Board  string `json:"board"`
	Kernel string `json:"kernel"`
	// Factor is how many times faster it is than Reference, if there is one.
	Factor    float64 `json:"factor,omitempty"`
	Reference string  `json:"reference,omitempty"`
	// Next is what comes next, and Behind by which fraction its speed is less.
	Next   string  `json:"next,omitempty"`
	Behind float64 `json:"behind,omitempty"`
	// WithinNoise are the kernels that are as fast, as far as can be told.
	WithinNoise []string `json:"within_noise,omitempty"`
}

// A Nowhere is a kernel that is of no benefit on any board that has it, as far as
// the classes of length go of which there are figures.
type Nowhere struct {
	Kernel  string   `json:"kernel"`
	Boards  []string `json:"boards"`
	Classes []string `json:"classes"`
}

// A Disagreement is a pair of kernels at a place.
type Disagreement struct {
	Place
	First    string   `json:"first"`
	FirstOn  []string `json:"first_on"` // boards on which First is faster
	Second   string   `json:"second"`
	SecondOn []string `json:"second_on"`
}

// New compares boards, whose names must differ.
func New(boards []Board, o Options) *Comparison {
	c := &comparer{Options: o, mixed: isMixed(boards), judging: judging(boards), used: map[string]bool{}}
	result := &Comparison{Schema: Schema, Fastest: []Fastest{}, Nowhere: []Nowhere{}, Disagreements: []Disagreement{}}
	for i, b := range boards {
		r := b.Report
		result.Boards = append(result.Boards, BoardInfo{Name: b.Name, Title: r.Board, Published: r.Published, Emulator: r.Host.CPU.Emulator, Warnings: r.Warnings})
		c.read(i, b)
	}
	result.Notes = notes(boards, c.judging)
	c.order()
	for _, p := range c.places {
		result.Tables = append(result.Tables, c.table(p, len(boards)))
	}
	for t := range result.Tables {
		for i, b := range boards {
			if f, ok := c.fastest(&result.Tables[t], i); ok && c.judging[i] {
				f.Board = b.Name
				result.Fastest = append(result.Fastest, f)
			}
		}
		result.Disagreements = append(result.Disagreements, c.disagreements(&result.Tables[t], boards)...)
	}
	result.Nowhere = append(result.Nowhere, c.nowhere(boards)...)
	return result
}

// isMixed reports whether there are both published and measured boards.
func isMixed(boards []Board) bool {
	published := func(b Board) bool { return b.Report.Published }
	return slices.ContainsFunc(boards, published) && slices.ContainsFunc(boards, func(b Board) bool { return !published(b) })
}

// judging says which boards take part in verdicts: all but those of emulators,
// unless there are only such.
func judging(boards []Board) []bool {
	real := make([]bool, len(boards))
	for i, b := range boards {
		real[i] = !b.Report.Emulated()
	}
	if !slices.Contains(real, true) {
		return slices.Repeat([]bool{true}, len(boards))
	}
	return real
}

func notes(boards []Board, judging []bool) []string {
	var all []string
	for i, b := range boards {
		switch {
		case b.Report.Emulated() && judging[i]:
			all = append(all, b.Name+" is emulated: its times, and all verdicts from them, say nothing about a CPU")
		case b.Report.Emulated():
			all = append(all, b.Name+" is emulated: its times say nothing about a CPU, and it is left out of the verdicts")
		}
	}
	return all
}

// An entry is the points of one kernel at one place on one board.
type entry struct {
	board     int
	place     Place
	kernel    string // by which verdicts know it
	label     string // of its row
	kind      string
	published bool
	points    []board.Point
}

type comparer struct {
	Options
	mixed   bool
	judging []bool
	entries []*entry
	places  []Place
	used    map[string]bool // kernels that plans use
}

// read adds the points of a board.
func (c *comparer) read(index int, b Board) {
	twins := twinsOf(b.Report)
	for _, p := range b.Report.Points {
		if p.Mode == board.SetUp || p.Mode == board.Call || len(c.Algorithms) > 0 && !slices.Contains(c.Algorithms, p.Algorithm) {
			continue
		}
		place := Place{p.Algorithm, p.Mode, ClassOf(p.Length)}
		kernel, label := p.Candidate, p.Candidate
		if p.Technique != "" {
			kernel, label = p.Technique, p.Technique
			if twins[p.Technique] {
				label = p.Technique + ": " + p.Candidate
			}
			if c.mixed {
				kernel, label = "like "+kernel, "like "+label
			}
		}
		c.entry(index, place, kernel, label, p)
	}
	if !c.judging[index] {
		return
	}
	for _, choice := range b.Report.Choices {
		for part := range strings.SplitSeq(choice.Steps, ", ") {
			name, _, _ := strings.Cut(part, " x")
			c.used[name] = true
		}
	}
}

// twinsOf returns the techniques of which a report has several implementations.
func twinsOf(r *board.Report) map[string]bool {
	first, twins := map[string]string{}, map[string]bool{}
	for _, p := range r.Points {
		key := p.Algorithm + " " + p.Technique
		if other, ok := first[key]; ok && other != p.Candidate {
			twins[p.Technique] = true
		}
		first[key] = p.Candidate
	}
	return twins
}

// entry adds a point to its entry.
func (c *comparer) entry(index int, place Place, kernel, label string, p board.Point) {
	for _, e := range c.entries {
		if e.board == index && e.place == place && e.label == label && e.kind == p.Kind {
			e.points = append(e.points, p)
			return
		}
	}
	c.entries = append(c.entries, &entry{board: index, place: place, kernel: kernel, label: label, kind: p.Kind, published: p.Technique != "", points: []board.Point{p}})
	if !slices.Contains(c.places, place) {
		c.places = append(c.places, place)
	}
}

// order sorts the places as reports sort points, short messages first.
func (c *comparer) order() {
	sorter := board.Report{}
	for _, p := range c.places {
		length := map[string]int{Short: 1, Medium: 2, Long: 3}[p.Class]
		sorter.Points = append(sorter.Points, board.Point{Algorithm: p.Algorithm, Mode: p.Mode, Length: length})
	}
	sorter.Sort()
	for i, p := range sorter.Points {
		c.places[i] = Place{p.Algorithm, p.Mode, []string{Short, Medium, Long}[p.Length-1]}
	}
}

// table makes the table of a place: the plan, then kernels from simple to less
// simple ones, then other libraries.
func (c *comparer) table(p Place, boards int) Table {
	t := Table{Place: p}
	for _, e := range c.entries {
		if e.place != p {
			continue
		}
		t.add(e, boards)
	}
	slices.SortStableFunc(t.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(x.rank(), y.rank()), cmp.Compare(x.Kernel, y.Kernel))
	})
	for b := range boards {
		c.normalize(&t, b)
	}
	return t
}

// rank orders rows.
func (r *Row) rank() int {
	i := slices.IndexFunc(r.Cells, func(c *Cell) bool { return c != nil })
	switch e := r.Cells[i].entry; {
	case e.kind == board.Plan:
		return -1
	case r.Cells[i].competes():
		return simplicity(e.kernel)
	}
	return 3
}

// cell sums up the points of an entry.
func (e *entry) cell() *Cell {
	cell := &Cell{Unit: unitOf(e.points[0]), entry: e}
	n := float64(len(e.points))
	sum, squares := 0.0, 0.0
	for _, p := range e.points {
		value, noise := costOf(p)
		sum += math.Log(value)
		squares += noise * noise
	}
	cell.Value, cell.Noise = math.Exp(sum/n), math.Sqrt(squares)/n
	return cell
}

func unitOf(p board.Point) string {
	switch {
	case p.Cycles > 0:
		return "cycles/byte"
	case p.Nanoseconds > 0:
		return "ns/byte"
	}
	return "relative"
}

// costOf returns the cost of a byte, and how uncertain the median is: its standard
// error, if the samples are normally distributed. Of published figures that is not
// known; with what is assumed, less than 5 % is within noise.
func costOf(p board.Point) (value, noise float64) {
	const errorOfMedian = 1.2533 / 0.6745 // of half the distance of the quartiles, by the root of the samples
	noise = 0.05 / 3
	if p.Rounds > 0 {
		noise = cmp.Or(p.RatioSpread, p.Spread) * errorOfMedian / math.Sqrt(float64(p.Rounds))
	}
	perByte := 1 / float64(max(1, p.Length))
	switch unitOf(p) {
	case "cycles/byte":
		return p.Cycles * perByte, noise
	case "ns/byte":
		return p.Nanoseconds * perByte, noise
	}
	return p.Relative, noise
}

// normalize sets the percentages of a board.
func (c *comparer) normalize(t *Table, b int) {
	reference := c.reference(t, b)
	if reference == nil {
		return
	}
	reference.Reference = true
	for _, row := range t.Rows {
		if cell := row.Cells[b]; cell != nil {
			cell.Percent = 100 * reference.Value / cell.Value
		}
	}
}

// reference returns the cell of the reference on a board, nil if there is none.
func (c *comparer) reference(t *Table, b int) *Cell {
	for _, name := range c.Reference {
		for _, row := range t.Rows {
			if cell := row.Cells[b]; cell != nil && cell.entry.isNamed(name) {
				return cell
			}
		}
	}
	return nil
}

// isNamed reports whether a name is that of the kernel, of its backend, or for a
// kernel that is a stream and a MAC one, of the backend of both.
func (e *entry) isNamed(name string) bool {
	if e.kernel == name || e.label == name {
		return true
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(e.kernel, "like "), "+") {
		if backend, _, _ := strings.Cut(part, "/"); backend != name {
			return false
		}
	}
	return true
}

// competes reports whether a cell is that of a kernel or backend, not of the plan
// or another library.
func (cell *Cell) competes() bool {
	return cell != nil && (cell.entry.published || cell.entry.kind == board.Backend || cell.entry.kind == board.Process)
}

// noisy reports by the rule of the planner whether two cells are equal as far as can be told.
func noisy(slow, fast *Cell) bool {
	return slow.Value <= fast.Value*(1+planner.Noise(slow.Noise, fast.Noise))
}

// fastest draws the verdict of a place on a board: the simplest of the kernels
// that are as fast as the fastest.
func (c *comparer) fastest(t *Table, b int) (Fastest, bool) {
	pick, rest := pickOf(t, b)
	if pick == nil {
		return Fastest{}, false
	}
	f := Fastest{Place: t.Place, Kernel: pick.entry.label}
	for _, cell := range rest {
		if noisy(cell, pick) {
			f.WithinNoise = append(f.WithinNoise, cell.entry.label)
		} else if f.Next == "" {
			f.Next, f.Behind = cell.entry.label, 1-pick.Value/cell.Value
		}
	}
	if reference := c.reference(t, b); reference != nil && reference != pick {
		f.Reference, f.Factor = reference.entry.label, reference.Value/pick.Value
	}
	return f, true
}

// pickOf returns the cell that wins on a board and the others, fastest first; nil
// if there is no choice.
func pickOf(t *Table, b int) (pick *Cell, rest []*Cell) {
	var cells []*Cell
	for _, row := range t.Rows {
		if row.Cells[b].competes() {
			cells = append(cells, row.Cells[b])
		}
	}
	if len(cells) < 2 {
		return nil, nil
	}
	slices.SortStableFunc(cells, func(x, y *Cell) int { return cmp.Compare(x.Value, y.Value) })
	best := 0
	for i, cell := range cells {
		if noisy(cell, cells[0]) && simplicity(cell.entry.kernel) < simplicity(cells[best].entry.kernel) {
			best = i
		}
	}
	return cells[best], slices.Delete(slices.Clone(cells), best, best+1)
}

// simplicity ranks kernels by name: portable code, scalar assembly, vectors.
func simplicity(name string) int {
	backend, kernel, _ := strings.Cut(strings.TrimPrefix(name, "like "), "/")
	switch {
	case backend == "generic" || strings.HasPrefix(kernel, "go"):
		return 0
	case strings.HasPrefix(kernel, "asm") || kernel == "mulx" || strings.HasSuffix(backend, "scalar"):
		return 1
	}
	return 2
}
