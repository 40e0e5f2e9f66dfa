package registry

import (
	"strings"
	"sync"
	"sync/atomic"
)

// A Process is the life of a backend whose kernels run in another process. Its
// kernels are functions of this program that call the other one; package plugin
// makes them. Where the other process fails in mid-call they still return the
// right bytes, computed here, and report it by Down.
type Process struct {
	stage    atomic.Pointer[string]
	mu       sync.Mutex
	watchers []func()
}

// Down says that the process cannot be used any more and at which stage it
// failed, one phrase. Selections make new plans without it, in the background.
// Only the first call counts.
func (p *Process) Down(stage string) {
	if !p.stage.CompareAndSwap(nil, &stage) {
		return
	}
	p.mu.Lock()
	watchers := p.watchers
	p.watchers = nil
	p.mu.Unlock()
	for _, watcher := range watchers {
		// The call that failed may be part of a self-test, which holds locks
		// that the watcher wants.
		go watcher()
	}
}

// Stage returns at which stage the process failed, or the empty string while it
// is up. A nil Process, that of a backend in this process, is always up.
func (p *Process) Stage() string {
	if p == nil {
		return ""
	}
	if stage := p.stage.Load(); stage != nil {
		return *stage
	}
	return ""
}

// watch has f called, in a goroutine, when the process is down.
func (p *Process) watch(f func()) {
	p.mu.Lock()
	if p.stage.Load() == nil {
		p.watchers = append(p.watchers, f)
		f = nil
	}
	p.mu.Unlock()
	if f != nil {
		go f()
	}
}

// markDown takes the kernels of processes that are down out of the selection.
// s.mu is held.
func (s *selector) markDown() {
	atWork := map[*Backend]bool{}
	for _, c := range s.candidates {
		if c.tested {
			atWork[c.backend] = true
		}
	}
	for _, c := range s.candidates {
		if stage := c.backend.Process.Stage(); stage != "" && c.outcome.eligible() {
			c.outcome, c.lostAtWork = Outcome{PluginDown, stage}, atWork[c.backend]
			s.notes = append(s.notes, c.name()+": "+c.outcome.String()+s.policy.lifted(c))
		}
	}
}

// lifted says which words of the override no longer hold because c is down.
func (p *policy) lifted(c *candidate) string {
	var words []string
	for _, w := range p.forces {
		if c.lostAtWork && w.verb == verbForce && c.matches(w.name) {
			words = append(words, w.text)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "; " + strings.Join(words, ", ") + " no longer holds"
}

// watchProcesses has replan called when a process that s has kernels of is down.
func (s *selector) watchProcesses(replan func()) {
	seen := map[*Process]bool{}
	for _, c := range s.candidates {
		if p := c.backend.Process; p != nil && !seen[p] {
			seen[p] = true
			p.watch(replan)
		}
	}
}

// replanWithoutDown replaces the plans in sources that use a kernel of a process
// that is down. A force does not keep such a plan.
func (s *selector) replanWithoutDown(sources *[numAlgorithms]Source) {
	for a := range numAlgorithms {
		old := sources[a].Plan()
		if old == nil || !old.usesDown() {
			continue
		}
		if plan, err := s.plan(a); err == nil {
			sources[a].current.CompareAndSwap(old, plan)
		}
	}
}

// usesDown reports whether some kernel of the plan is of a process that is down.
func (p *Plan) usesDown() bool {
	for _, c := range usedIn(p.schedules) {
		if c.backend.Process.Stage() != "" {
			return true
		}
	}
	return false
}
