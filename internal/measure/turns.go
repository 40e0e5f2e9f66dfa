package measure

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"
)

// A Timer makes some calls of a routine, one after the other, and returns how long
// they took. It brings its own clock, so that a routine may be in another process.
type Timer func(calls int) (time.Duration, error)

// Timer returns the timer of a routine by this clock.
func (c Clock) Timer(run func()) Timer {
	return func(calls int) (time.Duration, error) {
		start := c()
		for range calls {
			run()
		}
		return c() - start, nil
	}
}

// TurnOptions say how to take samples.
type TurnOptions struct {
	// Rounds is how many samples to take of each routine.
	Rounds int
	// Stop, if not nil, is asked before each sample. If it says true, the round is
	// given up.
	Stop func() bool
	// First is the number of the first round: rounds that go on from earlier ones
	// begin with another routine.
	First int
}

func (o *TurnOptions) stopped() bool { return o.Stop != nil && o.Stop() }

// A TimerError says which timer failed.
type TimerError struct {
	Index int
	Err   error
}

func (e *TimerError) Error() string { return fmt.Sprintf("timer %d: %v", e.Index, e.Err) }
func (e *TimerError) Unwrap() error { return e.Err }

// Batches returns for each timer how many calls last about as long as a batch; one,
// if a call is longer. The error is a [*TimerError].
func Batches(timers []Timer, batch time.Duration) ([]int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	calls := make([]int, len(timers))
	for i, t := range timers {
		var err error
		if calls[i], err = callsFor(t, batch); err != nil {
			return nil, &TimerError{i, err}
		}
	}
	return calls, nil
}

// Turns takes samples of routines in turn, with each round in an order of its own,
// and returns the nanoseconds of a call by routine and round. A sample is of so many
// calls as Batches says. All routines have the same number of samples, fewer than
// asked for only if it was stopped. A call that is not counted comes before each
// sample. It locks the goroutine to its thread meanwhile. The error is a
// [*TimerError].
func Turns(timers []Timer, calls []int, o TurnOptions) ([][]float64, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	samples := make([][]float64, len(timers))
	round := make([]float64, len(timers))
	for r := range o.Rounds {
		for j := range timers {
			if o.stopped() {
				return samples, nil
			}
			i := (j + r + o.First) % len(timers)
			elapsed, err := warm(timers[i], calls[i])
			if err != nil {
				return samples, &TimerError{i, err}
			}
			round[i] = float64(elapsed) / float64(calls[i])
		}
		for i, x := range round {
			samples[i] = append(samples[i], x)
		}
	}
	return samples, nil
}

// warm makes a call, and then a sample of some calls.
func warm(t Timer, calls int) (time.Duration, error) {
	if _, err := t(1); err != nil {
		return 0, err
	}
	return t(calls)
}

// callsFor returns how many calls last about as long as a batch, by tries that
// grow until one is long enough to tell. The first call warms up the routine.
func callsFor(t Timer, batch time.Duration) (int, error) {
	if _, err := t(1); err != nil {
		return 0, err
	}
	for calls := 1; ; calls *= 4 {
		elapsed, err := longEnough(t, calls, batch/8)
		if err != nil {
			return 0, err
		}
		if elapsed >= batch/8 || calls >= maxCalls {
			return max(1, min(maxCalls, int(float64(calls)*float64(batch)/float64(max(1, elapsed))))), nil
		}
	}
}

// longEnough returns how long some calls take: the time of one try if that is less
// than enough, and otherwise the least of three, because one may have been
// interrupted.
func longEnough(t Timer, calls int, enough time.Duration) (time.Duration, error) {
	least, err := t(calls)
	for range 2 {
		if err != nil || least < enough {
			break
		}
		var again time.Duration
		again, err = t(calls)
		least = min(least, again)
	}
	return least, err
}

// A Summary is what samples say of one routine.
type Summary struct {
	// Nanoseconds is the median time of a call.
	Nanoseconds float64
	// Spread is half the distance between the quartiles of the samples, as a
	// fraction of the median: how much the time itself varied.
	Spread float64
	// RatioSpread is the same after what all routines have in common from round to
	// round, such as the clock, has been taken out: how well the routine compares
	// with the others.
	RatioSpread float64
}

// Summarize returns the summary of each routine from samples as Turns returns
// them. A round in which everything was slower or faster by one factor, from
// whatever place in the round on, does not change the ratios of the medians, nor
// does a sample that is out of line; and neither does it if the clock is another
// for half of the rounds.
func Summarize(samples [][]float64) []Summary {
	factors := roundFactors(samples)
	summaries := make([]Summary, len(samples))
	for i, own := range samples {
		if len(own) == 0 {
			continue
		}
		level := slices.Sorted(scaled(own, factors))
		middle := median(level)
		summaries[i] = Summary{Nanoseconds: middle, Spread: quartiles(own) / middle, RatioSpread: quartiles(level) / middle}
	}
	return summaries
}

// roundFactors returns by how much each round was slower than the median round, by
// the median over the routines (median polish, two sweeps).
func roundFactors(samples [][]float64) []float64 {
	rounds := len(samples[0])
	factors := make([]float64, rounds)
	for r := range factors {
		factors[r] = 1
	}
	for range 2 {
		medians := make([]float64, len(samples))
		for i, own := range samples {
			medians[i] = median(slices.Sorted(scaled(own, factors)))
		}
		for r := range factors {
			ratios := make([]float64, len(samples))
			for i, own := range samples {
				ratios[i] = own[r] / medians[i]
			}
			factors[r] = median(slices.Sorted(slices.Values(ratios)))
		}
		normalize(factors)
	}
	return factors
}

// normalize divides by the median.
func normalize(factors []float64) {
	middle := median(slices.Sorted(slices.Values(factors)))
	for r := range factors {
		factors[r] /= middle
	}
}

// scaled yields samples divided by the factors of their rounds.
func scaled(samples, factors []float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for r, x := range samples {
			if !yield(x / factors[r]) {
				return
			}
		}
	}
}

// quartiles returns half the distance between the quartiles, interpolated.
func quartiles(samples []float64) float64 {
	sorted := slices.Sorted(slices.Values(samples))
	return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2
}

// quantile returns a quantile of sorted numbers.
func quantile(sorted []float64, q float64) float64 {
	place := q * float64(len(sorted)-1)
	i := int(place)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (place-float64(i))*(sorted[i+1]-sorted[i])
}
