package registry

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
)

// A Measurement says what was measured for a selection, and at what expense.
type Measurement struct {
	// Kernels is how many kernels were timed, each number of rounds counted.
	Kernels int `json:"kernels"`
	// Spent is the time that self-tests and measuring took, and Budget what they
	// were given.
	Spent  time.Duration `json:"spent_ns"`
	Budget time.Duration `json:"budget_ns"`
	// Reason says why nothing was measured, or not everything: "budget", "noise",
	// "clock", "emulator" or "mode", with what there is to say about it.
	Reason string `json:"reason,omitempty"`
	// Profile is the file that costs were read from, empty if none was used.
	Profile string `json:"profile,omitempty"`
}

// rounds of samples: those of a start-up, and of a thorough calibration.
const (
	quickRounds    = 8
	thoroughRounds = 200
)

// measurePriority is the order in which algorithms are measured. The AEADs come
// first because their parts serve most of the others, 12 rounds last because
// they follow from 8 and 20.
var measurePriority = []Algorithm{
	ChaCha20Poly1305, XSalsa20Poly1305, XChaCha20Poly1305, ChaCha20, XChaCha20, Salsa20, XSalsa20, Poly1305,
	ChaCha8, Salsa20r8, ChaCha12, Salsa20r12,
}

// mayMeasure reports whether measuring is allowed here, and notes the reason if
// it is not.
func (s *selector) mayMeasure() bool {
	switch {
	case s.policy.mode == modePrior || s.policy.mode == modeGeneric:
		s.measurement.Reason = "mode: " + string(s.policy.mode)
	case s.identity.Emulator != "" && s.policy.mode != modeMeasure:
		s.measurement.Reason = "emulator: " + s.identity.Emulator
	default:
		return true
	}
	return false
}

// A job is a set of kernels of one algorithm that are timed together.
type job struct {
	algorithm  Algorithm
	candidates []*candidate
}

// jobs returns what is to be measured for the algorithms, each kernel once. An
// algorithm without a choice needs no measuring.
func (s *selector) jobs(algorithms []Algorithm) []job {
	queued := map[costKey]bool{}
	var all []job
	for _, a := range measurePriority {
		if !slices.Contains(algorithms, a) || !s.hasChoice(a) {
			continue
		}
		j := job{algorithm: a}
		for _, c := range s.allowedIn(a) {
			key := keyFor(c, a)
			if _, known := s.tables[0].lookup(key); !known && !queued[key] {
				queued[key] = true
				j.candidates = append(j.candidates, c)
			}
		}
		if len(j.candidates) > 0 {
			all = append(all, j)
		}
	}
	return all
}

// allowedIn returns the candidates that some length of a may use.
func (s *selector) allowedIn(a Algorithm) []*candidate {
	allowances, err := s.policy.allowances(a, s.candidates)
	if err != nil {
		return nil // planning reports it
	}
	var allowed []*candidate
	for _, c := range s.candidates {
		if slices.ContainsFunc(allowances, func(l *allowance) bool { return slices.Contains(l.byKind[c.kernel.Kind], c) }) {
			allowed = append(allowed, c)
		}
	}
	return allowed
}

// hasChoice reports whether two kernels compete in a.
func (s *selector) hasChoice(a Algorithm) bool {
	count := map[Kind]int{}
	for _, c := range s.allowedIn(a) {
		count[c.kernel.Kind]++
	}
	return count[KindStream] > 1 || count[KindMAC] > 1 || count[KindFused] > 0
}

// measure times what the algorithms may use and is not known yet, within the
// budget; without one, thoroughly. It must not be called with mu held.
func (s *selector) measure(algorithms []Algorithm, thorough bool, progress func(float64)) {
	s.measuring.Lock()
	defer s.measuring.Unlock()
	m := &measurer{selector: s, start: s.clock(), rounds: quickRounds, progress: progress, distrusted: map[costKey]string{}}
	m.deadline = m.start + s.policy.budget
	if thorough {
		m.rounds, m.deadline = thoroughRounds, m.start+time.Hour
	}
	s.mu.Lock()
	allowed := s.mayMeasure()
	jobs := s.jobs(algorithms)
	s.mu.Unlock()
	if !allowed {
		return
	}
	for i, j := range jobs {
		m.done, m.total = i, len(jobs)
		if err := m.run(j); err != nil {
			m.refuse(jobs[i:], err)
			break
		}
	}
	s.mu.Lock()
	s.measurement.Spent += s.clock() - m.start
	s.mu.Unlock()
}

// A measurer is one run of measuring.
type measurer struct {
	selector        *selector
	start, deadline time.Duration
	rounds          int
	progress        func(float64)
	done, total     int // jobs
	// distrusted says of kernels that were timed in vain why.
	distrusted map[costKey]string
}

// thorough reports whether this is a calibration, with no deadline to speak of.
func (m *measurer) thorough() bool { return m.rounds == thoroughRounds }

// run tests and times the kernels of one job on each class of core. The error is
// that of a clock.
func (m *measurer) run(j job) error {
	s := m.selector
	s.mu.Lock()
	tested, inTime := m.test(j)
	tables := s.tables
	s.mu.Unlock()
	if !inTime {
		m.install(j, tables)
		return nil
	}
	until := m.deadline
	if left := m.deadline - s.clock(); m.done+1 < m.total {
		until -= left / 3 // something for the jobs that follow
	}
	grown := make([]*costTable, len(tables))
	for i, t := range tables {
		restore, err := pin(t)
		if err != nil {
			return m.runUnpinned(j, err)
		}
		share := (until - s.clock()) / time.Duration(len(tables)-i)
		costs, err := m.time(t, tested, s.clock()+share)
		restore()
		if err != nil {
			return err
		}
		grown[i] = t.with(costs, s.candidates)
	}
	m.install(j, grown)
	return nil
}

// test runs the self-tests of a job and returns it without what failed. Without time
// for all of them none is worth measuring, because a kernel is compared with all of
// its kind or with none. It must be called with mu held.
func (m *measurer) test(j job) (tested job, inTime bool) {
	tested.algorithm = j.algorithm
	for _, c := range j.candidates {
		if m.selector.clock() >= m.deadline {
			return tested, false
		}
		if m.selector.test([]*candidate{c}) {
			tested.candidates = append(tested.candidates, c)
		}
	}
	return tested, true
}

// pin binds the thread to the class of a table, if there is more than one.
func pin(t *costTable) (restore func(), err error) {
	if t.class.CPUs == nil {
		return func() {}, nil
	}
	return cpu.PinThread(t.class.CPUs)
}

// runUnpinned goes on with one table where threads cannot be bound to a class.
func (m *measurer) runUnpinned(j job, why error) error {
	s := m.selector
	s.mu.Lock()
	s.notes = append(s.notes, fmt.Sprintf("the cores differ, and are measured as one class: %v", why))
	s.tables = []*costTable{{models: modelsOf(s.identity), scale: 1}}
	s.mu.Unlock()
	return m.run(j)
}

// install makes measured costs those of the selector.
func (m *measurer) install(j job, tables []*costTable) {
	s := m.selector
	s.mu.Lock()
	defer s.mu.Unlock()
	measured := 0
	for _, c := range j.candidates {
		key := keyFor(c, j.algorithm)
		if _, ok := tables[0].known[key]; ok {
			measured++
		} else if c.outcome.eligible() {
			s.refuseLocked(key, cmp.Or(m.distrusted[key], budgetSpent))
		}
	}
	if measured > 0 {
		s.tables, s.unit = tables, "ns"
		s.measurement.Kernels += measured
	}
}

// refuse notes why the kernels of jobs were not measured.
func (m *measurer) refuse(jobs []job, err error) {
	reason := "clock: " + err.Error()
	if !errors.Is(err, measure.ErrCoarse) {
		reason = err.Error()
	}
	m.selector.mu.Lock()
	defer m.selector.mu.Unlock()
	for _, j := range jobs {
		for _, c := range j.candidates {
			m.selector.refuseLocked(keyFor(c, j.algorithm), reason)
		}
	}
}

// refuseLocked notes why a kernel was not measured.
func (s *selector) refuseLocked(key costKey, reason string) {
	s.measurement.Reason, s.unmeasured[key] = reason, reason
}

// time times the kernels of a job and returns the costs of those that there was
// time for, and quiet enough.
func (m *measurer) time(t *costTable, j job, deadline time.Duration) (map[costKey]Cost, error) {
	timings, err := m.timings(j, deadline)
	if err != nil {
		return nil, err
	}
	if again := compare(t, j.algorithm, timings); len(again) > 0 && !m.thorough() {
		second, err := m.timings(job{j.algorithm, again}, deadline)
		if err != nil {
			return nil, err
		}
		combine(timings, second)
		compare(t, j.algorithm, timings)
	}
	return m.judge(t, j.algorithm, timings), nil
}

// timings times the kernels of a job.
func (m *measurer) timings(j job, deadline time.Duration) ([]timing, error) {
	bench := newBench()
	var routines []measure.Candidate
	var whose []int // index of the candidate, negative for the one's Setup
	for i, c := range j.candidates {
		routines, whose = append(routines, bench.routine(c.kernel, j.algorithm.Rounds())), append(whose, i)
		if c.kernel.Setup != nil {
			routines, whose = append(routines, bench.setup(c.kernel)), append(whose, ^i)
		}
	}
	results, err := measure.Run(routines, measure.Options{
		Clock: m.selector.clock, Collections: measure.Collections, Deadline: deadline, Rounds: m.rounds, Progress: m.share(),
	})
	if err != nil {
		return nil, err
	}
	var timings []timing
	for i, result := range results {
		if whose[i] < 0 {
			continue
		}
		t := timing{candidate: j.candidates[whose[i]], done: result != nil, fit: measure.FitLine(result)}
		if t.candidate.kernel.Setup != nil && t.done {
			if t.done = results[i+1] != nil; t.done {
				t.setup = results[i+1][0].Nanoseconds
			}
		}
		timings = append(timings, t)
	}
	return timings, nil
}

// share returns a function that reports progress over all jobs.
func (m *measurer) share() func(float64) {
	if m.progress == nil {
		return nil
	}
	return func(done float64) { m.progress((float64(m.done) + done) / float64(m.total)) }
}
