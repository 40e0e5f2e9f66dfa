package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/quarterround/quarterround/internal/board"
)

// newBars returns a chart without bars, one cluster for each report.
func (q *Query) newBars(columns []column, unit string) *Bars {
	b := &Bars{Unit: unit}
	long, published, spread := true, false, false
	var reports []*board.Report
	for _, c := range columns {
		b.Clusters = append(b.Clusters, c.label)
		reports = append(reports, c.report)
		published = published || c.report.Published
		for _, f := range c.figures {
			long, spread = long && f.point.Length == 0, spread || f.point.Spread > 0
		}
	}
	length := q.Length
	if long {
		length = 0
	}
	b.Title = fmt.Sprintf("%s, %s, %s", q.Algorithm, q.mode(reports), lengthName(length))
	b.Subtitle = remarks(published, spread)
	return b
}

// set enters the value of a series in a cluster.
func (b *Bars) set(name string, cluster int, v Value) {
	i := slices.IndexFunc(b.Series, func(s Series) bool { return s.Name == name })
	if i < 0 {
		i = len(b.Series)
		b.Series = append(b.Series, Series{Name: name, Values: slices.Repeat([]Value{missing}, len(b.Clusters))})
	}
	b.Series[i].Values[cluster] = v
}

// finish sorts the series from the slowest to the fastest with the reference
// before all, transposes if asked to, and numbers the looks.
func (b *Bars) finish(q Query, lowerIsFaster bool) {
	rank := map[string]float64{}
	for _, s := range b.Series {
		rank[s.Name] = b.meanShare(s)
		if lowerIsFaster {
			rank[s.Name] *= -1
		}
		if slices.ContainsFunc(q.Reference, func(name string) bool { return isOf(s.Name, name) }) {
			rank[s.Name] = math.Inf(-1)
		}
	}
	slices.SortStableFunc(b.Series, func(x, y Series) int {
		return cmp.Or(cmp.Compare(rank[x.Name], rank[y.Name]), cmp.Compare(x.Name, y.Name))
	})
	if q.ByBackend {
		b.transpose()
	}
	Restyle(b)
}

// meanShare returns the mean logarithm of the values of a series, each as a share
// of the greatest of its cluster.
func (b *Bars) meanShare(s Series) float64 {
	sum, n := 0.0, 0
	for i, v := range s.Values {
		if !v.known() {
			continue
		}
		most := 0.0
		for _, other := range b.Series {
			if other.Values[i].known() {
				most = max(most, other.Values[i].Y)
			}
		}
		sum, n = sum+math.Log(v.Y/most), n+1
	}
	return sum / float64(n)
}

// transpose makes clusters of series and the other way round.
func (b *Bars) transpose() {
	var clusters []string
	series := make([]Series, len(b.Clusters))
	for i, name := range b.Clusters {
		series[i].Name = name
		for _, s := range b.Series {
			series[i].Values = append(series[i].Values, s.Values[i])
		}
	}
	for _, s := range b.Series {
		clusters = append(clusters, s.Name)
	}
	b.Clusters, b.Series = clusters, series
}
