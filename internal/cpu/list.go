package cpu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxCPUs bounds the CPU numbers that are believed.
const maxCPUs = 4096

// parseList reads a list of CPU numbers such as "0-3,6". What is not understood
// is left out.
func parseList(s string) []int {
	var list []int
	for part := range strings.SplitSeq(strings.TrimSpace(s), ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		if err != nil {
			continue
		}
		last := first
		if isRange {
			if last, err = strconv.Atoi(to); err != nil {
				continue
			}
		}
		for n := max(first, 0); n <= min(last, maxCPUs-1); n++ {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// formatList is the inverse of parseList for sorted lists.
func formatList(list []int) string {
	var b strings.Builder
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		if i == j {
			fmt.Fprint(&b, list[i])
		} else {
			fmt.Fprintf(&b, "%d-%d", list[i], list[j])
		}
		i = j + 1
	}
	return b.String()
}
