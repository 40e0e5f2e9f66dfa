package measure

import (
	"math"
	"slices"
)

// estimate returns the trimmed mean of samples and its relative uncertainty.
// Disturbances make samples longer, hardly ever shorter, so more is trimmed from
// the long end: three eighths, rounded down but at least one, against one eighth.
// The minimum would be no estimate: it is whatever the luckiest moment was.
func estimate(samples []float64) (mean, spread float64) {
	sorted := slices.Sorted(slices.Values(samples))
	n := len(sorted)
	kept := sorted[n/8 : n-min(n-1, max(1, 3*n/8))]
	for _, x := range kept {
		mean += x
	}
	mean /= float64(len(kept))
	return mean, deviation(sorted) / mean / math.Sqrt(float64(n))
}

// deviation returns the median absolute deviation from the median, scaled to
// the standard deviation of normally distributed samples.
func deviation(sorted []float64) float64 {
	middle := median(sorted)
	distances := make([]float64, len(sorted))
	for i, x := range sorted {
		distances[i] = math.Abs(x - middle)
	}
	slices.Sort(distances)
	return 1.4826 * median(distances)
}

// median returns the median of sorted numbers.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
