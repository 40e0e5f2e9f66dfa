package registry

import (
	"cmp"
	"slices"
)

// nearestFirst returns names ordered by edit distance to word, then by name.
func nearestFirst(word string, names []string) []string {
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	slices.SortStableFunc(sorted, func(a, b string) int {
		return cmp.Compare(editDistance(word, a), editDistance(word, b))
	})
	return sorted
}

// editDistance is the Levenshtein distance between a and b in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
