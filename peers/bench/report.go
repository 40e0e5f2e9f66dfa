package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/peers"
)

// A Report is the result of a run.
type Report struct {
	Machine  string   `json:"machine"`
	Override string   `json:"override,omitempty"`
	Peers    []string `json:"peers"`
	Rounds   int      `json:"rounds"`
	Cells    []Cell   `json:"cells"`
	Held     *Held    `json:"held,omitempty"`
}

// A Cell is one algorithm at one length.
type Cell struct {
	Algorithm string  `json:"algorithm"`
	Length    int     `json:"length"`
	Ratios    []Ratio `json:"ratios"`
}

// A Ratio is how many times faster Quarterround is than a library.
type Ratio struct {
	Library string  `json:"library"`
	Median  float64 `json:"median"`
	// Spread is half the distance between the quartiles.
	Spread float64 `json:"spread"`
}

func summarize(library string, ratios []float64) Ratio {
	slices.Sort(ratios)
	n := len(ratios)
	return Ratio{Library: library, Median: ratios[n/2], Spread: (ratios[n*3/4] - ratios[n/4]) / 2}
}

func newReport(libraries []*peers.Library, cells []Cell, rounds int) *Report {
	r := &Report{Machine: machine(), Override: os.Getenv("QUARTERROUND"), Rounds: rounds, Cells: cells}
	for _, l := range libraries[1:] {
		name := l.Name
		if l.Version != "" {
			name += " (" + l.Version + ")"
		}
		r.Peers = append(r.Peers, name)
	}
	return r
}

// machine names the CPU.
func machine() string {
	id := cpu.Read()
	name := fmt.Sprintf("%s (%s), %s/%s", strings.TrimSpace(id.Brand), id.Model, id.GOOS, id.GOARCH)
	if id.Hypervisor != "" {
		name += ", under " + id.Hypervisor
	}
	return name
}

// xCrypto is the library that has a column of its own.
var xCrypto = peers.XCrypto().Name

// heldLibraries are the libraries that can be held to a level.
var heldLibraries = []string{xCrypto, "OpenSSL"}

// best returns the ratio over the fastest of the C libraries.
func (c *Cell) best() (Ratio, bool) {
	var best Ratio
	found := false
	for _, r := range c.Ratios {
		if r.Library != xCrypto && (!found || r.Median < best.Median) {
			best, found = r, true
		}
	}
	return best, found
}

// of returns the ratio over a library as text.
func (c *Cell) of(library string) string {
	for _, r := range c.Ratios {
		if r.Library == library {
			return r.String()
		}
	}
	return "-"
}

func (r Ratio) String() string { return fmt.Sprintf("%.2f ± %.2f", r.Median, r.Spread) }

// print writes the table as Markdown.
func (r *Report) print(w io.Writer) {
	fmt.Fprintf(w, "%s; %d rounds", r.Machine, r.Rounds)
	if r.Override != "" {
		fmt.Fprintf(w, "; QUARTERROUND=%s", r.Override)
	}
	fmt.Fprint(w, "\n\n| algorithm | length | over the best peer | which | over x/crypto |")
	if r.Held != nil {
		for _, library := range heldLibraries {
			fmt.Fprintf(w, " both held to %s: over %s |", r.Held.Level, library)
		}
	}
	fmt.Fprint(w, "\n|---|---|---|---|---|")
	if r.Held != nil {
		fmt.Fprint(w, strings.Repeat("---|", len(heldLibraries)))
	}
	fmt.Fprintln(w)
	for i := range r.Cells {
		c := &r.Cells[i]
		name, ratio := "-", "-"
		if best, ok := c.best(); ok {
			name, ratio = best.Library, best.String()
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |", c.Algorithm, length(c.Length), ratio, name, c.of(xCrypto))
		if r.Held != nil {
			for _, library := range heldLibraries {
				fmt.Fprintf(w, " %s |", r.Held.Cells[i].of(library))
			}
		}
		fmt.Fprintln(w)
	}
	r.summary(w)
}

// summary says in how many cells Quarterround is ahead.
func (r *Report) summary(w io.Writer) {
	cells, ahead, far := 0, 0, 0
	for i := range r.Cells {
		best, ok := r.Cells[i].best()
		if !ok {
			continue
		}
		cells++
		if best.Median >= 1 {
			ahead++
		}
		if best.Median >= 1.15 {
			far++
		}
	}
	fmt.Fprintf(w, "\nAt least 1.00 in %d of %d cells, at least 1.15 in %d.\n", ahead, cells, far)
}

func length(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
