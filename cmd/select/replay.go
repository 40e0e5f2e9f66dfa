package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/internal/published"
	"github.com/quarterround/quarterround/internal/replay"
	"github.com/quarterround/quarterround/registry"
)

// A replayReport is the JSON output of --cpu.
type replayReport struct {
	Schema int `json:"schema"`
	// Boards are the published CPUs; the candidates are the code of others.
	Boards     []string          `json:"boards"`
	Algorithms []replayAlgorithm `json:"algorithms"`
}

type replayAlgorithm struct {
	Algorithm  string            `json:"algorithm"`
	Plans      []replayPlan      `json:"plans"`
	Candidates []replayCandidate `json:"candidates"`
}

type replayPlan struct {
	Length int          `json:"length"`
	Steps  []replayStep `json:"steps"`
	Cycles float64      `json:"cycles"`
}

type replayStep struct {
	Implementation string `json:"implementation"`
	Technique      string `json:"technique"`
	Steps          int    `json:"steps"`
}

type replayCandidate struct {
	published.Figure
	State  string  `json:"state"`
	Behind float64 `json:"behind"`
}

// addCPU adds --cpu to a command.
func addCPU(c *cobra.Command, f *flags) {
	c.Flags().StringVar(&f.cpu, "cpu", "", "replay the choice on published figures of another CPU, or\nseveral with plus signs for classes of core; CPU@GROUP\ntakes those of one table")
}

// noteOverride says that a replay does not go by the environment.
func noteOverride(stderr io.Writer) {
	if os.Getenv(registry.EnvironmentVariable) != "" {
		fmt.Fprintf(stderr, "select: %s does not bear on --cpu, which goes by published figures alone\n", registry.EnvironmentVariable)
	}
}

// loadBoards loads the boards of --cpu: one, or classes of core with plus signs. A
// name may end in "@" and the table that figures are to be of, which is the same for
// all boards; the empty group is the usual one of each algorithm.
func loadBoards(names string) (boards []*published.Board, group string, err error) {
	for word := range strings.SplitSeq(strings.ToLower(names), "+") {
		name, table, named := strings.Cut(strings.TrimSpace(word), "@")
		b, err := published.Load(name)
		if err != nil {
			return nil, "", err
		}
		boards = append(boards, b)
		if !named {
			continue
		}
		if err := b.CheckGroup(table); err != nil {
			return nil, "", fmt.Errorf("--cpu %s: %w", word, err)
		}
		if group != "" && group != table {
			return nil, "", fmt.Errorf("--cpu %s: the tables differ, and are not to be compared", names)
		}
		group = table
	}
	return boards, group, nil
}

// replayed makes the choice for one algorithm, or for all that it can be made for if
// that is empty.
func replayed(names, algorithm string, asked []int) (*replayReport, error) {
	boards, group, err := loadBoards(names)
	if err != nil {
		return nil, err
	}
	report := &replayReport{Schema: schemaVersion}
	for _, b := range boards {
		report.Boards = append(report.Boards, b.Title)
	}
	algorithms := []string{algorithm}
	if algorithm == "" {
		algorithms = boards[0].Algorithms()
	}
	var impossible error
	for _, a := range algorithms {
		c, err := replay.New(boards, a, group)
		if err != nil {
			impossible = err // the boards have no candidate, or not this table, in common
			continue
		}
		report.Algorithms = append(report.Algorithms, describeReplay(c, asked))
	}
	if len(report.Algorithms) == 0 {
		return nil, fmt.Errorf("--cpu %s: %w", names, impossible)
	}
	return report, nil
}

func describeReplay(c *replay.Choice, asked []int) replayAlgorithm {
	r := replayAlgorithm{Algorithm: c.Algorithm}
	for _, n := range asked {
		parts, cost := c.At(n)
		plan := replayPlan{Length: n, Cycles: cost}
		for _, p := range parts {
			figure := c.Figures[p.ID]
			plan.Steps = append(plan.Steps, replayStep{figure.Implementation, figure.Technique, p.Steps})
		}
		r.Plans = append(r.Plans, plan)
	}
	for _, v := range c.Verdicts() {
		r.Candidates = append(r.Candidates, replayCandidate{v.Figure, v.State, v.Behind})
	}
	return r
}

// showReplay prints what would be chosen on a published CPU, for one algorithm or
// for all.
func showReplay(w io.Writer, f *flags, algorithm string) error {
	report, err := replayed(f.cpu, algorithm, lengths)
	if err != nil {
		return err
	}
	return printReplay(w, f, report, f.why)
}

// explainReplay is explain for a published CPU.
func explainReplay(w io.Writer, f *flags, args []string) error {
	asked, err := askedLengths(args[1:])
	if err != nil {
		return err
	}
	report, err := replayed(f.cpu, strings.ToLower(args[0]), asked)
	if err != nil {
		return err
	}
	return printReplay(w, f, report, true)
}

func printReplay(w io.Writer, f *flags, report *replayReport, why bool) error {
	if f.json {
		return writeJSON(w, report)
	}
	fmt.Fprintf(w, "%s\nby published figures of other people's code, not of this module\n", strings.Join(report.Boards, " and "))
	for i := range report.Algorithms {
		fmt.Fprintln(w)
		printReplayed(w, &report.Algorithms[i])
		if why {
			fmt.Fprintln(w)
			printReplayCandidates(w, &report.Algorithms[i])
		}
	}
	return nil
}

// replayFormat lays out a plan: length, implementation, cycles, cycles per byte.
const replayFormat = "  %-8s %-52s %8s %6s"

func printReplayed(w io.Writer, a *replayAlgorithm) {
	fmt.Fprintf(w, "%-63s %8s %6s\n", a.Algorithm, "cycles", "c/B")
	for _, p := range a.Plans {
		length, cycles, perByte := formatLength(p.Length), significant(p.Cycles), significant(p.Cycles/float64(max(1, p.Length)))
		for _, s := range p.Steps {
			line := fmt.Sprintf(replayFormat, length, fmt.Sprintf("%s x%d", s.Implementation, s.Steps), cycles, perByte)
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			length, cycles, perByte = "", "", ""
		}
	}
}

// printReplayCandidates prints every candidate with its figure and source.
func printReplayCandidates(w io.Writer, a *replayAlgorithm) {
	t := newTable(w)
	t.AppendHeader(table.Row{"implementation", "c/B", "state", "source"})
	t.SetColumnConfigs([]table.ColumnConfig{wrapped("implementation", 24), wrapped("source", 22)})
	for _, c := range a.Candidates {
		_, perStep := c.Cost()
		state := c.State
		if state != "selected" {
			state = fmt.Sprintf("%s (%+.1f %%)", state, 100*c.Behind)
		}
		t.AppendRow(table.Row{c.Implementation, significant(perStep / float64(c.StepBytes())), state, c.Source + ", " + c.Date})
	}
	t.Render()
}
