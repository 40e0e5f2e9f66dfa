package registry

import (
	"fmt"
	"sync"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
)

// A selector makes plans. It is what a selection and the shared plans have in
// common: the candidates, what is known of their costs, and which of them have
// passed their self-test.
type selector struct {
	mu         sync.Mutex
	backends   []*Backend
	candidates []*candidate
	late       []*Backend
	policy     *policy
	detected   cpu.Detection
	identity   cpu.Identity
	clock      measure.Clock
	// tables are the costs by class of core, at least one, and unit is what they
	// are in: "ns", or "cycles" as long as there are priors only. A table is not
	// altered, but replaced.
	tables []*costTable
	unit   string
	tester selfTester
	notes  []string
	// pluginFailures is as in options.
	pluginFailures []string
	// measuring is held while something is measured, mu not; measurement tells
	// what came of it, and unmeasured why a kernel was not.
	measuring   sync.Mutex
	measurement Measurement
	unmeasured  map[costKey]string
}

// newSelector collects the candidates and resolves the override.
func newSelector(o *options) (*selector, error) {
	words, err := parseOverride(o.override)
	if err != nil {
		return nil, err
	}
	registered, late := snapshot(o.includeLate)
	backends, err := o.addBackends(registered, words)
	if err != nil {
		return nil, err
	}
	s := &selector{
		backends: backends, late: late, detected: o.detect(), identity: o.identify(), clock: o.clock,
		unit: "cycles", notes: o.notes, pluginFailures: o.pluginFailures, unmeasured: map[costKey]string{},
	}
	s.tables = costTables(s.identity)
	s.candidates = collect(backends, s.detected)
	s.notes = append(s.notes, applyKnown(s.candidates, o.known)...)
	if s.policy, err = resolve(words, s.candidates); err != nil {
		return nil, err
	}
	s.measurement.Budget = s.policy.budget
	return s, nil
}

// costOf returns what is known of the cost of c in algorithm a, on the strongest
// class of core.
func (s *selector) costOf(c *candidate, a Algorithm) Cost { return s.tables[0].cost(c, a) }

// plan returns the plan of a. Kernels are tested when a plan first wants them;
// one that fails is out, and the plan is made again without it.
func (s *selector) plan(a Algorithm) (*Plan, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		s.markDown()
		p, err := s.planUntested(a)
		if err != nil {
			return nil, err
		}
		if s.test(usedIn(p.schedules)) {
			return p, nil
		}
	}
}

// planUntested returns the plan of a on the assumption that kernels not yet
// tested are right.
func (s *selector) planUntested(a Algorithm) (*Plan, error) {
	allowances, err := s.policy.allowances(a, s.candidates)
	if err != nil {
		return nil, err
	}
	p := &Plan{algorithm: a}
	for _, allowed := range allowances {
		if err := allowed.check(a, s.candidates); err != nil {
			return nil, err
		}
		p.schedules = append(p.schedules, s.build(a, allowed))
	}
	return p, nil
}

// test runs the self-tests that are due and reports whether all candidates are
// good.
func (s *selector) test(candidates []*candidate) bool {
	good := true
	for _, c := range candidates {
		if !c.outcome.eligible() {
			good = false
			continue
		}
		if c.tested {
			continue
		}
		outcome := s.tester.run(c.kernel)
		if stage := c.backend.Process.Stage(); stage != "" {
			outcome = Outcome{PluginDown, stage}
		}
		if !outcome.eligible() {
			c.outcome = outcome
			s.notes = append(s.notes, fmt.Sprintf("%s: %v", c.name(), outcome))
			good = false
			continue
		}
		c.tested = true
	}
	return good
}
