// Package dataflow finds what must come before what in a block of instructions, for the
// generators' list schedulers.
package dataflow

import "slices"

// An Edge says that the instruction To may not issue before Delay cycles after From.
type Edge struct {
	From, To, Delay int
}

// Edges returns the edges between the instructions of a block, in order of From.
// Instruction i reads and writes the given resources, and delay tells after how many
// cycles its result in one of them can be used by instruction j. With loop the block is followed by
// itself: instruction n+i, n being their number, is i of the next turn.
func Edges[R comparable](reads, writes [][]R, delay func(i, j int, r R) int, loop bool) []Edge {
	n := len(reads)
	total := n
	if loop {
		total = 2 * n
	}
	var edges []Edge
	writer := map[R]int{}
	readers := map[R][]int{}
	for i := range total {
		for _, r := range reads[i%n] {
			if w, ok := writer[r]; ok {
				edges = append(edges, Edge{w, i, delay(w%n, i%n, r)})
			}
		}
		for _, r := range writes[i%n] {
			for _, rd := range readers[r] {
				if rd != i {
					edges = append(edges, Edge{rd, i, 0})
				}
			}
			if w, ok := writer[r]; ok {
				edges = append(edges, Edge{w, i, 1})
			}
		}
		for _, r := range reads[i%n] {
			readers[r] = append(readers[r], i)
		}
		for _, r := range writes[i%n] {
			writer[r] = i
			readers[r] = nil
		}
	}
	slices.SortStableFunc(edges, func(x, y Edge) int { return x.From - y.From })
	return edges
}

// Heights returns for each instruction the cycles from its issue along the longest path
// of edges, and at its end those that the last one's result takes. Edges are in order of
// From.
func Heights(edges []Edge, results []int) []int {
	h := slices.Clone(results)
	for i := len(edges) - 1; i >= 0; i-- {
		e := edges[i]
		h[e.From] = max(h[e.From], h[e.To]+e.Delay)
	}
	return h
}
