package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
)

// nowhere returns the kernels that win on no board, by name. A kernel wins if it
// is the pick at some length, or as fast as the pick and as simple, or if a plan
// uses it. The generic backend is not judged: it is always there. A stream or MAC
// kernel may win as a part of an AEAD, but does not lose as one.
func (c *comparer) nowhere(boards []Board) []Nowhere {
	seenOn, classes, wins := map[string][]string{}, map[string][]string{}, map[string]bool{}
	for _, t := range c.byLength() {
		for i, b := range boards {
			pick, rest := pickOf(&t, i)
			if pick == nil || !c.judging[i] {
				continue
			}
			for _, cell := range append(rest, pick) {
				won := cell == pick || noisy(cell, pick) && simplicity(cell.entry.kernel) <= simplicity(pick.entry.kernel)
				for kernel := range parts(cell.entry.kernel) {
					wins[kernel] = wins[kernel] || won
					if kernel == cell.entry.kernel {
						seenOn[kernel], classes[kernel] = addName(seenOn[kernel], b.Name), addName(classes[kernel], t.Class)
					}
				}
			}
		}
	}
	var all []Nowhere
	for _, kernel := range slices.Sorted(maps.Keys(seenOn)) {
		backend, _, isKernel := strings.Cut(strings.TrimPrefix(kernel, "like "), "/")
		if isKernel && backend != "generic" && !wins[kernel] && !c.used[kernel] {
			all = append(all, Nowhere{kernel, seenOn[kernel], classes[kernel]})
		}
	}
	return all
}

// parts yields the kernels that a name is made of: one, or a stream and a MAC.
func parts(kernel string) func(func(string) bool) {
	return func(yield func(string) bool) {
		prefix := ""
		if strings.HasPrefix(kernel, "like ") {
			prefix = "like "
		}
		for part := range strings.SplitSeq(strings.TrimPrefix(kernel, prefix), "+") {
			if !yield(prefix + part) {
				return
			}
		}
	}
}

// byLength returns tables like those of the comparison, but for each length.
func (c *comparer) byLength() []Table {
	type key struct {
		place  Place
		length int
	}
	tables := map[key]*Table{}
	var order []key
	for _, e := range c.entries {
		for _, p := range e.points {
			k := key{e.place, p.Length}
			if tables[k] == nil {
				tables[k] = &Table{Place: e.place}
				order = append(order, k)
			}
			one := *e
			one.points = []board.Point{p}
			tables[k].add(&one, len(c.judging))
		}
	}
	var all []Table
	for _, k := range order {
		all = append(all, *tables[k])
	}
	return all
}

// add puts an entry into its row.
func (t *Table) add(e *entry, boards int) {
	i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Kernel == e.label })
	if i < 0 {
		i = len(t.Rows)
		t.Rows = append(t.Rows, Row{Kernel: e.label, Cells: make([]*Cell, boards)})
	}
	t.Rows[i].Cells[e.board] = e.cell()
}

// disagreements returns the pairs of kernels of which one is the fastest on some
// board and the other on another, among those that both boards have.
func (c *comparer) disagreements(t *Table, boards []Board) []Disagreement {
	var all []Disagreement
	for i := range boards {
		for j := range boards[:i] {
			if !c.judging[i] || !c.judging[j] {
				continue
			}
			common := commonRows(t, i, j)
			x, _ := pickOf(&common, i)
			y, _ := pickOf(&common, j)
			if x == nil || y == nil || x.entry.label == y.entry.label {
				continue
			}
			other, one := cellOf(&common, y.entry.label, i), cellOf(&common, x.entry.label, j)
			if !noisy(other, x) && !noisy(one, y) {
				all = addDisagreement(all, t.Place, y.entry.label, boards[j].Name, x.entry.label, boards[i].Name)
			}
		}
	}
	return all
}

// commonRows returns the table with the rows that two boards have.
func commonRows(t *Table, i, j int) Table {
	common := Table{Place: t.Place}
	for _, row := range t.Rows {
		if row.Cells[i].competes() && row.Cells[j].competes() {
			common.Rows = append(common.Rows, row)
		}
	}
	return common
}

func cellOf(t *Table, label string, b int) *Cell {
	i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Kernel == label })
	return t.Rows[i].Cells[b]
}

// addDisagreement adds that first is faster on one board and second on another.
func addDisagreement(all []Disagreement, p Place, first, firstOn, second, secondOn string) []Disagreement {
	for i := range all {
		d := &all[i]
		if d.First == second && d.Second == first {
			first, firstOn, second, secondOn = second, secondOn, first, firstOn
		}
		if d.First == first && d.Second == second {
			d.FirstOn, d.SecondOn = addName(d.FirstOn, firstOn), addName(d.SecondOn, secondOn)
			return all
		}
	}
	return append(all, Disagreement{p, first, []string{firstOn}, second, []string{secondOn}})
}

func addName(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}
