package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/registry"
)

// schemaVersion is raised when a field of the JSON output changes its meaning or
// goes away.
const schemaVersion = 1

// lengths are the message lengths the tables show: a block, short messages, a
// packet, a record, and bulk.
var lengths = []int{64, 256, 1350, 16 << 10, 1 << 20}

// A selectionReport is the JSON output of the command without a subcommand.
type selectionReport struct {
	Schema      int                  `json:"schema"`
	CPU         cpuReport            `json:"cpu"`
	Unit        string               `json:"unit"`
	Measurement registry.Measurement `json:"measurement"`
	Notes       []string             `json:"notes,omitempty"`
	Algorithms  []algorithmReport    `json:"algorithms"`
}

type cpuReport struct {
	Model      string   `json:"model,omitempty"`
	Brand      string   `json:"brand,omitempty"`
	GOOS       string   `json:"goos"`
	GOARCH     string   `json:"goarch"`
	ByteOrder  string   `json:"byte_order"`
	Features   []string `json:"features"`
	Off        []string `json:"switched_off,omitempty"`
	Hypervisor string   `json:"hypervisor,omitempty"`
	Emulator   string   `json:"emulator,omitempty"`
	// ClockHz is the clock of the core, 0 if unknown.
	ClockHz uint64 `json:"clock_hz,omitempty"`
	// Cores lists the kinds of core where they differ, the strongest first.
	Cores []string `json:"cores,omitempty"`
}

type algorithmReport struct {
	Algorithm  string               `json:"algorithm"`
	Plans      []planReport         `json:"plans"`
	Candidates []registry.Candidate `json:"candidates"`
}

// A planReport is what runs for one length.
type planReport struct {
	Length int             `json:"length"`
	Steps  []registry.Step `json:"steps"`
	Cost   float64         `json:"cost"`
	// Generic is the cost if the generic backend did it all.
	Generic float64 `json:"generic_cost"`
	// MBPerSecond is the speed in units of 10^6 bytes, and CyclesPerByte the cost
	// in cycles; 0 if they are not known.
	MBPerSecond   float64 `json:"mb_per_second,omitempty"`
	CyclesPerByte float64 `json:"cycles_per_byte,omitempty"`
}

func describeCPU() cpuReport {
	id, d := cpu.Read(), cpu.Detect()
	report := cpuReport{
		Model: id.Model, Brand: id.Brand, GOOS: id.GOOS, GOARCH: id.GOARCH, ByteOrder: id.ByteOrder,
		Features: d.Features.Names(), Off: d.SwitchedOff, Hypervisor: id.Hypervisor, Emulator: id.Emulator,
	}
	if id.Hypervisor == "" { // a guest is told the rate of a counter
		report.ClockHz = id.ClockHz
	}
	if len(id.Classes) > 1 {
		for _, c := range id.Classes {
			report.Cores = append(report.Cores, fmt.Sprintf("%s (%s)", c.Model, c.CPUList()))
		}
	}
	return report
}

// describe returns the report of a selection.
func describe(sel *registry.Selection) (selectionReport, error) {
	report := selectionReport{Schema: schemaVersion, CPU: describeCPU(), Unit: sel.Unit(), Measurement: sel.Measurement(), Notes: sel.Notes()}
	generic, err := sel.Under("mode=generic")
	if err != nil {
		return report, err
	}
	for _, a := range registry.Algorithms() {
		r := algorithmReport{Algorithm: a.String(), Candidates: sel.Candidates(a)}
		for _, n := range lengths {
			steps, cost := sel.Compose(a, n)
			_, genericCost := generic.Compose(a, n)
			p := planReport{Length: n, Steps: steps, Cost: cost, Generic: genericCost}
			p.rates(report.Unit, report.CPU.ClockHz)
			r.Plans = append(r.Plans, p)
		}
		report.Algorithms = append(report.Algorithms, r)
	}
	return report, nil
}

// rates fills in what follows from the cost, its unit and the clock.
func (p *planReport) rates(unit string, clockHz uint64) {
	if p.Length == 0 || p.Cost == 0 {
		return
	}
	perByte := p.Cost / float64(p.Length)
	switch {
	case unit == "cycles":
		p.CyclesPerByte = perByte
		p.MBPerSecond = float64(clockHz) / perByte / 1e6
	default:
		p.MBPerSecond = 1e3 / perByte
		p.CyclesPerByte = perByte * float64(clockHz) / 1e9
	}
}

// showSelection prints the selection of this process.
func showSelection(w io.Writer, f *flags) error {
	sel, err := registry.Auto()
	if err != nil {
		return err
	}
	report, err := describe(sel)
	if err != nil {
		return err
	}
	if f.json {
		return errors.Join(writeJSON(w, report), pluginFailures(sel))
	}
	printSelection(w, &report, f.why)
	return pluginFailures(sel)
}

// rowFormat lays out a plan: length, kernel, cost, MB/s, cycles per byte, factor
// over generic.
const rowFormat = "  %-8s %-33s %9s %7s %7s %8s\n"

// printSelection prints the report as text of at most 80 columns; why adds what
// became of the kernels that no plan uses.
func printSelection(w io.Writer, report *selectionReport, why bool) {
	fmt.Fprintln(w, cpuLine(&report.CPU))
	for _, core := range report.CPU.Cores {
		fmt.Fprintf(w, "  cores: %s\n", core)
	}
	fmt.Fprintf(w, "%s\n\n", wrap(strings.Join(append(costKinds(report), measurementLine(&report.Measurement)...), "; "), 79))
	fmt.Fprintf(w, rowFormat, "length", "kernels", report.Unit, "MB/s", "c/B", "generic")
	for i := range report.Algorithms {
		printAlgorithm(w, &report.Algorithms[i])
		if why {
			printLosers(w, &report.Algorithms[i])
		}
	}
	for _, note := range report.Notes {
		fmt.Fprintln(w, indent("note: "+note, 2))
	}
	fmt.Fprintln(w, "\nselect explain ALGORITHM [LENGTH] says why; select list shows every kernel.")
}

// behind says by how much a kernel is slower than the plan; what is faster by less
// than the tolerance of the planner is not chosen.
func behind(fraction float64) string {
	if fraction < 0 {
		return "within noise"
	}
	return fmt.Sprintf("%+.0f %%", 100*fraction)
}

// printAlgorithm prints a heading that names the runner-up, and the plans.
func printAlgorithm(w io.Writer, a *algorithmReport) {
	fmt.Fprint(w, a.Algorithm)
	if next := a.runnerUp(); next != nil {
		fmt.Fprintf(w, "  (next: %s, %s at %s)", next.Name(), behind(next.Behind), formatLength(next.BehindAt))
	}
	fmt.Fprintln(w)
	forced := a.forced()
	for _, p := range a.Plans {
		kernels := strings.Split(composition(p.Steps, forced), "\n")
		fmt.Fprintf(w, rowFormat, formatLength(p.Length), kernels[0], fmt.Sprintf("%.0f", p.Cost),
			significant(p.MBPerSecond), significant(p.CyclesPerByte), fmt.Sprintf("%.1f x", p.Generic/p.Cost))
		for _, kernel := range kernels[1:] {
			fmt.Fprintf(w, "  %-8s %s\n", "", kernel)
		}
	}
}

// printLosers prints the kernels that could run and are not used, the closest
// first, and then how many cannot run for what reason.
func printLosers(w io.Writer, a *algorithmReport) {
	losers := slices.DeleteFunc(slices.Clone(a.Candidates), func(c registry.Candidate) bool { return c.BehindAt == 0 })
	slices.SortStableFunc(losers, func(x, y registry.Candidate) int { return cmp.Compare(x.Behind, y.Behind) })
	for _, c := range losers {
		fmt.Fprintf(w, "    %-30s %-13s %+5.0f %% at %s\n", c.Name(), c.State, 100*c.Behind, formatLength(c.BehindAt))
	}
	out := map[string]int{}
	for _, c := range a.Candidates {
		if c.Cost == nil || c.State == registry.Excluded {
			out[c.Outcome.String()]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(out)) {
		fmt.Fprintf(w, "    %d %s %s\n", out[reason], plural(out[reason], "kernel"), reason)
	}
}

// runnerUp returns the kernel that comes closest to the plan without being in
// it, nil if there is none.
func (a *algorithmReport) runnerUp() *registry.Candidate {
	var next *registry.Candidate
	for i := range a.Candidates {
		if c := &a.Candidates[i]; c.BehindAt > 0 && (next == nil || c.Behind < next.Behind) {
			next = c
		}
	}
	return next
}

// significant formats a number with three digits that matter, "-" if unknown.
func significant(x float64) string {
	switch {
	case x == 0:
		return "-"
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// measurementLine says what was measured, in what time, or why nothing was.
func measurementLine(m *registry.Measurement) []string {
	var parts []string
	if m.Kernels > 0 {
		parts = append(parts, fmt.Sprintf("%d timings in %.1f ms", m.Kernels, m.Spent.Seconds()*1e3))
	}
	if m.Reason != "" {
		what := "not measured: "
		if m.Kernels > 0 {
			what = "some not measured: "
		}
		parts = append(parts, what+m.Reason)
	}
	if m.Profile != "" {
		parts = append(parts, "profile "+m.Profile)
	}
	return parts
}

// cpuLine names the CPU and where the program runs.
func cpuLine(c *cpuReport) string {
	line := c.Brand
	if line == "" {
		line = "unknown CPU"
	}
	if c.Model != "" {
		line += " (" + c.Model + ")"
	}
	line += ", " + c.GOOS + "/" + c.GOARCH
	if c.Hypervisor != "" {
		line += ", under " + strings.Replace(c.Hypervisor, "unknown", "a hypervisor", 1)
	}
	if c.Emulator != "" {
		line += ", emulated by " + c.Emulator
	}
	return line
}

// costKinds says how the costs of the selected kernels are known.
func costKinds(report *selectionReport) []string {
	seen := map[string]bool{}
	var kinds []string
	for _, a := range report.Algorithms {
		for _, c := range a.Candidates {
			if (c.State == registry.Selected || c.State == registry.Forced) && c.Cost != nil && !seen[c.Cost.Provenance] {
				seen[c.Cost.Provenance] = true
				kinds = append(kinds, costsOf(c.Cost.Provenance))
			}
		}
	}
	return kinds
}

// costsOf says in words what a provenance means.
func costsOf(provenance string) string {
	switch provenance {
	case "profile":
		return "costs from the profile"
	case "confirmed":
		return "costs known of this CPU, confirmed"
	}
	return "costs " + provenance
}

// forced returns the names of the kernels that are used because of an override.
func (a *algorithmReport) forced() map[string]bool {
	forced := map[string]bool{}
	for _, c := range a.Candidates {
		if c.State == registry.Forced {
			forced[c.Name()] = true
		}
	}
	return forced
}

// composition formats the kernels of a plan: "avx2/chacha-x8 x2 + avx2/chacha-x1".
func composition(steps []registry.Step, forced map[string]bool) string {
	var parts []string
	for _, s := range steps {
		part := s.Kernel
		if s.Steps > 1 {
			part += fmt.Sprintf(" x%d", s.Steps)
		}
		if forced[s.Kernel] {
			part += " (forced)"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n")
}

// formatLength formats a number of bytes.
func formatLength(n int) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// newTable returns a plain table without colour, for terminals and pipes alike.
func newTable(w io.Writer) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SuppressTrailingSpaces()
	style := table.StyleDefault
	style.Options.DrawBorder = false
	style.Options.SeparateColumns = false
	style.Options.SeparateRows = false
	style.Box.PaddingLeft = ""
	style.Box.PaddingRight = "  "
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	return t
}

// writeJSON writes v, indented.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// wrapped returns a column that is at most width wide and wrapped at spaces.
func wrapped(name string, width int) table.ColumnConfig {
	return table.ColumnConfig{Name: name, WidthMax: width, WidthMaxEnforcer: text.WrapSoft}
}

// rightAligned returns a column of numbers.
func rightAligned(name string) table.ColumnConfig {
	return table.ColumnConfig{Name: name, Align: text.AlignRight, AlignHeader: text.AlignRight}
}
