package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/registry"
)

// newStability returns the subcommand that shows whether measuring in
// milliseconds leads to the same speed each time.
func newStability(f *flags) *cobra.Command {
	var processes int
	var print bool
	c := &cobra.Command{
		Use:   "stability",
		Short: "Compare what fresh processes choose",
		Long: "Starts processes that measure and choose as any program does, without a profile,\n" +
			"and computes what the plans of each cost by one table of costs, which is\n" +
			"measured thoroughly first. Shown is by how much the dearest plan is dearer than\n" +
			"the cheapest. Takes some seconds.",
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if print {
				return printOwnPlans(cmd.OutOrStdout())
			}
			return showStability(cmd.OutOrStdout(), barOn(cmd.ErrOrStderr()), f, processes)
		},
	}
	c.Flags().IntVar(&processes, "processes", 20, "how many")
	c.Flags().BoolVar(&print, "print-plans", false, "be one of the processes")
	if err := c.Flags().MarkHidden("print-plans"); err != nil {
		panic(err) // the flag was defined just above
	}
	return c
}

// A chosenPlan is the composition for one algorithm and length.
type chosenPlan struct {
	Algorithm string          `json:"algorithm"`
	Length    int             `json:"length"`
	Steps     []registry.Step `json:"steps"`
}

// printOwnPlans prints what this process chose.
func printOwnPlans(w io.Writer) error {
	sel, err := registry.Auto()
	if err != nil {
		return err
	}
	var plans []chosenPlan
	for _, a := range registry.Algorithms() {
		for _, n := range benchLengths() {
			steps, _ := sel.Compose(a, n)
			plans = append(plans, chosenPlan{a.String(), n, steps})
		}
	}
	return writeJSON(w, plans)
}

// A measuredStability is how far the plans of one algorithm lie apart.
type measuredStability struct {
	Algorithm string `json:"algorithm"`
	// Median and Worst are the cost of the dearest plan for a length divided by that
	// of the cheapest, over the lengths; WorstAt is the length in bytes of Worst.
	Median  float64 `json:"median"`
	Worst   float64 `json:"worst"`
	WorstAt int     `json:"worst_at"`
}

func showStability(w io.Writer, progress func(float64), f *flags, processes int) error {
	if processes < 2 {
		return fmt.Errorf("%d processes are nothing to compare; at least 2", processes)
	}
	sel, err := calibrateAside(partOf(progress, 0, 0.5))
	if err != nil {
		return err
	}
	override := withProfile("off")
	costs := map[string]map[int][]float64{} // by algorithm and length
	for i := range processes {
		if err := addFreshPlans(costs, sel, override); err != nil {
			return err
		}
		if progress != nil {
			progress(0.5 + 0.5*float64(i+1)/float64(processes))
		}
	}
	var all []measuredStability
	for _, a := range registry.Algorithms() {
		all = append(all, stabilityOf(a.String(), costs[a.String()]))
	}
	if f.json {
		return writeJSON(w, struct {
			Schema     int                 `json:"schema"`
			Processes  int                 `json:"processes"`
			Algorithms []measuredStability `json:"algorithms"`
		}{schemaVersion, processes, all})
	}
	t := newTable(w)
	t.AppendHeader(table.Row{"algorithm", "median", "worst", "at"})
	for _, s := range all {
		t.AppendRow(table.Row{s.Algorithm, fmt.Sprintf("%.3f", s.Median), fmt.Sprintf("%.3f", s.Worst), formatLength(s.WorstAt)})
	}
	t.Render()
	return nil
}

// calibrateAside measures thoroughly and leaves the user's profile as it is.
func calibrateAside(progress func(float64)) (*registry.Selection, error) {
	folder, err := os.MkdirTemp("", "quarterround")
	if err != nil {
		return nil, err
	}
	sel, _, err := registry.Calibrate(progress, registry.WithOverride(withProfile(filepath.Join(folder, "profile.json"))))
	return sel, errors.Join(err, os.RemoveAll(folder))
}

// withProfile returns the environment variable with another profile.
func withProfile(profile string) string {
	return strings.TrimPrefix(os.Getenv(registry.EnvironmentVariable)+",profile="+profile, ",")
}

// partOf returns progress for a part of the whole.
func partOf(progress func(float64), from, to float64) func(float64) {
	if progress == nil {
		return nil
	}
	return func(done float64) { progress(from + done*(to-from)) }
}

// addFreshPlans starts a process and adds what its plans cost according to sel.
func addFreshPlans(costs map[string]map[int][]float64, sel *registry.Selection, override string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.Command(self, "stability", "--print-plans")
	command.Env = append(os.Environ(), registry.EnvironmentVariable+"="+override)
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return fmt.Errorf("a fresh process: %w", err)
	}
	var plans []chosenPlan
	if err := json.Unmarshal(text, &plans); err != nil {
		return fmt.Errorf("a fresh process: %w", err)
	}
	for _, p := range plans {
		a, ok := registry.ParseAlgorithm(p.Algorithm)
		if !ok {
			return fmt.Errorf("a fresh process: there is no algorithm %q", p.Algorithm)
		}
		cost, err := sel.CostOf(a, p.Length, p.Steps)
		if err != nil {
			return fmt.Errorf("a fresh process: %w", err)
		}
		if costs[p.Algorithm] == nil {
			costs[p.Algorithm] = map[int][]float64{}
		}
		costs[p.Algorithm][p.Length] = append(costs[p.Algorithm][p.Length], cost)
	}
	return nil
}

// stabilityOf compares the costs of plans by length.
func stabilityOf(algorithm string, byLength map[int][]float64) measuredStability {
	s := measuredStability{Algorithm: algorithm}
	var ratios []float64
	for _, n := range benchLengths() {
		all := byLength[n]
		ratio := slices.Max(all) / slices.Min(all)
		ratios = append(ratios, ratio)
		if ratio > s.Worst {
			s.Worst, s.WorstAt = ratio, n
		}
	}
	slices.Sort(ratios)
	s.Median = ratios[len(ratios)/2]
	return s
}
