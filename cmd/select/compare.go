package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/compare"
	"github.com/quarterround/quarterround/internal/published"
)

func newCompare(f *flags) *cobra.Command {
	var reference, algorithms []string
	var verdicts bool
	c := &cobra.Command{
		Use:   "compare BOARD...",
		Short: "Set reports of several boards side by side, and draw verdicts",
		Long: "Sets reports of several boards side by side and says what is fastest where,\n" +
			"what is of no benefit anywhere, what is within noise, and where boards disagree.\n" +
			"BOARD is a file that select bench --report wrote, or a built-in board of\n" +
			"published figures, which are other people's about their own code; NAME@GROUP is\n" +
			"one of its tables. Messages of up to 256 B are short, longer ones up to 4 KiB\n" +
			"medium.\n\n" +
			"Built in: " + wrap(strings.Join(board.BuiltInNames(), ", "), 78) + ".",
		Args: arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted, err := parseAlgorithms(algorithms)
			if err != nil {
				return err
			}
			o := compare.Options{Reference: reference}
			if len(algorithms) > 0 {
				for _, a := range wanted {
					o.Algorithms = append(o.Algorithms, a.String())
				}
			}
			return runCompare(cmd.OutOrStdout(), cmd.ErrOrStderr(), f, args, o, verdicts)
		},
	}
	c.Flags().StringSliceVar(&reference, "reference", nil, "backend or kernel that the others are compared\nwith; of several the first that a board has")
	c.Flags().StringSliceVar(&algorithms, "algorithm", nil, "these algorithms only")
	c.Flags().BoolVar(&verdicts, "verdicts", false, "verdicts only, without tables")
	return c
}

// wrap breaks text at spaces.
func wrap(s string, width int) string {
	lines := strings.Split(text.WrapSoft(s, width), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// display formats the name of a kernel: one that is a stream and a MAC kernel gets
// spaces to be broken at.
func display(kernel string) string { return strings.ReplaceAll(kernel, "+", " + ") }

// runCompare compares the boards that can be read, and then returns the errors of
// those that cannot.
func runCompare(w, stderr io.Writer, f *flags, names []string, o compare.Options, verdicts bool) error {
	boards, broken := loadReports(names)
	if len(boards) == 0 {
		return broken
	}
	result := compare.New(boards, o)
	if err := checkReference(result, o.Reference); err != nil {
		return errors.Join(err, broken)
	}
	if f.json {
		return errors.Join(writeJSON(w, result), broken)
	}
	printComparison(w, result, o, verdicts)
	return broken
}

// checkReference returns an error if there is something to compare and none of the
// references is among it.
func checkReference(c *compare.Comparison, names []string) error {
	var valid []string
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			if slices.ContainsFunc(row.Cells, func(cell *compare.Cell) bool { return cell != nil && cell.Reference }) {
				return nil
			}
			if !slices.Contains(valid, row.Kernel) {
				valid = append(valid, row.Kernel)
			}
		}
	}
	if len(names) == 0 || len(valid) == 0 {
		return nil
	}
	return fmt.Errorf("--reference %s: none of these boards has it; there are %s", strings.Join(names, ","), strings.Join(valid, ", "))
}

// loadReports loads files and built-in boards, each once.
func loadReports(names []string) (boards []compare.Board, broken error) {
	var errs []error
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		r, err := loadReport(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		boards = append(boards, compare.Board{Name: name, Report: r})
	}
	shorten(boards)
	return boards, errors.Join(errs...)
}

// loadReport loads a built-in board, or the file of that name.
func loadReport(name string) (*board.Report, error) {
	plain, _, _ := strings.Cut(strings.ToLower(name), "@")
	if slices.Contains(board.BuiltInNames(), plain) {
		return board.BuiltIn(name)
	}
	r, err := board.Load(name)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, `/\.`) {
		return nil, fmt.Errorf("%s: no such file, and %w", name, &published.UnknownError{What: "board", Name: name, Valid: board.BuiltInNames()})
	}
	return r, err
}

// shorten takes folders and endings off the names of files, unless two would be
// the same.
func shorten(boards []compare.Board) {
	short := func(name string) string { return strings.TrimSuffix(filepath.Base(name), ".json") }
	count := map[string]int{}
	for _, b := range boards {
		count[short(b.Name)]++
	}
	for i := range boards {
		if s := short(boards[i].Name); count[s] == 1 {
			boards[i].Name = s
		}
	}
}

// boardsAbreast is how many boards a table of 80 columns has room for.
func boardsAbreast(reference bool) int {
	if reference {
		return 3
	}
	return 4
}

func printComparison(w io.Writer, c *compare.Comparison, o compare.Options, verdictsOnly bool) {
	printBoards(w, c)
	for i := range c.Tables {
		if !verdictsOnly {
			printTables(w, c, &c.Tables[i], boardsAbreast(len(o.Reference) > 0))
		}
	}
	printVerdicts(w, c)
}

// printTables prints the table of a place, in several parts if there are more
// boards with figures than fit.
func printTables(w io.Writer, c *compare.Comparison, t *compare.Table, abreast int) {
	var having []int
	for i := range c.Boards {
		if unitOf(t, i) != "" {
			having = append(having, i)
		}
	}
	for part := range slices.Chunk(having, abreast) {
		fmt.Fprintf(w, "\n%s\n", heading(t.Place))
		printTable(w, c, t, part)
	}
}

// printBoards says what each board is, and what its figures are worth.
func printBoards(w io.Writer, c *compare.Comparison) {
	for _, b := range c.Boards {
		kind := ""
		switch {
		case b.Emulator != "":
			kind = ", EMULATED by " + b.Emulator
		case b.Published:
			kind = ", published: other people's code, named by technique"
		}
		fmt.Fprintln(w, indent(b.Name+": "+b.Title+kind, 2))
		for _, warning := range b.Warnings {
			fmt.Fprintln(w, "  "+indent("warning: "+warning, 4))
		}
	}
	for _, note := range c.Notes {
		fmt.Fprintln(w, indent("note: "+note, 2))
	}
}

// indent wraps text to 80 columns and puts spaces before all lines but the first.
func indent(s string, n int) string {
	return strings.ReplaceAll(wrap(s, 78-n), "\n", "\n"+strings.Repeat(" ", n))
}

func heading(p compare.Place) string {
	return fmt.Sprintf("%s %s, %s messages", p.Algorithm, p.Mode, p.Class)
}

// printTable prints the columns of some boards.
func printTable(w io.Writer, c *compare.Comparison, place *compare.Table, boards []int) {
	t := newTable(w)
	header, configs := table.Row{"kernel"}, []table.ColumnConfig{wrapped("kernel", 30)}
	units := table.Row{""}
	for _, i := range boards {
		name := c.Boards[i].Name
		if c.Boards[i].Emulator != "" {
			name += " (emulated)"
		}
		header, units = append(header, name), append(units, unitOf(place, i))
		configs = append(configs, table.ColumnConfig{Name: name, Align: text.AlignRight, AlignHeader: text.AlignRight, WidthMax: 14, WidthMaxEnforcer: text.WrapSoft})
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	t.AppendRow(units)
	for _, row := range place.Rows {
		cells, filled := table.Row{display(row.Kernel)}, false
		for _, i := range boards {
			cells = append(cells, formatCell(row.Cells[i]))
			filled = filled || row.Cells[i] != nil
		}
		if filled {
			t.AppendRow(cells)
		}
	}
	t.Render()
}

// unitOf returns the unit of a board's figures, in short.
func unitOf(t *compare.Table, b int) string {
	for _, row := range t.Rows {
		if cell := row.Cells[b]; cell != nil {
			return map[string]string{"cycles/byte": "c/B", "ns/byte": "ns/B", "relative": "relative"}[cell.Unit]
		}
	}
	return ""
}

// formatCell formats the cost of a byte and by how much the kernel is faster than
// the reference.
func formatCell(c *compare.Cell) string {
	switch {
	case c == nil:
		return ""
	case c.Reference:
		return fmt.Sprintf("%s  100 %%", figure(c.Value))
	case c.Percent != 0:
		return fmt.Sprintf("%s %5s", figure(c.Value), gain(c.Percent/100-1))
	}
	return figure(c.Value)
}

// figure formats a cost with two decimals, or three digits that matter if it is
// less than 0.1.
func figure(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.3g", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// gain formats a fraction: "+13 %", "-5 %".
func gain(x float64) string {
	if math.Abs(x) < 0.005 {
		x = 0
	}
	return fmt.Sprintf("%+.0f %%", 100*x)
}

func printVerdicts(w io.Writer, c *compare.Comparison) {
	printFastest(w, c)
	fmt.Fprintln(w, "\nBoards that disagree")
	for _, d := range c.Disagreements {
		fmt.Fprintf(w, "  %s\n", heading(d.Place))
		fmt.Fprintln(w, "    "+indent(fmt.Sprintf("%s is faster on %s,", d.First, strings.Join(d.FirstOn, ", ")), 6))
		fmt.Fprintln(w, "    "+indent(fmt.Sprintf("%s on %s", d.Second, strings.Join(d.SecondOn, ", ")), 6))
	}
	none(w, len(c.Disagreements))
	fmt.Fprintln(w, "\nNo benefit on any of these boards: candidates for deletion")
	for _, n := range c.Nowhere {
		verdict := fmt.Sprintf("%s wins nowhere: not on %s (%s messages)", n.Kernel, strings.Join(n.Boards, ", "), strings.Join(n.Classes, ", "))
		fmt.Fprintln(w, "  "+indent(verdict, 4))
	}
	none(w, len(c.Nowhere))
}

func none(w io.Writer, n int) {
	if n == 0 {
		fmt.Fprintln(w, "  none")
	}
}

// printFastest prints the verdicts of each place, by board.
func printFastest(w io.Writer, c *compare.Comparison) {
	fmt.Fprintln(w, "\nFastest")
	last := compare.Place{}
	for _, f := range c.Fastest {
		if f.Place != last {
			fmt.Fprintf(w, "  %s\n", heading(f.Place))
			last = f.Place
		}
		verdict := f.Board + ": " + f.Kernel
		if f.Reference != "" {
			verdict += fmt.Sprintf(", %.2f x as fast as %s", f.Factor, f.Reference)
		}
		if f.Next != "" && f.Next != f.Reference {
			verdict += fmt.Sprintf("; next %s, %.0f %% slower", f.Next, 100*f.Behind)
		}
		if len(f.WithinNoise) > 0 {
			verdict += "; within noise: " + strings.Join(f.WithinNoise, ", ")
		}
		fmt.Fprintln(w, "    "+indent(display(verdict), 6))
	}
	none(w, len(c.Fastest))
}
