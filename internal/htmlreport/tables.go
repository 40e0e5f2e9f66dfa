package htmlreport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/chart"
	"github.com/quarterround/quarterround/internal/cpu"
)

// warnings returns what may have spoiled the figures.
func warnings(r *board.Report) []string {
	all := slices.Clone(r.Warnings)
	emulated := func(s string) bool { return strings.Contains(s, "emulat") }
	if e := r.Host.CPU.Emulator; e != "" && !slices.ContainsFunc(all, emulated) {
		all = append(all, fmt.Sprintf("emulated by %s: times say nothing about the CPU", e))
	}
	return all
}

// identity lists what is known of the machine.
func identity(r *board.Report) []fact {
	var facts []fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, fact{name, value})
		}
	}
	id := &r.Host.CPU
	add("CPU", id.Brand)
	add("Model", id.Model)
	add("Board", id.Board)
	if id.Vendor != "" {
		add("Vendor", fmt.Sprintf("%s, family %d, model %d, stepping %d", id.Vendor, id.Family, id.ModelNumber, id.Stepping))
	}
	add("Cores", cores(id.Classes))
	add("Platform", strings.TrimPrefix(id.GOOS+"/"+id.GOARCH, "/"))
	add("Byte order", id.ByteOrder)
	add("Features", strings.Join(r.Host.Features, " "))
	if r.Host.ClockHz > 0 {
		add("Clock", fmt.Sprintf("%.3f GHz, by %s", r.Host.ClockHz/1e9, clockSource(r.Host.ClockSource)))
	}
	add("Governor", id.Governor)
	add("Hypervisor", id.Hypervisor)
	add("Emulator", id.Emulator)
	add("Kernel", r.Host.Kernel)
	add("Go", r.Host.GoVersion)
	add("Override", r.Host.Override)
	add("Date", r.Date)
	return facts
}

func clockSource(s string) string {
	if s == "-f" {
		return "the user"
	}
	return s
}

func cores(classes []cpu.Class) string {
	var parts []string
	for _, c := range classes {
		parts = append(parts, fmt.Sprintf("%d x %s", c.Count, c.Model))
	}
	return strings.Join(parts, ", ")
}

// choices returns a table for each algorithm of what was selected.
func choices(r *board.Report) []table {
	var all []table
	for _, c := range r.Choices {
		caption := c.Algorithm + ": kernels by message length"
		if len(all) == 0 || all[len(all)-1].Caption != caption {
			all = append(all, table{Caption: caption, Columns: []string{"Message", "Kernels", "Costs", "Next", "What became of it"}})
		}
		t := &all[len(all)-1]
		t.Rows = append(t.Rows, row{chart.Bytes(c.Length), []string{c.Steps, c.Provenance, c.RunnerUp, c.Reason}})
		if t.Summary == "" || c.Length <= barLength {
			t.Summary = fmt.Sprintf("%s: %s for %s", c.Algorithm, c.Steps, chart.Bytes(c.Length))
		}
	}
	return all
}

// tables returns the figures of one algorithm, a table for each mode.
func tables(r *board.Report, algorithm string) []table {
	if r.Published {
		return []table{publishedTable(r, algorithm)}
	}
	var all []table
	for _, mode := range board.Modes {
		if t := modeTable(r, algorithm, mode); len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// modeTable has a row for each candidate and a column for each length: the speed,
// or the time of what has no length.
func modeTable(r *board.Report, algorithm, mode string) table {
	unit, timed := "MB/s (10^6 bytes a second)", mode == board.SetUp || mode == board.Call
	if timed {
		unit = "nanoseconds"
	}
	t := table{
		Summary: fmt.Sprintf("%s, %s: all figures", algorithm, mode),
		Caption: fmt.Sprintf("%s, %s: %s and spread", algorithm, mode, unit),
		Columns: []string{"Candidate"},
	}
	var lengths []int
	for _, p := range r.Points {
		if p.Algorithm == algorithm && p.Mode == mode && !slices.Contains(lengths, p.Length) {
			lengths = append(lengths, p.Length)
		}
	}
	slices.Sort(lengths)
	for _, n := range lengths {
		if timed {
			t.Columns = append(t.Columns, "Time of a call")
		} else {
			t.Columns = append(t.Columns, chart.Bytes(n))
		}
	}
	for _, p := range r.Points {
		if p.Algorithm != algorithm || p.Mode != mode || p.Nanoseconds == 0 {
			continue
		}
		value := p.Nanoseconds
		if !timed {
			value = float64(p.Length) / p.Nanoseconds * 1e3
		}
		cell := fmt.Sprintf("%s ± %.1f %%", significant(value), 100*p.Spread)
		t.row(p.Candidate, len(lengths)).Cells[slices.Index(lengths, p.Length)] = cell
	}
	return t
}

// row returns the row of that heading, a new one if there is none.
func (t *table) row(head string, cells int) *row {
	i := slices.IndexFunc(t.Rows, func(r row) bool { return r.Head == head })
	if i < 0 {
		i = len(t.Rows)
		t.Rows = append(t.Rows, row{head, make([]string, cells)})
	}
	return &t.Rows[i]
}

// publishedTable lists figures with where they stand.
func publishedTable(r *board.Report, algorithm string) table {
	t := table{
		Summary: algorithm + ": all figures, with sources",
		Caption: algorithm + ": published figures",
		Columns: []string{"Implementation", "Technique of", "Message", "Cycles/byte", "Relative time", "Source"},
	}
	for _, p := range r.Points {
		if p.Algorithm != algorithm {
			continue
		}
		length, perByte, relative := "long", "", ""
		if p.Length > 0 {
			length = chart.Bytes(p.Length)
		}
		if p.Cycles > 0 {
			perByte = significant(p.Cycles / float64(max(1, p.Length)))
		}
		if p.Relative > 0 {
			relative = fmt.Sprintf("%.3f", p.Relative)
		}
		t.Rows = append(t.Rows, row{p.Candidate, []string{p.Technique, length, perByte, relative, p.Source}})
	}
	return t
}

// significant formats a figure with three digits that matter.
func significant(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
