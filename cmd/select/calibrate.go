package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/quarterround/quarterround/registry"
)

func newCalibrate(f *flags) *cobra.Command {
	var timeout time.Duration
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure every kernel thoroughly and write the profile",
		Long: "Measures every kernel that this machine can run, for some seconds, and writes\n" +
			"the profile by which programs on it choose without measuring. The profile goes\n" +
			"to the user's cache directory, or where " + registry.EnvironmentVariable + "=profile=PATH says.\n" +
			"Before that every kernel is tried in another process: one that crashes or is\n" +
			"wrong is left out.",
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if timeout <= 0 {
				return errNoTime
			}
			return calibrate(cmd.OutOrStdout(), cmd.ErrOrStderr(), f, timeout)
		},
	}
	c.Flags().DurationVar(&timeout, "timeout", time.Minute, "what a self-test may take before it counts as\nhanging")
	return c
}

func calibrate(w, progress io.Writer, f *flags, timeout time.Duration) error {
	bad, err := unusable(timeout, func(text string) { fmt.Fprintf(progress, "select: %s\n", text) })
	if err != nil {
		return err
	}
	sel, path, err := registry.Calibrate(barOn(progress), registry.WithOverride(os.Getenv(registry.EnvironmentVariable)), registry.WithKnownOutcomes(bad))
	if sel == nil {
		return err
	}
	switch {
	case err != nil:
		err = fmt.Errorf("the profile was not written: %w; %s=profile=PATH names another place", err, registry.EnvironmentVariable)
	case len(bad) > 0:
		err = errSelfTest
	}
	if f.json {
		if err := writeJSON(w, struct {
			Schema      int                  `json:"schema"`
			Profile     string               `json:"profile"`
			Measurement registry.Measurement `json:"measurement"`
			// LeftOut are kernels that failed or crashed.
			LeftOut map[string]registry.Outcome `json:"left_out,omitempty"`
		}{schemaVersion, path, sel.Measurement(), bad}); err != nil {
			return err
		}
		return err
	}
	for _, kernel := range slices.Sorted(maps.Keys(bad)) {
		fmt.Fprintf(w, "left out: %s: %v\n", kernel, bad[kernel])
	}
	m := sel.Measurement()
	fmt.Fprintf(w, "%d timings in %.1f s\n", m.Kernels, m.Spent.Seconds())
	if path != "" && (err == nil || errors.Is(err, errSelfTest)) {
		fmt.Fprintf(w, "written to %s\n", path)
	}
	return err
}

// redraws reports whether a line of the file can be drawn anew.
func redraws(file *os.File) bool {
	return term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb"
}

// barOn returns a function that draws a progress bar with the time left on w if
// it is a terminal, nil if not.
func barOn(w io.Writer) func(float64) {
	file, ok := w.(*os.File)
	if !ok || !redraws(file) {
		return nil
	}
	const width = 40
	begin := time.Now()
	return func(done float64) {
		full, left := int(done*width), ""
		if done > 0.02 {
			left = formatDuration(time.Duration(float64(time.Since(begin))*(1-done)/done)) + " left"
		}
		fmt.Fprintf(file, "\r[%s%s] %3.0f %%  %-16s", strings.Repeat("#", full), strings.Repeat(" ", width-full), 100*done, left)
		if done == 1 {
			fmt.Fprint(file, "\r\x1b[K")
		}
	}
}
