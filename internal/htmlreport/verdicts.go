package htmlreport

import (
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/internal/compare"
)

// A verdictsView is what comparing several boards says.
type verdictsView struct {
	Fastest                       table
	Nowhere, Disagreements, Notes []string
}

// verdicts compares the boards.
func verdicts(boards []compare.Board) *verdictsView {
	c := compare.New(boards, compare.Options{Reference: references})
	v := &verdictsView{Notes: c.Notes, Fastest: table{
		Summary: "Fastest, by algorithm, length and board",
		Caption: "Fastest, by algorithm, length and board",
		Columns: []string{"Algorithm", "Mode", "Messages", "Board", "Kernel", "Against the reference", "Next"},
	}}
	for _, f := range c.Fastest {
		v.Fastest.Rows = append(v.Fastest.Rows, row{f.Algorithm, []string{f.Mode, f.Class, f.Board, f.Kernel, factor(&f), next(&f)}})
	}
	for _, n := range c.Nowhere {
		v.Nowhere = append(v.Nowhere, fmt.Sprintf("%s wins nowhere: not on %s (%s messages)",
			n.Kernel, strings.Join(n.Boards, ", "), strings.Join(n.Classes, ", ")))
	}
	for _, d := range c.Disagreements {
		v.Disagreements = append(v.Disagreements, fmt.Sprintf("%s %s, %s messages: %s is faster on %s, %s on %s",
			d.Algorithm, d.Mode, d.Class, d.First, strings.Join(d.FirstOn, ", "), d.Second, strings.Join(d.SecondOn, ", ")))
	}
	return v
}

func factor(f *compare.Fastest) string {
	if f.Reference == "" {
		return ""
	}
	return fmt.Sprintf("%.2f x as fast as %s", f.Factor, f.Reference)
}

func next(f *compare.Fastest) string {
	var parts []string
	if f.Next != "" {
		parts = append(parts, fmt.Sprintf("%s, %.0f %% slower", f.Next, 100*f.Behind))
	}
	if len(f.WithinNoise) > 0 {
		parts = append(parts, "within noise: "+strings.Join(f.WithinNoise, ", "))
	}
	return strings.Join(parts, "; ")
}
