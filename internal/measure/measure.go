// Package measure times routines against each other. It knows neither what the
// routines do nor what time it is: the clock is an argument, so that tests need
// no real one.
//
// Rounds run over all candidates in turn, so that a change of frequency hits all
// of them; a sample is a batch of calls that lasts many ticks of the clock; the
// estimate is a trimmed mean, which one sample out of line does not move; rounds
// that a garbage collection disturbed are thrown away; candidates that cannot
// win are dropped early; and a deadline is kept between any two samples.
package measure

import (
	"runtime"
	"slices"
	"time"
)

const (
	// batchTicks is how many ticks of the clock a sample lasts at least.
	batchTicks = 50
	// minRounds is the least number of samples for an estimate.
	minRounds = 3
	// thin is the part of the rounds after which what was beaten is dropped: who takes
	// many wants to know well what the rest costs, too.
	thin = 4
	// maxCalls bounds the calls in a sample.
	maxCalls = 1 << 16
)

// A Candidate is a routine to be timed.
type Candidate struct {
	// Run makes one call that does n steps.
	Run func(n int)
	// Steps are the numbers of steps to be timed: three or more if a cost per
	// step is wanted.
	Steps []int
	// Group names the candidates that do the same work. One that others of its
	// group beat everywhere is dropped early; an empty group is never thinned.
	Group string
	// Width is how much of that work a step does.
	Width int
}

// Options say how to measure.
type Options struct {
	Clock Clock
	// Collections returns a number that grows with each garbage collection; nil
	// if there are none.
	Collections func() uint64
	// Deadline is the reading of the clock after which no sample begins.
	Deadline time.Duration
	// Rounds is how many samples to take for each candidate and number of steps.
	Rounds int
	// Progress, if not nil, is called after each round with the share done.
	Progress func(done float64)
}

// A Point is the time of a call of some steps.
type Point struct {
	Steps int
	// Nanoseconds is the estimated time of one call, and Spread the relative
	// uncertainty of the estimate.
	Nanoseconds, Spread float64
	// Samples is how many batches it rests on.
	Samples int
}

// A Result is what was measured of one candidate: a point for each of its
// Steps, or none if the deadline came first.
type Result []Point

// Run times the candidates. It locks the goroutine to its thread meanwhile. The
// error is one of [Clock.Resolution].
func Run(candidates []Candidate, o Options) ([]Result, error) {
	tick, err := o.Clock.Resolution()
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := session{Options: o, enough: batchTicks * tick}
	for i := range candidates {
		c := &candidates[i]
		s.series = append(s.series, &series{candidate: c, batch: make([]int, len(c.Steps)), samples: make([][]float64, len(c.Steps))})
	}
	s.rounds()
	results := make([]Result, len(candidates))
	for i, one := range s.series {
		results[i] = one.result()
	}
	return results, nil
}

// A session is one call of Run.
type session struct {
	Options
	enough time.Duration // length of a sample
	series []*series
}

// A series is the samples of one candidate.
type series struct {
	candidate *Candidate
	batch     []int       // calls in a sample, by index of Steps; 0 if not known yet
	samples   [][]float64 // nanoseconds of a call, by index of Steps
	dropped   bool
}

// rounds takes samples until there are enough or the time is up. Rounds that a
// collection disturbed are made up for, within reason.
func (s *session) rounds() {
	collections := s.collections()
	kept := 0
	for attempt := 0; kept < s.Rounds && attempt < 2*s.Rounds; attempt++ {
		if !s.round() {
			return
		}
		kept++
		if now := s.collections(); now != collections {
			// A collection counts when it ends; it may have begun a round ago.
			collections = now
			kept -= s.discard(2)
		}
		if kept >= max(minRounds, s.Rounds/thin) {
			s.dropBeaten()
		}
		if s.Progress != nil {
			s.Progress(float64(kept) / float64(s.Rounds))
		}
	}
}

func (s *session) collections() uint64 {
	if s.Collections == nil {
		return 0
	}
	return s.Collections()
}

// round takes one sample of each candidate at each number of steps and reports
// whether the deadline was kept.
func (s *session) round() bool {
	for i := 0; ; i++ {
		more := false
		for _, one := range s.series {
			if one.dropped || i >= len(one.samples) {
				continue
			}
			if s.Clock() >= s.Deadline {
				return false
			}
			more = true
			one.samples[i] = append(one.samples[i], s.sample(one, i))
		}
		if !more {
			return true
		}
	}
}

// sample returns the nanoseconds of one call. Before the first one, a call warms
// up the routine and another tells how many of them last long enough; what was
// too short nevertheless makes the next sample longer.
func (s *session) sample(one *series, i int) float64 {
	c, steps := one.candidate, one.candidate.Steps[i]
	if one.batch[i] == 0 {
		c.Run(steps)
		one.batch[i] = s.callsFor(s.time(c, steps, 1), 1)
	}
	calls := one.batch[i]
	elapsed := s.time(c, steps, calls)
	if elapsed < s.enough {
		one.batch[i] = s.callsFor(elapsed, calls)
	}
	return float64(elapsed) / float64(calls)
}

// callsFor returns how many calls last long enough and a little more, given how
// long some calls lasted.
func (s *session) callsFor(elapsed time.Duration, calls int) int {
	perCall := float64(max(elapsed, s.enough/batchTicks)) / float64(calls)
	return min(maxCalls, int(1.25*float64(s.enough)/perCall)+1)
}

// time returns how long some calls take.
func (s *session) time(c *Candidate, steps, calls int) time.Duration {
	start := s.Clock()
	for range calls {
		c.Run(steps)
	}
	return s.Clock() - start
}

// discard forgets the last n samples of each series and returns how many there
// were to forget.
func (s *session) discard(n int) int {
	forgotten := 0
	for _, one := range s.series {
		if one.dropped {
			continue
		}
		for i, samples := range one.samples {
			least := min(n, len(samples))
			one.samples[i] = samples[:len(samples)-least]
			forgotten = max(forgotten, least)
		}
	}
	return forgotten
}

// result returns the points, or nil if some have too few samples.
func (s *series) result() Result {
	var points Result
	for i, samples := range s.samples {
		if len(samples) < minRounds {
			return nil
		}
		estimate, spread := estimate(samples)
		points = append(points, Point{Steps: s.candidate.Steps[i], Nanoseconds: estimate, Spread: spread, Samples: len(samples)})
	}
	return points
}

// dropBeaten drops the candidates that some other one of the group beats at
// every length.
func (s *session) dropBeaten() {
	results := make([]Result, len(s.series))
	for i, one := range s.series {
		results[i] = one.result()
	}
	for i, one := range s.series {
		if one.dropped || one.candidate.Group == "" || results[i] == nil {
			continue
		}
		one.dropped = slices.ContainsFunc(s.series, func(other *series) bool {
			if other == one || other.dropped || other.candidate.Group != one.candidate.Group {
				return false
			}
			j := slices.Index(s.series, other)
			return results[j] != nil && beats(other.candidate.Width, results[j], one.candidate.Width, results[i])
		})
	}
}

// clearly is the relative lead that counts as beating, apart from the spreads.
const clearly = 0.15

// beats reports whether a routine of width a is clearly faster than one of width
// b for every amount of work: for one step, so that less work than a step is
// covered, and for whatever the other was timed with.
func beats(a int, fast Result, b int, slow Result) bool {
	fit := FitLine(fast)
	ahead := func(steps int, p Point) bool {
		return fit.At(steps)*(1+clearly+3*(fit.Spread+p.Spread)) < p.Nanoseconds
	}
	if !ahead(1, slow[0]) {
		return false
	}
	for _, p := range slow {
		if !ahead((p.Steps*b+a-1)/a, p) {
			return false
		}
	}
	return true
}
