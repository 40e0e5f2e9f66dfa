package measure

import "math"

// A Fit is a line through points: a call of n steps takes Fixed + n*PerStep
// nanoseconds.
type Fit struct {
	Fixed, PerStep float64
	// Spread is the largest relative uncertainty of the points, and Residual the
	// largest relative distance of a point from the line.
	Spread, Residual float64
	// Samples is the least number of batches that a point rests on.
	Samples int
}

// At returns the time of n steps.
func (f *Fit) At(n int) float64 { return f.Fixed + float64(n)*f.PerStep }

// FitLine returns the line with the least sum of absolute relative distances
// from the points, among those with neither a negative fixed part nor a negative
// slope. Such a line passes through two of the points, or through one and the
// origin, or level through one, so that trying all of these is exact. Distances
// are relative because a short call matters as much as a long one.
func FitLine(points []Point) Fit {
	best, least := Fit{}, math.Inf(1)
	try := func(fixed, perStep float64) {
		if fixed < 0 || perStep < 0 {
			return
		}
		f := Fit{Fixed: fixed, PerStep: perStep}
		if sum := f.judge(points); sum < least {
			best, least = f, sum
		}
	}
	for i, p := range points {
		try(0, p.Nanoseconds/float64(p.Steps))
		try(p.Nanoseconds, 0)
		for _, q := range points[:i] {
			if p.Steps != q.Steps {
				slope := (p.Nanoseconds - q.Nanoseconds) / float64(p.Steps-q.Steps)
				try(p.Nanoseconds-slope*float64(p.Steps), slope)
			}
		}
	}
	return best
}

// judge returns the sum of relative distances and sets what describes the
// quality of the fit.
func (f *Fit) judge(points []Point) float64 {
	sum := 0.0
	for i, p := range points {
		distance := math.Abs(f.At(p.Steps)/p.Nanoseconds - 1)
		sum += distance
		f.Residual = max(f.Residual, distance)
		f.Spread = max(f.Spread, p.Spread)
		if i == 0 || p.Samples < f.Samples {
			f.Samples = p.Samples
		}
	}
	return sum
}
