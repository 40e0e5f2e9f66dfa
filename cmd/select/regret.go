package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/quarterround/quarterround/registry"
)

// A rival is another way to choose, and how much slower it is than the plan at
// each of the lengths, as a factor.
type rival struct {
	Algorithm string `json:"algorithm"`
	// Choice is "widest" for the backend that needs the most CPU features, or the
	// name of a backend that does everything it can alone.
	Choice  string    `json:"choice"`
	Backend string    `json:"backend"`
	Factors []float64 `json:"factors"`
}

// showRegret prints how much slower, by the known costs, other ways to choose
// would be.
func showRegret(w io.Writer, f *flags) error {
	sel, err := registry.Auto()
	if err != nil {
		return err
	}
	var rivals []rival
	for _, a := range registry.Algorithms() {
		more, err := rivalsOf(sel, a)
		if err != nil {
			return err
		}
		rivals = append(rivals, more...)
	}
	if f.json {
		return writeJSON(w, struct {
			Schema  int     `json:"schema"`
			Lengths []int   `json:"lengths"`
			Rivals  []rival `json:"rivals"`
		}{schemaVersion, lengths, rivals})
	}
	t := newTable(w)
	header := table.Row{"algorithm", "time / time of the plan"}
	for _, n := range lengths {
		header = append(header, formatLength(n))
	}
	t.AppendHeader(header)
	last := ""
	for _, r := range rivals {
		name, choice := r.Algorithm, r.Backend+" alone"
		if name == last {
			name = ""
		}
		if r.Choice == "widest" {
			choice = "widest: " + r.Backend
		}
		last = r.Algorithm
		row := table.Row{name, choice}
		for _, factor := range r.Factors {
			row = append(row, fmt.Sprintf("%.2f", factor))
		}
		t.AppendRow(row)
	}
	t.Render()
	return nil
}

// underToo returns what would be selected under an override beside that of the
// environment.
func underToo(sel *registry.Selection, override string) (*registry.Selection, error) {
	return sel.Under(strings.Trim(os.Getenv(registry.EnvironmentVariable)+","+override, ","))
}

// rivalsOf returns the rivals for one algorithm, the widest features first.
func rivalsOf(sel *registry.Selection, a registry.Algorithm) ([]rival, error) {
	var rivals []rival
	widest, most := "", -1
	for _, b := range registry.Backends() {
		features := featuresUsed(sel, a, b)
		if features < 0 {
			continue
		}
		r := rival{Algorithm: a.String(), Choice: b.Name, Backend: b.Name}
		alone, err := underToo(sel, a.String()+"="+b.Name)
		if err != nil {
			return nil, err
		}
		for _, n := range lengths {
			_, plan := sel.Compose(a, n)
			_, cost := alone.Compose(a, n)
			r.Factors = append(r.Factors, cost/plan)
		}
		rivals = append(rivals, r)
		if features > most {
			widest, most = b.Name, features
		}
	}
	for _, r := range rivals {
		if r.Backend == widest {
			r.Choice = "widest"
			return append([]rival{r}, rivals...), nil
		}
	}
	return rivals, nil
}

// featuresUsed returns how many CPU features the most demanding kernel of b for
// algorithm a needs, -1 if none of them can run here.
func featuresUsed(sel *registry.Selection, a registry.Algorithm, b *registry.Backend) int {
	most := -1
	for _, c := range sel.Candidates(a) {
		if c.Backend != b.Name || c.Cost == nil {
			continue
		}
		for i := range b.Kernels {
			if b.Kernels[i].Name == c.Kernel {
				most = max(most, len(b.Kernels[i].Features))
			}
		}
	}
	return most
}
