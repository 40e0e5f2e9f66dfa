package main

import (
	"encoding/json"
	"fmt"
	"io"
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
	Schema     int               `json:"schema"`
	CPU        cpuReport         `json:"cpu"`
	Unit       string            `json:"unit"`
	Notes      []string          `json:"notes,omitempty"`
	Algorithms []algorithmReport `json:"algorithms"`
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
}

func describeCPU() cpuReport {
	id, d := cpu.Read(), cpu.Detect()
	return cpuReport{
		Model: id.Model, Brand: id.Brand, GOOS: id.GOOS, GOARCH: id.GOARCH, ByteOrder: id.ByteOrder,
		Features: d.Features.Names(), Off: d.SwitchedOff, Hypervisor: id.Hypervisor, Emulator: id.Emulator,
	}
}

// describe returns the report of a selection; generic is the same with nothing
// but the generic backend.
func describe(sel, generic *registry.Selection) selectionReport {
	report := selectionReport{Schema: schemaVersion, CPU: describeCPU(), Unit: sel.Unit(), Notes: sel.Notes()}
	for _, a := range registry.Algorithms() {
		r := algorithmReport{Algorithm: a.String(), Candidates: sel.Candidates(a)}
		for _, n := range lengths {
			steps, cost := sel.Compose(a, n)
			_, genericCost := generic.Compose(a, n)
			r.Plans = append(r.Plans, planReport{Length: n, Steps: steps, Cost: cost, Generic: genericCost})
		}
		report.Algorithms = append(report.Algorithms, r)
	}
	return report
}

// showSelection prints the selection of this process.
func showSelection(w io.Writer, f *flags) error {
	sel, err := registry.Auto()
	if err != nil {
		return err
	}
	generic, err := registry.Select(registry.WithOverride("mode=generic"))
	if err != nil {
		return err
	}
	report := describe(sel, generic)
	if f.json {
		return writeJSON(w, report)
	}
	printSelection(w, &report)
	return nil
}

// printSelection prints the report as text of at most 80 columns.
func printSelection(w io.Writer, report *selectionReport) {
	fmt.Fprintln(w, cpuLine(&report.CPU))
	fmt.Fprintf(w, "%s\n\n", strings.Join(costKinds(report), "; "))
	t := newTable(w)
	t.AppendHeader(table.Row{"algorithm", "length", "kernels", report.Unit, "vs generic"})
	for _, a := range report.Algorithms {
		name := a.Algorithm
		for _, p := range a.Plans {
			t.AppendRow(table.Row{name, formatLength(p.Length), composition(p.Steps, a.forced()), fmt.Sprintf("%.0f", p.Cost), fmt.Sprintf("%.1f x", p.Generic/p.Cost)})
			name = ""
		}
		t.AppendSeparator()
	}
	t.Render()
	for _, note := range report.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	fmt.Fprintln(w, "\nselect explain ALGORITHM [LENGTH] says why; select list shows every kernel.")
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
		line += ", under " + c.Hypervisor
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
				kinds = append(kinds, "costs "+c.Cost.Provenance)
			}
		}
	}
	return kinds
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
