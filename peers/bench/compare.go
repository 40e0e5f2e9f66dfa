package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/peers"
)

// compare measures the libraries by turns at one algorithm and length, in bytes.
func compare(algorithm string, n int, libraries []*peers.Library, rounds int, batch time.Duration) (Cell, error) {
	names, timers := timersOf(algorithm, n, libraries)
	cell := Cell{Algorithm: algorithm, Length: n}
	calls, err := measure.Batches(timers, batch)
	if err != nil {
		return cell, err
	}
	samples, err := measure.Turns(timers, calls, measure.TurnOptions{Rounds: rounds})
	if err != nil {
		return cell, err
	}
	for i, theirs := range samples[1:] {
		var ratios []float64
		for round, ours := range samples[0] {
			ratios = append(ratios, theirs[round]/ours)
		}
		cell.Ratios = append(cell.Ratios, summarize(names[i+1], ratios))
	}
	return cell, nil
}

// timersOf returns the libraries that have an algorithm, the first one first, and
// what times them by the CPU time of the thread, with the same input and output.
func timersOf(algorithm string, n int, libraries []*peers.Library) (names []string, timers []measure.Timer) {
	random := rand.NewChaCha8([32]byte{2})
	key := new([32]byte)
	random.Read(key[:])
	src, nonce := peers.Input(algorithm, key, n, random)
	size, _ := peers.Sizes(algorithm, n)
	dst := make([]byte, size)
	for _, l := range libraries {
		if !l.Has(algorithm) {
			continue
		}
		message := l.New(algorithm, key)
		names = append(names, l.Name)
		timers = append(timers, func(times int) (time.Duration, error) {
			start := measure.ThreadNow()
			if !message(dst, src, nonce, times) {
				return 0, fmt.Errorf("%s refuses %s of %d bytes", l.Name, algorithm, n)
			}
			return measure.ThreadNow() - start, nil
		})
	}
	return names, timers
}
