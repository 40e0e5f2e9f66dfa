package dataflow

import (
	"slices"
	"testing"
)

func TestEdges(t *testing.T) {
	// 0 writes a; 1 reads a, writes b; 2 reads a, writes a; 3 reads b.
	reads := [][]string{nil, {"a"}, {"a"}, {"b"}}
	writes := [][]string{{"a"}, {"b"}, {"a"}, nil}
	delay := func(i, _ int, _ string) int { return 10 + i }
	got := Edges(reads, writes, delay, false)
	want := []Edge{{0, 1, 10}, {0, 2, 10}, {0, 2, 1}, {1, 2, 0}, {1, 3, 11}}
	if !slices.Equal(got, want) {
		t.Errorf("edges %v, want %v", got, want)
	}
	if got, want := Heights(got, []int{1, 2, 3, 4}), []int{25, 15, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("heights %v, want %v", got, want)
	}
	// In a loop, 2 of one turn comes before 0 of the next, and 3 before 1.
	got = Edges(reads, writes, delay, true)
	for _, e := range []Edge{{2, 4, 1}, {3, 5, 0}, {1, 5, 1}, {4, 5, 10}} {
		if !slices.Contains(got, e) {
			t.Errorf("no edge %v in %v", e, got)
		}
	}
}
