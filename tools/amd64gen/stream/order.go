package main

import (
	"cmp"
	"slices"
)

// A starts table says when each quarter round of a double round begins, counted in
// steps of a quarter round: first those of the odd round, group by group, then those
// of the even round.
//
// A processor looks for work among a limited number of instructions that wait for
// their operands, about a hundred in Zen 5. Of instructions in an order in which few
// have to wait it finds more, but that takes many quarter rounds side by side, whose
// words do not fit the registers. What is best between the two is not obvious: the
// tables were found by hill climbing, from quarter rounds evenly spaced, over the
// cycles measured on Zen 5.
type starts []int

// A shape is what a kernel has side by side: groups of lanes and sets of rows.
type shape struct{ groups, sets int }

// lanesStarts holds the tables by cipher and shape, where 16 registers hold less than
// the state.
var lanesStarts = map[*cipher]map[shape]starts{
	&chacha: {
		{2, 0}: {
			-1, 1, -6, 2, -1, 3, 4, 4,
			6, 6, 10, 7, -2, 8, 4, 10,
		},
		{2, 2}: {
			16, -26, 11, 2, 7, 11, 12, -37, 19, 17,
			-16, 23, -33, -7, 24, 24, 2, -38, -15, 11,
		},
		{2, 3}: {
			10, 14, 13, 15, -8, 6, 2, 7, 9, 1, -2,
			-2, 23, -11, 1, -64, 22, -38, -46, -20, 23, 19,
		},
		{3, 0}: {
			1, 4, 7, 13, 10, 16, 19, 24, 27, 30, 31, 36,
			38, 42, 45, 48, 54, 51, 57, 60, 63, 66, 71, 72,
		},
	},
	&salsa: {
		{2, 0}: {
			-1, -1, 1, 3, 1, 3, 5, 4,
			11, 10, 10, 12, 11, 11, 9, 15,
		},
		{3, 0}: {
			4, -6, 5, 8, 0, 4, 6, 20, 5, 9, 4, 16,
			20, 16, 9, 27, 24, 24, 24, 30, 26, 24, 26, 36,
		},
	},
}

// doubleRoundFrom returns one double round of all groups of lanes and, behind these in
// the table as in the numbers of variables, of sets of rows, in which quarter rounds
// begin as the table says, or as soon after that as what they read is there.
func (c *cipher) doubleRoundFrom(w *writer, groups, sets int, table starts) []operation {
	var body []operation
	var time []float64
	add := func(steps [][]operation) {
		start := table[0]
		table = table[1:]
		for step, operations := range steps {
			for i, op := range operations {
				body = append(body, op)
				time = append(time, float64(start+step)+float64(i)/8)
			}
		}
	}
	for n, round := range c.rounds {
		for group := range groups {
			for _, quarter := range round {
				add(c.steps(w, group, [][4]int{quarter}))
			}
		}
		for set := range sets {
			v := variable(16*groups + 4*set)
			add(c.rowRound(w, [4]variable{v, v + 1, v + 2, v + 3}, n))
		}
	}
	return inOrderOf(body, time)
}

// inOrderOf sorts a body by time, as far as what depends on what allows.
func inOrderOf(body []operation, time []float64) []operation {
	missing, followers := dependences(body)
	var ready []int
	for i, n := range missing {
		if n == 0 {
			ready = append(ready, i)
		}
	}
	var sorted []operation
	for len(ready) > 0 {
		first := slices.MinFunc(ready, func(i, j int) int {
			return cmp.Or(cmp.Compare(time[i], time[j]), cmp.Compare(i, j))
		})
		ready = slices.DeleteFunc(ready, func(i int) bool { return i == first })
		sorted = append(sorted, body[first])
		for _, i := range followers[first] {
			if missing[i]--; missing[i] == 0 {
				ready = append(ready, i)
			}
		}
	}
	return sorted
}

// dependences returns how many operations each one has to follow, and which ones
// have to follow it, because one of the two writes what the other reads or writes.
func dependences(body []operation) (missing []int, followers [][]int) {
	missing, followers = make([]int, len(body)), make([][]int, len(body))
	writer, readers := map[variable]int{}, map[variable][]int{}
	for i, op := range body {
		before := map[int]bool{}
		for _, v := range op.variables() {
			if j, ok := writer[v]; ok {
				before[j] = true
			}
		}
		for _, j := range readers[op.dst] {
			before[j] = true
		}
		for j := range before {
			missing[i]++
			followers[j] = append(followers[j], i)
		}
		for _, v := range op.variables()[1:] {
			readers[v] = append(readers[v], i)
		}
		writer[op.dst], readers[op.dst] = i, nil
	}
	return missing, followers
}
