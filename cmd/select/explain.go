package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/registry"
)

func newExplain(f *flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain ALGORITHM [LENGTH]",
		Short: "Say what runs for an algorithm and length, and why not the rest",
		Long: "Says exactly which kernels run for a message of LENGTH bytes (several usual\n" +
			"lengths if it is left out), what that costs, and what became of every other\n" +
			"kernel.\n\n" + wrap("Algorithms: "+strings.Join(algorithmNames(), ", ")+".", 78),
		Args: arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("cpu") {
				noteOverride(cmd.ErrOrStderr())
				return explainReplay(cmd.OutOrStdout(), f, args)
			}
			return explain(cmd.OutOrStdout(), f, args)
		},
	}
	addCPU(c, f)
	return c
}

func algorithmNames() []string {
	var names []string
	for _, a := range registry.Algorithms() {
		names = append(names, a.String())
	}
	return names
}

func explain(w io.Writer, f *flags, args []string) error {
	a, ok := registry.ParseAlgorithm(strings.ToLower(args[0]))
	if !ok {
		return fmt.Errorf("there is no algorithm %q; there are %s", args[0], strings.Join(algorithmNames(), ", "))
	}
	asked, err := askedLengths(args[1:])
	if err != nil {
		return err
	}
	sel, err := registry.Auto()
	if err != nil {
		return err
	}
	report := algorithmReport{Algorithm: a.String(), Candidates: sel.Candidates(a)}
	for _, n := range asked {
		steps, cost := sel.Compose(a, n)
		report.Plans = append(report.Plans, planReport{Length: n, Steps: steps, Cost: cost})
	}
	if f.json {
		return errors.Join(writeJSON(w, struct {
			Schema int    `json:"schema"`
			Unit   string `json:"unit"`
			algorithmReport
		}{schemaVersion, sel.Unit(), report}), pluginFailures(sel))
	}
	printExplanation(w, sel, &report)
	return pluginFailures(sel)
}

// askedLengths returns the length that is named, or the usual ones if none is.
func askedLengths(words []string) ([]int, error) {
	if len(words) == 0 {
		return lengths, nil
	}
	n, err := parseLength(words[0], 0, mostBytes)
	return []int{n}, err
}

func printExplanation(w io.Writer, sel *registry.Selection, report *algorithmReport) {
	for _, p := range report.Plans {
		fmt.Fprintf(w, "%s, %s: %.0f %s\n", report.Algorithm, formatLength(p.Length), p.Cost, sel.Unit())
		for _, s := range p.Steps {
			fmt.Fprintf(w, "  %s: %d %s, room for %s\n", s.Kernel, s.Steps, plural(s.Steps, "step"), formatLength(s.Covers))
			if s.Note != "" {
				fmt.Fprintf(w, "    %s\n", s.Note)
			}
		}
	}
	fmt.Fprintln(w)
	t := newTable(w)
	t.AppendHeader(table.Row{"kernel", "kind", "fixed", "per step", "state"})
	t.SetColumnConfigs([]table.ColumnConfig{rightAligned("fixed"), rightAligned("per step"), wrapped("state", 22)})
	for _, c := range report.Candidates {
		fixed, step := "", ""
		if c.Cost != nil {
			fixed, step = fmt.Sprintf("%.0f", c.Cost.Fixed), fmt.Sprintf("%.0f", c.Cost.PerStep)
		}
		t.AppendRow(table.Row{c.Name(), c.Kind.String(), fixed, step, c.Outcome.String()})
	}
	t.Render()
	printClasses(w, report)
}

// printClasses prints the costs by class of core, where cores differ.
func printClasses(w io.Writer, report *algorithmReport) {
	for _, c := range report.Candidates {
		for _, class := range c.Classes {
			fmt.Fprintf(w, "  %-30s on %-12s %8.0f + %.0f a step\n", c.Name(), class.Class, class.Cost.Fixed, class.Cost.PerStep)
		}
	}
}

// plural returns the word for n things.
func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
