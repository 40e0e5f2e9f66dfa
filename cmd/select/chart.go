package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/chart"
	"github.com/quarterround/quarterround/internal/compare"
)

// chartFlags are the flags of select chart.
type chartFlags struct {
	*flags
	query  chart.Query
	kind   string
	by     string
	output string
	size   chart.Size
}

func newChart(shared *flags) *cobra.Command {
	f := &chartFlags{flags: shared, size: chart.Wide, query: chart.Query{Length: 16 << 10}}
	c := &cobra.Command{
		Use:   "chart FILE|BOARD...",
		Short: "Draw board reports as bars and lines",
		Long: "Draws the figures of board reports (the files of select bench --report) and of\n" +
			"built-in boards, whose figures others have published about their own code. As\n" +
			"SVG or PNG by the ending of the file that -o names, or as text without it.\n\n" +
			"Kinds: cycles, for 64 bytes, is clustered bars by board or by backend; percent\n" +
			"is the same as speed relative to a reference; throughput is the speed of one\n" +
			"board over the message length, with the lengths marked where another candidate\n" +
			"takes the lead. Error bars reach from quartile to quartile.\n\n" +
			wrap("Built-in boards: "+strings.Join(board.BuiltInNames(), ", ")+".", 78) + "\n" +
			"BOARD@GROUP is the figures of one published table.",
		Args: arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return runChart(cmd, f, args) },
	}
	flags := c.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "write to this file, which ends in .svg or .png")
	flags.StringVar(&f.kind, "kind", "cycles", "cycles, percent or throughput")
	flags.StringVar(&f.by, "by", "board", "bars by board or by backend")
	flags.StringVar(&f.query.Algorithm, "algorithm", "chacha20", "which algorithm")
	flags.StringVar(&f.query.Mode, "mode", "", strings.Join(chart.Modes, ", ")+" (default encrypt, or\nupdate for a MAC)")
	flags.Var((*lengthFlag)(&f.query.Length), "length", "message length of bars in bytes; from 8192 on also\nfigures for long messages")
	flags.StringSliceVar(&f.query.Reference, "reference", []string{"generic"}, "what counts as 100 percent; of several\nthe first that a board has")
	flags.StringSliceVar(&f.query.Only, "only", nil, "backends, kernels or techniques to show beside the\nreference (default whole backends)")
	flags.Float64Var(&f.size.Width, "width", f.size.Width, "width of the image in points")
	flags.Float64Var(&f.size.Height, "height", f.size.Height, "height of the image in points")
	return c
}

// runChart draws what could be read, and then fails for what could not.
func runChart(cmd *cobra.Command, f *chartFlags, args []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	boards, unread := loadReports(args)
	if len(boards) == 0 {
		return unread
	}
	drawn, notes, err := f.chart(reportsOf(boards))
	if err != nil {
		return errors.Join(unread, err)
	}
	for _, note := range notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "select: %s\n", note)
	}
	if f.json {
		return errors.Join(unread, writeJSON(cmd.OutOrStdout(), struct {
			Schema int         `json:"schema"`
			Chart  chart.Chart `json:"chart"`
		}{schemaVersion, drawn}))
	}
	if f.output == "" {
		return errors.Join(unread, drawn.Text(cmd.OutOrStdout()))
	}
	return errors.Join(unread, writeChart(f.output, drawn, f.size))
}

// validate checks what can be checked before any file is read.
func (f *chartFlags) validate() error {
	switch {
	case f.json && f.output != "":
		return fmt.Errorf("--json prints the figures; it does not go with -o")
	case f.query.Mode != "" && !slices.Contains(chart.Modes, f.query.Mode):
		return fmt.Errorf("--mode %q: there are %s", f.query.Mode, strings.Join(chart.Modes, ", "))
	}
	if f.by != "board" && f.by != "backend" {
		return fmt.Errorf("--by %q: bars can be clustered by board or by backend", f.by)
	}
	f.query.ByBackend = f.by == "backend"
	f.query.Algorithm = strings.ToLower(f.query.Algorithm)
	for _, side := range []float64{f.size.Width, f.size.Height} {
		if !(side >= 200 && side <= 4000) {
			return fmt.Errorf("an image of %g x %g points: each side must be from 200 to 4000", f.size.Width, f.size.Height)
		}
	}
	if f.output != "" {
		_, err := chart.FormatOf(f.output)
		return err
	}
	return nil
}

// chart makes the chart, and notes on what is left out of it.
func (f *chartFlags) chart(reports []*board.Report) (chart.Chart, []string, error) {
	switch f.kind {
	case "cycles":
		return asChart(chart.Cycles(reports, f.query))
	case "percent":
		return asChart(chart.Percent(reports, f.query))
	case "throughput":
		if len(reports) != 1 {
			return nil, nil, fmt.Errorf("--kind throughput shows one board, not %d", len(reports))
		}
		lines, err := chart.Throughput(reports[0], f.query)
		return lines, nil, err
	}
	return nil, nil, fmt.Errorf("--kind %q: there are cycles, percent and throughput", f.kind)
}

func asChart(b *chart.Bars, notes []string, err error) (chart.Chart, []string, error) {
	return b, notes, err
}

// writeChart draws into a file, which is not touched if drawing fails.
func writeChart(file string, drawn chart.Chart, size chart.Size) error {
	format, err := chart.FormatOf(file)
	if err != nil {
		return err
	}
	var image bytes.Buffer
	if err := chart.Write(&image, drawn, format, size); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return writePage(file, image.Bytes())
}

// entitle makes the titles of boards differ: where several have the same, the name
// of the board is added.
func entitle(boards []compare.Board) []compare.Board {
	count := map[string]int{}
	for _, b := range boards {
		count[b.Report.Board]++
	}
	var all []compare.Board
	for _, b := range boards {
		r := *b.Report
		if count[r.Board] > 1 {
			r.Board += ", " + b.Name
		}
		all = append(all, compare.Board{Name: b.Name, Report: &r})
	}
	return all
}

// reportsOf returns the reports of boards, under titles that differ.
func reportsOf(boards []compare.Board) []*board.Report {
	var reports []*board.Report
	for _, b := range entitle(boards) {
		reports = append(reports, b.Report)
	}
	return reports
}
