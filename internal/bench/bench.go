package bench

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"time"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"
)

// Lengths are the message lengths in bytes that are measured unless others are
// asked for: blocks, packets, records and bulk.
var Lengths = []int{64, 128, 192, 256, 576, 1350, 8192, 16384, 65536, 1 << 20}

// The usual number of rounds, length of a sample, and time for everything.
const (
	Rounds = 10
	Batch  = 500 * time.Microsecond
	Budget = 150 * time.Second
)

const (
	// minRounds is how many rounds a figure rests on at least. The first pass over
	// all cells has so many, so that cells are complete soon, and each of the other
	// passes one.
	minRounds = 3
	// minBatch is the shortest sample.
	minBatch = 20 * time.Microsecond
)

// A Config says what to measure and how.
type Config struct {
	Selection *registry.Selection
	// Override is the one that the selection was made under.
	Override string
	// Algorithms and Lengths are what to measure.
	Algorithms []registry.Algorithm
	Lengths    []int
	// Only names the backends and kernels that take part, all if it is empty.
	Only  []string
	Peers []*Peer
	// Rounds is the number of rounds, Batch about how long a sample lasts, and Budget
	// after how long no sample is taken anymore.
	Rounds int
	Batch  time.Duration
	Budget time.Duration
	// ClockHz is the clock of the CPU, 0 if unknown.
	ClockHz float64
	// Clock times what runs in this process.
	Clock measure.Clock
	// Notes are warnings that the report is to have, whatever is found.
	Notes []string
	// Stop, if not nil, is asked before each sample whether to end early.
	Stop func() bool
	// Progress, if not nil, is told the share done.
	Progress func(done float64)
}

// A Bench is what is to be measured, and after Run what was.
type Bench struct {
	Config
	cells []*cell
	ways  map[string]*way // by name
	// kernels say what became of each kernel.
	kernels map[registry.Algorithm][]registry.Candidate
	// spins are how long a fixed chain of operations took, by visits of cells.
	spins []float64
	// spinning is for how long the spins ran, and worked how much of that was time of
	// the CPU.
	spinning, worked time.Duration
	// interrupted says that Stop ended it, and late that Budget did.
	interrupted, late bool
	// failures are what peers and plugins failed with.
	failures []failure
}

// A failure is how a candidate failed first, and in how many cells.
type failure struct {
	candidate, text string
	cells           int
}

// A cell is one algorithm, mode and length.
type cell struct {
	algorithm  registry.Algorithm
	mode       string
	length     int
	candidates []*Candidate
	calls      []int       // in a sample, by candidate and, last, of the spin
	samples    [][]float64 // nanoseconds by candidate and round
}

// New lists what there is to measure. The error is an [*UnknownError] for a name
// in Only.
func New(config Config) (*Bench, error) {
	b := &Bench{Config: config, ways: map[string]*way{}, kernels: map[registry.Algorithm][]registry.Candidate{}}
	if err := b.checkOnly(); err != nil {
		return nil, err
	}
	for _, a := range b.Algorithms {
		b.addCells(a)
	}
	if len(b.cells) == 0 {
		return nil, fmt.Errorf("nothing to measure: %v has no kernel for %v", b.Only, b.Algorithms)
	}
	b.fit()
	return b, nil
}

// modesOf returns the modes in which an algorithm does messages.
func modesOf(a registry.Algorithm) []string {
	switch {
	case a.IsAEAD():
		return []string{board.Encrypt, board.Decrypt}
	case a.IsMAC():
		return []string{board.Update}
	}
	return []string{board.Encrypt}
}

func (b *Bench) addCells(a registry.Algorithm) {
	ways := b.ours(a)
	for _, mode := range modesOf(a) {
		for _, n := range b.Lengths {
			b.addCell(a, mode, n, ways)
		}
	}
	b.addCell(a, board.Call, 0, ways)
	if a.IsMAC() {
		if all := b.setUps(); len(all) > 0 {
			b.cells = append(b.cells, &cell{algorithm: a, mode: board.SetUp, candidates: all})
		}
		return
	}
	if len(ways) > 0 && ways[0].name == Auto {
		b.addCell(a, board.SetUp, 0, ways[:1])
	}
}

func (b *Bench) addCell(a registry.Algorithm, mode string, n int, ways []*way) {
	c := &cell{algorithm: a, mode: mode, length: n}
	slowest := 0.0
	for _, w := range ways {
		candidate := b.candidate(a, mode, n, w)
		slowest = max(slowest, candidate.Nanoseconds)
		c.candidates = append(c.candidates, candidate)
	}
	for _, p := range b.Peers {
		if mode != board.SetUp && p.Has(a, mode) {
			c.candidates = append(c.candidates, &Candidate{Name: p.Name, Kind: board.Peer, Source: p.Source, Nanoseconds: slowest,
				Timer: func(in *Input) (measure.Timer, error) { return p.Timer(a, mode, in) }})
		}
	}
	if len(c.candidates) > 0 {
		b.cells = append(b.cells, c)
	}
}

// Cells returns how many cells there are, and how many figures they will give.
func (b *Bench) Cells() (cells, figures int) {
	for _, c := range b.cells {
		figures += len(c.candidates)
	}
	return len(b.cells), figures
}

// Estimate returns about how long Run takes.
func (b *Bench) Estimate() time.Duration {
	return time.Duration(min(b.unbounded(), float64(b.Budget)))
}

// unbounded returns about how many nanoseconds Run would take without a budget.
func (b *Bench) unbounded() (total float64) {
	for _, c := range b.cells {
		total += b.estimate(c)
	}
	return total
}

// estimate returns about how many nanoseconds the rounds of a cell take, those that
// find the number of calls in a sample included.
func (b *Bench) estimate(c *cell) (total float64) {
	batch := float64(b.Batch)
	for _, candidate := range c.candidates {
		call := candidate.Nanoseconds
		total += float64(b.Rounds)*(max(batch, call)+call) + max(batch/2, 4*call)
	}
	return total
}

// fit makes samples shorter, and then rounds fewer, until the estimate is within
// four fifths of the budget.
func (b *Bench) fit() {
	late := func() bool { return b.unbounded() > 0.8*float64(b.Budget) }
	for late() && b.Batch > minBatch {
		b.Batch = max(minBatch, b.Batch/2)
	}
	if !late() {
		return
	}
	asked := b.Rounds
	more := sort.Search(max(0, asked-minRounds), func(n int) bool {
		b.Rounds = minRounds + n + 1
		return late()
	})
	b.Rounds = min(asked, minRounds+more)
}

// likelyClock is the clock to turn cycles into time by for an estimate.
func (b *Bench) likelyClock() float64 {
	if b.ClockHz > 0 {
		return b.ClockHz
	}
	return 2e9
}

// Run measures. Garbage is collected between cells, not during them. What was
// measured until Stop or the budget ended it is kept.
func (b *Bench) Run() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	deadline := measure.Now() + b.Budget
	stop := func() bool {
		b.interrupted = b.interrupted || b.Stop != nil && b.Stop()
		b.late = b.late || measure.Now() > deadline
		return b.interrupted || b.late
	}
	total, done := 0.0, 0.0
	for _, c := range b.cells {
		total += b.estimate(c) * float64(b.Rounds)
	}
	for first, rounds := 0, minRounds; first < b.Rounds; first, rounds = first+rounds, 1 {
		for _, c := range b.cells {
			if stop() {
				break
			}
			b.visit(c, first, rounds, stop)
			done += b.estimate(c) * float64(rounds)
			if b.Progress != nil {
				b.Progress(min(done/total, 1))
			}
		}
	}
	if b.Progress != nil {
		b.Progress(1)
	}
}

// visit takes the samples of one pass over a cell.
func (b *Bench) visit(c *cell, first, rounds int, stop func() bool) {
	runtime.GC()
	for len(c.candidates) > 0 {
		samples, failed, err := b.sample(c, measure.TurnOptions{Rounds: rounds, First: first, Stop: stop})
		if err == nil {
			b.keep(c, samples)
			return
		}
		// The others go on without the one that failed.
		b.failed(c.candidates[failed].Name, fmt.Sprintf("%v %s: %v", c.algorithm, c.mode, err))
		c.candidates = slices.Delete(slices.Clone(c.candidates), failed, failed+1)
		c.calls = nil
		if c.samples != nil {
			c.samples = slices.Delete(c.samples, failed, failed+1)
		}
	}
}

// failed notes how a candidate failed.
func (b *Bench) failed(candidate, text string) {
	for i := range b.failures {
		if b.failures[i].candidate == candidate {
			b.failures[i].cells++
			return
		}
	}
	b.failures = append(b.failures, failure{candidate, text, 1})
}

// sample returns the samples of the candidates and, last, those of the spin, or
// which candidate failed and why.
func (b *Bench) sample(c *cell, o measure.TurnOptions) (samples [][]float64, failed int, err error) {
	in, err := NewInput(c.algorithm, c.mode, c.length, b.Selection.Source(c.algorithm))
	if err != nil {
		return nil, 0, err
	}
	var timers []measure.Timer
	for i, candidate := range c.candidates {
		timer, err := candidate.Timer(in)
		if err != nil {
			return nil, i, err
		}
		timers = append(timers, timer)
	}
	timers = append(timers, b.spin)
	if c.calls == nil {
		c.calls, err = measure.Batches(timers, b.Batch)
	}
	if err == nil {
		samples, err = measure.Turns(timers, c.calls, o)
	}
	var which *measure.TimerError
	if errors.As(err, &which) {
		return nil, which.Index, which.Err
	}
	return samples, 0, err
}

// keep adds samples to those of a cell.
func (b *Bench) keep(c *cell, samples [][]float64) {
	last := len(samples) - 1
	if len(samples[last]) > 0 {
		b.spins = append(b.spins, measure.Summarize(samples[last:])[0].Nanoseconds)
	}
	if c.samples == nil {
		c.samples = make([][]float64, last)
	}
	for i, more := range samples[:last] {
		c.samples[i] = append(c.samples[i], more...)
	}
}

// spinResult keeps the compiler from leaving out spin.
var spinResult uint32

// spin times a chain of dependent operations, which take so many cycles, by the CPU
// time of the thread, and keeps account of the time that it was kept from working.
func (b *Bench) spin(calls int) (time.Duration, error) {
	begin, worked := measure.Now(), measure.ThreadNow()
	x := spinResult | 1
	for range calls * 1024 {
		x = x<<13 ^ x
		x = x>>17 ^ x
		x = x<<5 ^ x
	}
	spinResult = x
	worked = measure.ThreadNow() - worked
	b.worked += worked
	b.spinning += measure.Now() - begin
	return worked, nil
}
