package chart

import (
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
)

// shortenNames calls a kernel that is all of its backend by the backend's name,
// so that generic/chacha and generic/poly1305 look alike.
func shortenNames(columns []column) {
	kernels := map[string]map[string]bool{} // of backends, in all columns
	for _, c := range columns {
		for _, f := range c.figures {
			if f.point.Kind != board.Backend {
				continue
			}
			backend, _, _ := strings.Cut(f.name, "/")
			if kernels[backend] == nil {
				kernels[backend] = map[string]bool{}
			}
			kernels[backend][f.name] = true
		}
	}
	for _, c := range columns {
		for i := range c.figures {
			f := &c.figures[i]
			if backend, _, _ := strings.Cut(f.name, "/"); f.point.Kind == board.Backend && len(kernels[backend]) == 1 {
				f.name = backend
			}
		}
	}
}

// is reports whether the figure is of that candidate, backend or technique.
func (f *figure) is(name string) bool { return name == f.point.Candidate || isOf(f.name, name) }

// boardLabels returns a label for each report that says what must not be mixed up.
func boardLabels(reports []*board.Report) []string {
	mixed := slices.ContainsFunc(reports, func(r *board.Report) bool { return r.Published != reports[0].Published })
	var labels []string
	for _, r := range reports {
		label := r.Board
		if r.Published && mixed {
			label += ", published"
		}
		if e := r.Host.CPU.Emulator; e != "" {
			label += ", emulated by " + e
		}
		labels = append(labels, label)
	}
	return labels
}

// likePrefix is before the technique of published figures beside measured ones.
const likePrefix = "like "

// nameSeries names published figures by their technique, so that the same idea
// has the same look on every board, but not the look of what was measured. Where a
// board has several figures of one technique, the implementation tells them apart,
// on every board.
func nameSeries(columns []column) {
	prefix := ""
	if slices.ContainsFunc(columns, func(c column) bool { return !c.report.Published }) {
		prefix = likePrefix
	}
	ambiguous := map[string]bool{}
	for _, c := range columns {
		seen := map[string]bool{}
		for _, f := range c.figures {
			if t := f.point.Technique; t != "" {
				ambiguous[t] = ambiguous[t] || seen[t]
				seen[t] = true
			}
		}
	}
	for _, c := range columns {
		for i := range c.figures {
			f := &c.figures[i]
			switch t := f.point.Technique; {
			case t == "":
			case ambiguous[t]:
				f.name = prefix + t + ": " + f.point.Candidate
			default:
				f.name = prefix + t
			}
		}
	}
}

// isOf reports whether a series has that name, or is of that backend or technique;
// of a stream and a MAC kernel both must be of the backend.
func isOf(series, name string) bool {
	technique, _, _ := strings.Cut(strings.TrimPrefix(series, likePrefix), ": ")
	if name == series || name == technique {
		return true
	}
	for part := range strings.SplitSeq(technique, "+") {
		if backend, _, _ := strings.Cut(part, "/"); backend != name {
			return false
		}
	}
	return true
}
