package registry

import (
	"maps"
	"sync"
	"sync/atomic"
)

// A Source is where a handle finds the current plan of an algorithm. Each call
// on the handle loads the plan once and keeps it to its end, so that a new
// selection never changes a call in flight.
type Source struct {
	current atomic.Pointer[Plan]
}

// Plan returns the current plan.
func (s *Source) Plan() *Plan { return s.current.Load() }

// A Selection is the plans of all algorithms and what became of every kernel. It
// does not change once made.
type Selection struct {
	selector *selector
	sources  [numAlgorithms]Source
}

// Select makes a selection from all backends registered so far. It runs the
// self-test of each kernel that some plan wants. Costs are those of a profile or
// priors; with the word mode=measure in the override it measures. Errors are
// *OverrideError or *NoKernelError.
func Select(opts ...Option) (*Selection, error) {
	s, err := newSelector(newOptions(opts))
	if err != nil {
		return nil, err
	}
	s.loadProfile()
	if s.policy.mode == modeMeasure {
		s.measure(Algorithms(), false, nil)
	}
	return selectWith(s)
}

// Under returns what would be selected from the same kernels by the same costs
// under another override. It measures nothing.
func (sel *Selection) Under(override string) (*Selection, error) {
	words, err := parseOverride(override)
	if err != nil {
		return nil, err
	}
	s := sel.selector
	s.mu.Lock()
	other := &selector{
		backends: s.backends, late: s.late, detected: s.detected, identity: s.identity, clock: s.clock,
		tables: s.tables, unit: s.unit, measurement: s.measurement, unmeasured: maps.Clone(s.unmeasured), pluginFailures: s.pluginFailures,
	}
	other.candidates = collect(s.backends, s.detected)
	for i, c := range s.candidates {
		other.candidates[i].tested = c.tested && c.backend.Process.Stage() == ""
		if c.outcome.State == SelfTestFailed || c.outcome.State == Crashed {
			other.candidates[i].outcome = c.outcome
		}
	}
	s.mu.Unlock()
	if other.policy, err = resolve(words, other.candidates); err != nil {
		return nil, err
	}
	return selectWith(other)
}

// selectWith plans all algorithms.
func selectWith(s *selector) (*Selection, error) {
	sel := &Selection{selector: s}
	for a := range numAlgorithms {
		plan, err := s.plan(a)
		if err != nil {
			return nil, err
		}
		sel.sources[a].current.Store(plan)
	}
	s.watchProcesses(func() { s.replanWithoutDown(&sel.sources) })
	return sel, nil
}

// Source returns where handles of algorithm a find their plan.
func (sel *Selection) Source(a Algorithm) *Source { return &sel.sources[a] }

// Auto returns the selection of this process, made on the first call from the
// backends registered until then and from the environment variable. Unless a
// profile has the costs, it measures, for 10 ms at most or what budget= says. It
// is safe for concurrent use. Handles of the drop-in packages use its plans from then
// on, those made before included. An error is returned by every call.
var Auto = sync.OnceValues(func() (*Selection, error) {
	s, err := shared.selector()
	if err != nil {
		return nil, err
	}
	s.measure(Algorithms(), false, nil)
	sel, err := selectWith(s)
	if err != nil {
		return nil, err
	}
	for a := range numAlgorithms {
		shared.sources[a].current.Store(sel.sources[a].Plan())
	}
	shared.watch(s)
	return sel, nil
})

// shared are the plans of the drop-in packages: each algorithm's is made when
// the first handle wants it.
var shared = sharedPlans{
	selector: sync.OnceValues(func() (*selector, error) {
		o := newOptions([]Option{fromEnvironment()})
		o.includeLate = false
		s, err := newSelector(o)
		if err == nil {
			s.loadProfile()
		}
		return s, err
	}),
}

type sharedPlans struct {
	selector func() (*selector, error)
	sources  [numAlgorithms]Source
	watched  sync.Once
}

// watch keeps the shared plans free of processes that are down.
func (p *sharedPlans) watch(s *selector) {
	p.watched.Do(func() { s.watchProcesses(func() { s.replanWithoutDown(&p.sources) }) })
}

// Planned returns what Shared does if the plan of a has been made, else nil. It is
// there to be inlined.
func Planned(a Algorithm) *Source {
	source := &shared.sources[a]
	if source.current.Load() == nil {
		return nil
	}
	return source
}

// Shared returns where the handles of the drop-in packages find the plan of a.
// The first call for an algorithm makes the plan, without measuring; once the
// process has put 1 MiB through the algorithm, its kernels are measured in the
// background and the plan is replaced. Errors are those of Select with the
// environment variable as override.
func Shared(a Algorithm) (*Source, error) {
	if source := Planned(a); source != nil {
		return source, nil
	}
	s, err := shared.selector()
	if err != nil {
		return nil, err
	}
	plan, err := s.plan(a)
	if err != nil {
		return nil, err
	}
	source := &shared.sources[a]
	if s.measurable(a) {
		plan.provisional = &provisional{measure: func() { source.replan(s, plan) }}
	}
	source.current.CompareAndSwap(nil, plan)
	shared.watch(s)
	return source, nil
}

// measurable reports whether measuring could change the plan of a.
func (s *selector) measurable(a Algorithm) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mayMeasure() && len(s.jobs([]Algorithm{a})) > 0
}

// replan measures what the provisional plan old could use and puts a new plan in
// its place, unless something else has been put there meanwhile. A plan that
// cannot be made leaves the old one.
func (s *Source) replan(by *selector, old *Plan) {
	by.measure([]Algorithm{old.algorithm}, false, nil)
	if plan, err := by.plan(old.algorithm); err == nil {
		s.current.CompareAndSwap(old, plan)
	}
}
