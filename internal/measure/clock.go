package measure

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"time"
)

// A Clock returns the time since some moment.
type Clock func() time.Duration

// ErrCoarse is the error of a clock whose ticks are too long to measure by.
var ErrCoarse = errors.New("the clock is too coarse")

// coarse is the length of a tick above which a clock is refused.
const coarse = 10 * time.Microsecond

// Resolution returns the shortest step in which the clock moves on, the time it
// takes to read it included. It is an error, for which errors.Is with ErrCoarse
// holds, if that is more than 10 µs.
func (c Clock) Resolution() (time.Duration, error) {
	shortest := time.Duration(0)
	for range 8 {
		step := c.step()
		if step == 0 {
			return 0, fmt.Errorf("%w: it stands still", ErrCoarse)
		}
		if shortest == 0 || step < shortest {
			shortest = step
		}
		if step > 100*coarse {
			break // do not spend the budget on a clock like this
		}
	}
	if shortest > coarse {
		return 0, fmt.Errorf("%w: its steps are %v", ErrCoarse, shortest)
	}
	return shortest, nil
}

// step returns by how much the clock moves when it next does, 0 if it does not
// within a great many readings.
func (c Clock) step() time.Duration {
	const readings = 1 << 14
	start := c()
	for range readings {
		if now := c(); now != start {
			return now - start
		}
	}
	return 0
}

// Collections returns how many garbage collections have ended.
func Collections() uint64 {
	sample := [1]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample[:])
	return sample[0].Value.Uint64()
}
