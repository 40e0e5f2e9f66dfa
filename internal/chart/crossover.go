package chart

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// noise is by what fraction a candidate must lead to count as faster, unless
// three times the spread is more.
const noise = 0.03

// crossovers returns where the lead changes among curves of speed, in ascending
// order. A lead within noise changes nothing.
func crossovers(lines []Line) []Crossover {
	at := pointsByLength(lines)
	var found []Crossover
	leader := -1
	lengths := slices.Sorted(maps.Keys(at))
	for _, x := range lengths {
		best := fastest(at[x])
		if leader < 0 {
			leader = best
			continue
		}
		old, ok := at[x][leader]
		if !ok || best == leader || !ahead(at[x][best], old) {
			continue
		}
		c := Crossover{From: lines[leader].Name, To: lines[best].Name}
		c.X, c.Y = crossing(lines[leader], lines[best], x)
		found = append(found, c)
		leader = best
	}
	return found
}

// pointsByLength returns, for each length, the point of each line that has one.
func pointsByLength(lines []Line) map[int]map[int]Point {
	at := map[int]map[int]Point{}
	for i, line := range lines {
		for _, p := range line.Points {
			if at[p.X] == nil {
				at[p.X] = map[int]Point{}
			}
			at[p.X][i] = p
		}
	}
	return at
}

// fastest returns the line with the highest point.
func fastest(points map[int]Point) int {
	lines := slices.Sorted(maps.Keys(points))
	return slices.MaxFunc(lines, func(a, b int) int { return cmp.Compare(points[a].Y, points[b].Y) })
}

// ahead reports whether a is faster than b by more than noise.
func ahead(a, b Point) bool {
	return a.Y > b.Y*(1+max(a.Noise, b.Noise))
}

// crossing returns where the curve of to last rises above that of from at or
// before length x, on straight lines over the logarithm of the length.
func crossing(from, to Line, x int) (float64, float64) {
	lead := map[int]float64{} // of to over from
	for _, p := range to.Points {
		for _, q := range from.Points {
			if q.X == p.X && p.X <= x {
				lead[p.X] = p.Y - q.Y
			}
		}
	}
	lengths := slices.Sorted(maps.Keys(lead))
	for i := len(lengths) - 1; i > 0; i-- {
		a, b := lengths[i-1], lengths[i]
		if lead[a] > 0 {
			continue
		}
		t := -lead[a] / (lead[b] - lead[a])
		return math.Exp(math.Log(float64(a))*(1-t) + math.Log(float64(b))*t), height(to, a)*(1-t) + height(to, b)*t
	}
	return float64(lengths[0]), height(to, lengths[0])
}

// height returns the value of a line at a length it has.
func height(l Line, x int) float64 {
	return l.Points[slices.IndexFunc(l.Points, func(p Point) bool { return p.X == x })].Y
}
