package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

var archTitles = map[*trace.Arch]string{trace.ARM: "32-bit ARM", trace.ARM64: "arm64"}

// writeTables writes the figures as Markdown: a table for each architecture
// and length, with the CPUs as columns.
func writeTables(w io.Writer, rows []row, day time.Time, o options) {
	fmt.Fprintf(w, `# Modelled cycles per byte

Every figure on this page is modelled on %s by tools/cyclemodel, none is
measured: each routine was run under QEMU, and the instructions that it executed
were played against models of cores. The models assume hits in the first level
cache and predicted branches. How far each is off stands below its tables, and
the published figures that show it at the end.

A kernel works in whole steps, so a call shorter than its step costs as much as
one step. Kernels were called directly, without selection. golang.org/x/crypto's
figures, and those of each library's chacha20poly1305 (ours: quarterround), are
of whole messages, with all that belongs to one.

`, day.Format(time.DateOnly))
	for _, arch := range []*trace.Arch{trace.ARM, trace.ARM64} {
		for _, n := range sizes {
			writeTable(w, rows, arch, n, o)
		}
		writeTrust(w, arch, o)
	}
	writeReferences(w, rows)
}

// columns are the CPUs of a table.
func columns(arch *trace.Arch, o options) []*cpuModel {
	var out []*cpuModel
	for i := range cpus {
		if cpus[i].arch == arch && o.cpu.MatchString(cpus[i].name) {
			out = append(out, &cpus[i])
		}
	}
	return out
}

func writeTable(w io.Writer, rows []row, arch *trace.Arch, n int, o options) {
	cols := columns(arch, o)
	if len(cols) == 0 {
		return
	}
	fmt.Fprintf(w, "## %s, %d bytes\n\n| %-34s |", archTitles[arch], n, "modelled cycles/byte")
	for _, c := range cols {
		fmt.Fprintf(w, " %11s |", c.name)
	}
	fmt.Fprintf(w, "\n|:%s|%s\n", strings.Repeat("-", 35), strings.Repeat(strings.Repeat("-", 12)+":|", len(cols)))
	for _, g := range groups {
		title := "**" + g + "**"
		for _, r := range rows {
			if r.arch != arch || r.group != g {
				continue
			}
			if title != "" {
				fmt.Fprintf(w, "| %-34s |%s\n", title, strings.Repeat("             |", len(cols)))
				title = ""
			}
			fmt.Fprintf(w, "| %-34s |", r.name)
			for _, f := range r.figures {
				fmt.Fprintf(w, " %11.2f |", f.perByte[n])
			}
			fmt.Fprintln(w)
		}
		if g == "ChaCha20-Poly1305" {
			writeSum(w, rows, arch, n, cols)
		}
	}
	fmt.Fprintln(w)
}

// writeSum writes the row of our best ChaCha20 kernel followed by our best
// Poly1305 kernel.
func writeSum(w io.Writer, rows []row, arch *trace.Arch, n int, cols []*cpuModel) {
	var sums []string
	for i := range cols {
		stream, okStream := best(rows, arch, "ChaCha20", n, i)
		mac, okMAC := best(rows, arch, "Poly1305", n, i)
		if !okStream || !okMAC {
			return
		}
		sums = append(sums, fmt.Sprintf(" %11.2f |", stream+mac))
	}
	fmt.Fprintf(w, "| %-34s |%s\n", "our best stream and MAC, summed", strings.Join(sums, ""))
}

// best returns the lowest figure of our kernels of a group in one column.
func best(rows []row, arch *trace.Arch, group string, n, column int) (lowest float64, ok bool) {
	for _, r := range rows {
		if r.arch != arch || r.group != group || !r.ours {
			continue
		}
		if x := r.figures[column].perByte[n]; !ok || x < lowest {
			lowest, ok = x, true
		}
	}
	return lowest, ok
}

func writeTrust(w io.Writer, arch *trace.Arch, o options) {
	if len(columns(arch, o)) == 0 {
		return
	}
	fmt.Fprintf(w, "Models of the %s tables, and how far they are off the published figures below:\n\n", archTitles[arch])
	for _, c := range columns(arch, o) {
		fmt.Fprintf(w, "- %s by %s: %s\n", c.name, c.model, c.trust)
	}
	fmt.Fprintln(w)
}
