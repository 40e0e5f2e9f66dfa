package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/quarterround/quarterround/internal/bench"
	"github.com/quarterround/quarterround/internal/board"
)

// writeBench writes the figures in the form that was asked for, and the report.
func writeBench(w, stderr io.Writer, b *benchFlags, run *bench.Bench, r *board.Report) error {
	var saved error
	if b.report != "" {
		saved = board.Save(b.report, r)
	}
	if len(r.Points) == 0 {
		return errors.Join(saved, errors.New("nothing was measured in full; give it more time (--budget) or less to do"))
	}
	var err error
	switch {
	case b.json:
		err = writeJSON(w, r)
	case b.csv:
		err = writeCSV(w, r)
	case b.goBench:
		err = writeGoBench(w, run, r)
	default:
		printBench(w, r, b.all)
		return saved
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", warning)
	}
	return errors.Join(saved, err)
}

// columnFormat lays out the figures: Mbyte/s, cycles/byte, cycles/block, spread, and
// the ratio to the best peer.
const columnFormat = " %8s %11s %12s %7s%s\n"

// printBench prints the figures of the plan, or of every candidate.
func printBench(w io.Writer, r *board.Report, all bool) {
	fmt.Fprintln(w, r.Board)
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	switch {
	case r.Host.ClockHz > 0:
		fmt.Fprintf(w, "cycles at %.4g GHz, by %s\n", r.Host.ClockHz/1e9, r.Host.ClockSource)
	default:
		fmt.Fprintln(w, "the clock is not known, so there are no cycles; -f HZ gives it")
	}
	fmt.Fprintln(w)
	if all {
		printCandidates(w, r)
	} else {
		printPlans(w, r)
	}
	printPerCall(w, r)
	printPeers(w, r)
}

// A cellOf is the points of one algorithm, mode and length.
type cellOf struct {
	board.Point // the first one
	points      []board.Point
}

// cellsOf returns the cells of sorted points.
func cellsOf(points []board.Point) []cellOf {
	var cells []cellOf
	for len(points) > 0 {
		p := points[0]
		n := slices.IndexFunc(points, func(o board.Point) bool {
			return o.Algorithm != p.Algorithm || o.Mode != p.Mode || o.Length != p.Length
		})
		if n < 0 {
			n = len(points)
		}
		cells = append(cells, cellOf{p, points[:n]})
		points = points[n:]
	}
	return cells
}

// best returns the fastest point of some kinds, nil if there is none.
func (c *cellOf) best(kinds ...string) *board.Point {
	var best *board.Point
	for i := range c.points {
		p := &c.points[i]
		if slices.Contains(kinds, p.Kind) && (best == nil || p.Nanoseconds < best.Nanoseconds) {
			best = p
		}
	}
	return best
}

// peerRatio returns how many times faster the best of ours is than the best peer.
func (c *cellOf) peerRatio() (ratio float64, ours, peer *board.Point) {
	ours, peer = c.best(board.Plan, board.Backend), c.best(board.Peer)
	if ours == nil || peer == nil {
		return 0, ours, peer
	}
	return peer.Nanoseconds / ours.Nanoseconds, ours, peer
}

// printPlans prints a line for each cell with the figures of the plan.
func printPlans(w io.Writer, r *board.Report) {
	peers := hasPeers(r)
	fmt.Fprintf(w, "%-17s %-7s %7s"+columnFormat, "Algorithm", "mode", "length", "Mbyte/s", "cycles/byte", "cycles/block", "spread", peerHeader(peers))
	for _, c := range cellsOf(r.Points) {
		i := slices.IndexFunc(c.points, func(p board.Point) bool { return p.Candidate == bench.Auto })
		if i < 0 || c.Length == 0 {
			continue
		}
		fmt.Fprintf(w, "%-17s %-7s %7s%s", c.Algorithm, c.Mode, formatLength(c.Length), pointColumns(&c.points[i], peerColumn(&c, peers)))
	}
}

// printCandidates prints a line for each point, with a heading for each cell.
func printCandidates(w io.Writer, r *board.Report) {
	peers := hasPeers(r)
	for i, c := range cellsOf(r.Points) {
		if c.Length == 0 {
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		heading := fmt.Sprintf("%s %s, %s", c.Algorithm, c.Mode, formatLength(c.Length))
		fmt.Fprintf(w, "%-33s"+columnFormat, heading, "Mbyte/s", "cycles/byte", "cycles/block", "spread", peerHeader(peers))
		best := c.best(board.Kinds...)
		for i := range c.points {
			p, mark := &c.points[i], "  "
			if p == best {
				mark = "* "
			}
			ratio := ""
			if ours := c.best(board.Plan, board.Backend); ours != nil && p.Kind == board.Peer {
				ratio = fmt.Sprintf(" %4s", significant(p.Nanoseconds/ours.Nanoseconds))
			}
			fmt.Fprintf(w, "%s%-31s%s", mark, p.Candidate, pointColumns(p, ratio))
		}
	}
	if len(r.Points) > 0 {
		fmt.Fprintln(w, "\n* is the fastest")
	}
}

// pointColumns formats the figures of a point.
func pointColumns(p *board.Point, ratio string) string {
	n := float64(p.Length)
	return fmt.Sprintf(columnFormat, fmt.Sprintf("%.2f", n/p.Nanoseconds*1e3), cycles(p.Cycles/n), cycles(p.Cycles/n*64),
		fmt.Sprintf("%.1f %%", 100*p.Spread), ratio)
}

// cycles formats a number of cycles as nettle-benchmark does, "-" if unknown.
func cycles(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

func hasPeers(r *board.Report) bool {
	return slices.ContainsFunc(r.Points, func(p board.Point) bool { return p.Kind == board.Peer })
}

func peerHeader(peers bool) string {
	if peers {
		return " peer"
	}
	return ""
}

func peerColumn(c *cellOf, peers bool) string {
	if !peers {
		return ""
	}
	ratio, _, _ := c.peerRatio()
	return fmt.Sprintf(" %4s", significant(ratio))
}

// printPerCall prints what does not depend on a length.
func printPerCall(w io.Writer, r *board.Report) {
	first := true
	for _, p := range r.Points {
		if p.Mode != board.SetUp && (p.Mode != board.Call || p.Candidate != bench.Auto) {
			continue
		}
		if first {
			fmt.Fprintf(w, "\n%-17s %-8s %-28s %9s %9s\n", "Algorithm", "per call", "of", "ns", "cycles")
			first = false
		}
		fmt.Fprintf(w, "%-17s %-8s %-28s %9s %9s\n", p.Algorithm, p.Mode, p.Candidate, significant(p.Nanoseconds), significant(p.Cycles))
	}
}

// printPeers says what the column is, and how ours did over all.
func printPeers(w io.Writer, r *board.Report) {
	cells, ahead := 0, 0
	wins := map[string]int{}
	for _, c := range cellsOf(r.Points) {
		ratio, _, peer := c.peerRatio()
		if ratio == 0 || c.Length == 0 {
			continue
		}
		cells++
		wins[peer.Candidate]++
		if ratio >= 1 {
			ahead++
		}
	}
	if cells == 0 {
		return
	}
	var parts []string
	for _, name := range sortedKeys(wins) {
		parts = append(parts, fmt.Sprintf("%s in %d", name, wins[name]))
	}
	fmt.Fprintf(w, "\npeer: time of the best peer / time of the best of ours. Ours is ahead in %d of\n%d cells. The best peer was %s.\n", ahead, cells, strings.Join(parts, ", "))
}

// writeCSV writes a line for each point, with units in the header.
func writeCSV(w io.Writer, r *board.Report) error {
	c := csv.NewWriter(w)
	c.Write([]string{"algorithm", "mode", "length (bytes)", "candidate", "kind", "time (ns)", "spread (%)", "spread of ratio (%)",
		"rounds", "speed (Mbyte/s)", "cycles/byte", "cycles/block (64 bytes)", "cycles/call", "clock (Hz)", "time of best peer / time"})
	for _, cell := range cellsOf(r.Points) {
		writeCSVCell(c, &cell, r.Host.ClockHz)
	}
	c.Flush()
	return c.Error()
}

// writeCSVCell writes the lines of a cell. Errors show when the writer is flushed.
func writeCSVCell(c *csv.Writer, cell *cellOf, clockHz float64) {
	peer := cell.best(board.Peer)
	for _, p := range cell.points {
		row := []string{p.Algorithm, p.Mode, strconv.Itoa(p.Length), p.Candidate, p.Kind, number(p.Nanoseconds),
			number(100 * p.Spread), number(100 * p.RatioSpread), strconv.Itoa(p.Rounds), "", "", "", "", "", ""}
		n := float64(p.Length)
		if n > 0 {
			row[9] = number(n / p.Nanoseconds * 1e3)
		}
		if p.Cycles > 0 {
			row[12], row[13] = number(p.Cycles), number(clockHz)
			if n > 0 {
				row[10], row[11] = number(p.Cycles/n), number(p.Cycles/n*64)
			}
		}
		if peer != nil {
			row[14] = number(peer.Nanoseconds / p.Nanoseconds)
		}
		c.Write(row)
	}
}

// number formats with six digits that matter.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// writeGoBench writes Go's benchmark format, a line for each round, so that
// benchstat sees how the figures vary.
func writeGoBench(w io.Writer, run *bench.Bench, r *board.Report) error {
	id := &r.Host.CPU
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: github.com/quarterround/quarterround\ncpu: %s\n", id.GOOS, id.GOARCH, r.Board)
	if id.Emulator != "" {
		fmt.Fprintf(w, "emulator: %s\n", id.Emulator)
	}
	var err error
	for s := range run.Samples {
		line := fmt.Sprintf("Benchmark/alg=%s/mode=%s/len=%d/by=%s-1 1 %.4g ns/op", s.Algorithm, s.Mode, s.Length, goBenchName(s.Candidate), s.Nanoseconds)
		if s.Length > 0 {
			line += fmt.Sprintf(" %.4g MB/s", float64(s.Length)/s.Nanoseconds*1e3)
		}
		if _, err = fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// goBenchName takes out of a name what means something there.
func goBenchName(name string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case '/':
			return '.'
		case ' ', '=':
			return '_'
		}
		return c
	}, name)
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
