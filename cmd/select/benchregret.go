package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"
)

// A measuredRegret is the comparison for one algorithm and length.
type measuredRegret struct {
	Algorithm string `json:"algorithm"`
	Length    int    `json:"length"`
	// Regret is the time of the plan divided by that of the best choice, and Best
	// the name of that: 1 and "the plan" if nothing is faster.
	Regret float64 `json:"regret"`
	Best   string  `json:"best"`
	// Nanoseconds is the time of the plan.
	Nanoseconds float64 `json:"ns"`
}

// benchLengths returns forty lengths from 1 B to 1 MiB, evenly spaced by ratio.
func benchLengths() []int {
	const count = 40
	var all []int
	for i := range count {
		n := int(math.Round(math.Pow(1<<20, float64(i)/(count-1))))
		if len(all) > 0 && n <= all[len(all)-1] {
			n = all[len(all)-1] + 1
		}
		all = append(all, n)
	}
	return all
}

// benchRegret times, for forty lengths and every algorithm, the plan against each
// kernel alone and each pair of a wide and a narrow one.
func benchRegret(w io.Writer, progress func(float64), f *flags, algorithms []registry.Algorithm) error {
	sel, err := registry.Auto()
	if err != nil {
		return err
	}
	var all []measuredRegret
	sizes := benchLengths()
	for i, a := range algorithms {
		choices, err := choicesFor(sel, a)
		if err != nil {
			return err
		}
		for j, n := range sizes {
			r, err := regretAt(a, n, choices)
			if err != nil {
				return err
			}
			all = append(all, r)
			if progress != nil {
				progress(float64(i*len(sizes)+j+1) / float64(len(algorithms)*len(sizes)))
			}
		}
	}
	if f.json {
		return writeJSON(w, struct {
			Schema  int              `json:"schema"`
			Regrets []measuredRegret `json:"regrets"`
		}{schemaVersion, all})
	}
	printRegrets(w, all)
	return nil
}

// A choice is a way to run an algorithm.
type choice struct {
	name string
	sel  *registry.Selection
}

// choicesFor returns the plan first, then each kernel alone, then each pair of a
// wide and a narrow stream or MAC kernel. In a pair the generic kernel, which
// cannot be excluded, may take part as well.
func choicesFor(sel *registry.Selection, a registry.Algorithm) ([]choice, error) {
	choices := []choice{{"the plan", sel}}
	add := func(name, override string) error {
		other, err := underToo(sel, override)
		if err == nil {
			choices = append(choices, choice{name, other})
		}
		return err
	}
	var usable []registry.Candidate
	for _, c := range sel.Candidates(a) {
		if c.Cost != nil && c.State != registry.Excluded {
			usable = append(usable, c)
		}
	}
	for _, c := range usable {
		if err := add(c.Name(), a.String()+"="+c.Name()); err != nil {
			return nil, err
		}
	}
	for _, wide := range usable {
		for _, narrow := range usable {
			if a.IsAEAD() || wide.Kind != narrow.Kind || wide.Blocks <= narrow.Blocks {
				continue
			}
			if err := add(wide.Name()+" and "+narrow.Name(), excludingAllBut(usable, &wide, &narrow)); err != nil {
				return nil, err
			}
		}
	}
	return choices, nil
}

// excludingAllBut returns the override that leaves two kernels of their kind.
func excludingAllBut(usable []registry.Candidate, wide, narrow *registry.Candidate) string {
	var words []string
	for i := range usable {
		if name := usable[i].Name(); name != wide.Name() && name != narrow.Name() && usable[i].Backend != "generic" {
			words = append(words, "-"+name)
		}
	}
	return strings.Join(words, ",")
}

// regretAt times the choices for one length. Choices that run the same kernels
// are timed once. The plan is in no group, so that it is timed to the end.
func regretAt(a registry.Algorithm, n int, choices []choice) (measuredRegret, error) {
	var routines []measure.Candidate
	var names []string
	seen := map[string]bool{}
	for _, c := range choices {
		steps, _ := c.sel.Compose(a, n)
		if key := composition(steps, nil); len(routines) == 0 || !seen[key] {
			seen[key] = true
		} else {
			continue
		}
		run, err := runner(c.sel, a, n)
		if err != nil {
			return measuredRegret{}, err
		}
		routine := measure.Candidate{Steps: []int{1}, Width: 1, Run: run}
		if len(routines) > 0 {
			routine.Group = "others"
		}
		routines, names = append(routines, routine), append(names, c.name)
	}
	times, err := timeAll(routines, 25)
	if err != nil {
		return measuredRegret{}, err
	}
	best := 0
	for i, t := range times {
		if t < times[best] {
			best = i
		}
	}
	r := measuredRegret{Algorithm: a.String(), Length: n, Regret: 1, Best: names[0], Nanoseconds: times[0]}
	if best == 0 {
		return r, nil
	}
	// The fastest of dozens is as likely as not one that was lucky: it has to be faster
	// than the plan a second time.
	again := []measure.Candidate{routines[0], routines[best]}
	again[1].Group = ""
	if times, err = timeAll(again, 50); err != nil {
		return measuredRegret{}, err
	}
	r.Nanoseconds = times[0]
	if times[1] < times[0] {
		r.Regret, r.Best = times[0]/times[1], names[best]
	}
	return r, nil
}

// timeAll returns the nanoseconds of each routine, infinity for one that was given up
// as slower than others of its group.
func timeAll(routines []measure.Candidate, rounds int) ([]float64, error) {
	results, err := measure.Run(routines, measure.Options{
		Clock: measure.Now, Collections: measure.Collections, Deadline: measure.Now() + time.Minute, Rounds: rounds,
	})
	if err != nil {
		return nil, err
	}
	times := make([]float64, len(results))
	for i, result := range results {
		times[i] = math.Inf(1)
		if result != nil {
			times[i] = result[0].Nanoseconds
		}
	}
	return times, nil
}

// runner returns a function that processes one message of n bytes.
func runner(sel *registry.Selection, a registry.Algorithm, n int) (func(int), error) {
	library := quarterround.New(sel)
	key, buffer := make([]byte, 32), make([]byte, n, n+64)
	switch {
	case a.IsAEAD():
		aead, err := library.AEAD(a, key)
		if err != nil {
			return nil, err
		}
		nonce, sealed := make([]byte, aead.NonceSize()), make([]byte, 0, n+64)
		return func(int) { aead.Seal(sealed, nonce, buffer, nil) }, nil
	case a.IsMAC():
		source := sel.Source(a)
		return func(int) { cipher.Sum(source, buffer, (*[32]byte)(key)) }, nil
	}
	// Not in place: each message would have to wait for the one before.
	source, out := sel.Source(a), make([]byte, n)
	var state [16]uint32
	return func(int) { source.Plan().For(n).XOR(out, buffer, &state) }, nil
}

// printRegrets prints a line for each algorithm and the worst cases.
func printRegrets(w io.Writer, all []measuredRegret) {
	t := newTable(w)
	t.AppendHeader(table.Row{"algorithm", "median", "worst", "at", "where this is faster"})
	t.SetColumnConfigs([]table.ColumnConfig{wrapped("where this is faster", 34)})
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(r measuredRegret) bool { return r.Algorithm != all[0].Algorithm })
		if n < 0 {
			n = len(all)
		}
		sorted := slices.SortedFunc(slices.Values(all[:n]), func(x, y measuredRegret) int { return cmp.Compare(x.Regret, y.Regret) })
		worst := sorted[n-1]
		t.AppendRow(table.Row{worst.Algorithm, fmt.Sprintf("%.3f", sorted[n/2].Regret), fmt.Sprintf("%.3f", worst.Regret), formatLength(worst.Length), worst.Best})
		all = all[n:]
	}
	t.Render()
}
