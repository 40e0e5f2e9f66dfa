package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/internal/atomicfile"
	"github.com/quarterround/quarterround/internal/bench"
	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/compare"
	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/htmlreport"
	"github.com/quarterround/quarterround/registry"
)

// reportFlags are the flags of select report.
type reportFlags struct {
	*flags
	html      string
	frequency float64
	budget    time.Duration
}

// reportBudget is how long this machine is measured for a page, unless another
// time is asked for.
const reportBudget = 30 * time.Second

func newReport(shared *flags) *cobra.Command {
	f := &reportFlags{flags: shared}
	c := &cobra.Command{
		Use:   "report --html FILE [REPORT|BOARD...]",
		Short: "Write board reports as one web page, with charts",
		Long: "Writes one self-contained HTML page: what the machine is, what was chosen and\n" +
			"why, what may have spoiled the figures, charts and tables, and of several boards\n" +
			"verdicts. It loads nothing, and can be opened from the disk and sent to others.\n" +
			"REPORT is a file that select bench --report wrote, BOARD a built-in board, as\n" +
			"select chart lists them. Without any this machine is measured, for half a\n" +
			"minute.",
		RunE: func(cmd *cobra.Command, args []string) error { return runReport(cmd, f, args) },
	}
	c.Flags().StringVar(&f.html, "html", "", "write the page to this file")
	c.Flags().Float64VarP(&f.frequency, "frequency", "f", 0, "this machine's clock in Hz, such as 1.4e9, to count\ncycles by")
	c.Flags().DurationVar(&f.budget, "budget", reportBudget, "how long to measure this machine")
	return c
}

// runReport writes a page of what could be read, and then fails for what could
// not.
func runReport(cmd *cobra.Command, f *reportFlags, args []string) error {
	switch {
	case f.html == "":
		return errors.New("name the file to write with --html")
	case f.json:
		return errors.New("--json: the report as JSON is what select bench --report writes")
	case len(args) > 0 && (cmd.Flags().Changed("budget") || cmd.Flags().Changed("frequency")):
		return errors.New("--budget and --frequency are for measuring this machine, which is done if no report is named")
	}
	if err := cmp.Or(checkBudget(f.budget), checkFrequency(cmd, f.frequency), checkPage(f.html)); err != nil {
		return err
	}
	boards, unread := loadReports(args)
	if len(args) == 0 {
		r, err := measureBriefly(cmd.Context(), cmd.ErrOrStderr(), f)
		if r == nil {
			return err
		}
		boards, unread = []compare.Board{{Name: "here", Report: r}}, err
	}
	if len(boards) == 0 {
		return unread
	}
	var page bytes.Buffer
	if err := htmlreport.Write(&page, entitle(boards)); err != nil {
		return fmt.Errorf("%s: %w", f.html, err)
	}
	return errors.Join(unread, writePage(f.html, page.Bytes()))
}

// checkPage returns an error if a page cannot be written to a file.
func checkPage(file string) error {
	if isDevice(file) {
		return nil
	}
	return atomicfile.Check(file)
}

// writePage writes a page or an image to a file, which is not touched if that fails.
func writePage(file string, content []byte) error {
	if isDevice(file) {
		return os.WriteFile(file, content, 0)
	}
	return atomicfile.Write(file, content, 0o644)
}

// isDevice reports whether a file is a device or a pipe, such as /dev/stdout, which
// is written to and not replaced.
func isDevice(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// measureBriefly measures this machine. If it is interrupted, the report holds
// what there is so far.
func measureBriefly(ctx context.Context, stderr io.Writer, f *reportFlags) (*board.Report, error) {
	interrupt, end := signal.NotifyContext(ctx, os.Interrupt)
	defer end()
	run, err := prepareBench(interrupt, stderr, &benchFlags{
		flags: f.flags, frequency: f.frequency, budget: f.budget, rounds: bench.Rounds, batch: bench.Batch, peers: inProcess,
	}, registry.Algorithms())
	if err != nil {
		return nil, err
	}
	run.Stop = func() bool { return interrupt.Err() != nil }
	run.Progress = barOn(stderr)
	fmt.Fprintf(stderr, "measuring this machine: about %s\n", formatDuration(run.Estimate()))
	run.Run()
	r := run.Report(cpu.Read(), time.Now())
	setClock(r, f.frequency)
	return r, interrupted(interrupt)
}
