package registry

import (
	"fmt"
	"slices"

	"github.com/quarterround/quarterround/internal/planner"
)

// A Candidate is what became of one kernel as a candidate for one algorithm.
type Candidate struct {
	Backend string `json:"backend"`
	Kernel  string `json:"kernel"`
	Kind    Kind   `json:"kind"`
	// Blocks is the width of a step in blocks of the kernel's kind.
	Blocks int `json:"blocks"`
	Outcome
	// Cost is nil where the kernel cannot run. With several classes of core it is
	// that on the strongest, and Classes has all.
	Cost *Cost `json:"cost,omitempty"`
	// Behind is by which fraction the kernel alone is slower than the plan where it
	// comes closest, and BehindAt the length in bytes at which that is; both only
	// if it could be used and is not.
	Behind   float64     `json:"behind,omitempty"`
	BehindAt int         `json:"behind_at,omitempty"`
	Classes  []ClassCost `json:"classes,omitempty"`
}

// A ClassCost is the cost of a kernel on one class of core.
type ClassCost struct {
	// Class is the model of the cores, CPUs their numbers in the form of Linux.
	Class string `json:"class"`
	CPUs  string `json:"cpus,omitempty"`
	Cost  Cost   `json:"cost"`
}

// Name returns "backend/kernel".
func (c *Candidate) Name() string { return c.Backend + "/" + c.Kernel }

// Candidates says for every kernel that could do some of the work of a what
// became of it, in the order of backends and their kernels.
func (sel *Selection) Candidates(a Algorithm) []Candidate {
	s := sel.selector
	s.mu.Lock()
	defer s.mu.Unlock()
	plan := sel.sources[a].Plan()
	var all []Candidate
	for _, c := range s.candidates {
		if !c.serves(a) {
			continue
		}
		report := Candidate{Backend: c.backend.Name, Kernel: c.kernel.Name, Kind: c.kernel.Kind, Blocks: c.kernel.Blocks}
		report.Outcome = s.outcomeIn(plan, c)
		if c.outcome.eligible() {
			cost := s.costOf(c, a)
			report.Cost, report.Classes = &cost, s.classCosts(c, a)
			if report.State != Selected && report.State != Forced && report.State != Excluded {
				report.Behind, report.BehindAt = s.behind(plan, c)
			}
		}
		all = append(all, report)
	}
	for _, b := range s.late {
		for i := range b.Kernels {
			if k := &b.Kernels[i]; b.allows(a) && a.uses(k) {
				all = append(all, Candidate{Backend: b.Name, Kernel: k.Name, Kind: k.Kind, Blocks: k.Blocks,
					Outcome: Outcome{State: RegisteredLate}})
			}
		}
	}
	return all
}

// classCosts returns the costs of c by class of core, nil if all are equal.
func (s *selector) classCosts(c *candidate, a Algorithm) []ClassCost {
	if len(s.tables) == 1 {
		return nil
	}
	var costs []ClassCost
	for _, t := range s.tables {
		costs = append(costs, ClassCost{Class: t.class.Model, CPUs: t.class.CPUList(), Cost: t.cost(c, a)})
	}
	return costs
}

// outcomeIn says what became of c in plan.
func (s *selector) outcomeIn(plan *Plan, c *candidate) Outcome {
	if !c.outcome.eligible() {
		return c.outcome
	}
	var force *word
	for i := range plan.schedules {
		schedule := &plan.schedules[i]
		w := schedule.allowed.forced[c.kernel.Kind]
		if schedule.used[c] && w != nil {
			return Outcome{Forced, "by " + w.text}
		}
		if schedule.used[c] {
			return Outcome{Selected, c.breakEven(plan, schedule)}
		}
		if !slices.Contains(schedule.allowed.byKind[c.kernel.Kind], c) {
			force = w
		}
	}
	if force != nil {
		return Outcome{Excluded, "by " + force.text}
	}
	return s.loser(plan, c)
}

// breakEven says of a kernel in another process from which length on a schedule
// uses it, empty for others.
func (c *candidate) breakEven(plan *Plan, schedule *Schedule) string {
	if c.backend.Process == nil {
		return ""
	}
	b := builder{algorithm: plan.algorithm, schedule: schedule}
	for n := 1; n <= 1<<14; n = max(n+1, n*9/8) {
		for _, part := range b.partsFor(c, n) {
			if part.ID == c.id {
				return "pays from " + formatLength(n*b.unitOf(c)) + " on"
			}
		}
	}
	return ""
}

// partsFor returns the plan for n blocks of c's kind.
func (b *builder) partsFor(c *candidate, n int) []planner.Part {
	if c.kernel.Kind == KindStream {
		return b.schedule.streamPlan.For(n)
	}
	if c.kernel.Kind == KindFused {
		return []planner.Part{{ID: b.schedule.aeadPlan.whole.For(n).Fused}}
	}
	return b.schedule.macLevelFor(n).Table.For(n)
}

// macLevelFor returns the level of a MAC of that many blocks.
func (s *Schedule) macLevelFor(blocks int) *planner.MACLevel {
	level := &s.macPlan[0]
	for i := range s.macPlan {
		if s.macPlan[i].From <= blocks {
			level = &s.macPlan[i]
		}
	}
	return level
}

// loser says why an eligible kernel that nothing forbids is not in the plan. How
// much slower it is is said for the length at which it comes closest.
func (s *selector) loser(plan *Plan, c *candidate) Outcome {
	behind, length := s.behind(plan, c)
	detail := fmt.Sprintf("%+.0f %% at %s", 100*behind, formatLength(length))
	if c.backend.Process != nil && behind > 0 {
		detail = "never faster, " + detail
	}
	if reason := s.unmeasured[keyFor(c, plan.algorithm)]; reason != "" {
		return Outcome{NotMeasured, reason + "; prior: " + detail}
	}
	if !c.tested {
		return Outcome{NotTested, "prior: " + detail}
	}
	if behind <= planner.Tolerance(s.costOf(c, plan.algorithm).Spread, 0) {
		return Outcome{WithinNoise, detail}
	}
	return Outcome{Slower, detail}
}

// behind returns by which fraction c alone is slower than the plan at the length
// where it comes closest, and that length in bytes.
func (s *selector) behind(plan *Plan, c *candidate) (behind float64, length int) {
	b := builder{selector: s, algorithm: plan.algorithm, schedule: &plan.schedules[0]}
	behind, blocks := b.closest(c)
	return behind, blocks * b.unitOf(c)
}

// unitOf returns the number of bytes in a block of the kernel's kind.
func (b *builder) unitOf(c *candidate) int {
	if c.kernel.Kind == KindMAC {
		return MACBlockSize
	}
	return BlockSize
}

// closest returns by which fraction c alone is slower than the plan of its kind,
// at the number of blocks where that is least.
func (b *builder) closest(c *candidate) (behind float64, blocks int) {
	planned := b.costOfKind(c)
	alone := b.costAlone(c)
	for n := 1; n <= 4096; n = max(n+1, n*5/4) {
		if ratio := alone(n)/planned(n) - 1; blocks == 0 || ratio < behind {
			behind, blocks = ratio, n
		}
	}
	return behind, blocks
}

// costOfKind returns the cost of the plan by blocks of c's kind.
func (b *builder) costOfKind(c *candidate) func(int) float64 {
	switch c.kernel.Kind {
	case KindMAC:
		return func(n int) float64 { return planner.CostOfMAC(b.schedule.macPlan, n) }
	case KindFused:
		return func(n int) float64 {
			return b.schedule.streamPlan.CostOf(n) + planner.CostOfMAC(b.schedule.macPlan, 4*n)
		}
	}
	return b.schedule.streamPlan.CostOf
}

// costAlone returns the cost by blocks if c did all the work.
func (b *builder) costAlone(c *candidate) func(int) float64 {
	table := planner.Build([]planner.Kernel{b.model(b.selector.tables[0], c)}, b.overhead(c.kernel.Kind))
	setup := b.selector.costOf(c, b.algorithm).Setup
	return func(n int) float64 { return setup + table.CostOf(n) }
}

// formatLength formats a number of bytes.
func formatLength(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// A Step is one kernel call, or a run of them, in the composition of a message.
type Step struct {
	// Kernel is "backend/kernel", Kind its kind, Steps the number of its steps.
	Kernel string `json:"kernel"`
	Kind   Kind   `json:"kind"`
	Steps  int    `json:"steps"`
	// Covers is how many bytes of the message, or of the key block and the
	// message, these steps have room for.
	Covers int `json:"covers"`
	// Note says what the steps are for, where that is not plain.
	Note string `json:"note,omitempty"`
}

// Compose returns what runs for a call (streams, MAC) or message (AEAD) of n
// bytes, and its cost according to the selection, in its unit. It panics if n is
// negative.
func (sel *Selection) Compose(a Algorithm, n int) (steps []Step, cost float64) {
	if n < 0 {
		panic(fmt.Sprintf("registry: Compose of %d bytes", n))
	}
	s := sel.selector
	s.mu.Lock()
	defer s.mu.Unlock()
	schedule := sel.sources[a].Plan().schedule(n)
	c := composer{selector: s, algorithm: a, schedule: schedule, partial: n%BlockSize != 0}
	switch {
	case a.IsAEAD():
		c.aead(n)
	case a.IsMAC():
		c.mac(macBlocks(n), "")
	default:
		c.stream(dataBlocks(n), "")
	}
	return c.steps, c.cost
}

// CostOf returns what steps, as Compose of this or another selection returned
// them for n bytes, cost in algorithm a according to this selection, in its unit.
// Of copying, it counts that of a last step that is not full. It fails if a kernel
// is unknown.
func (sel *Selection) CostOf(a Algorithm, n int, steps []Step) (float64, error) {
	s := sel.selector
	s.mu.Lock()
	defer s.mu.Unlock()
	scale, total := s.tables[0].scale, 0.0
	left := dataBlocks(n) // of the stream cipher
	if a.IsAEAD() {
		left++
	}
	b := builder{selector: s, algorithm: a}
	overhead := b.overhead(KindStream)
	overhead.Partial = n%BlockSize != 0
	setups := map[string]float64{}
	for _, step := range steps {
		i := slices.IndexFunc(s.candidates, func(c *candidate) bool { return c.name() == step.Kernel })
		if i < 0 {
			return 0, fmt.Errorf("there is no kernel %q", step.Kernel)
		}
		c := s.candidates[i]
		cost := s.costOf(c, a)
		total += b.overhead(c.kernel.Kind).Call + cost.Fixed + float64(step.Steps)*cost.PerStep
		if c.kernel.Kind != KindMAC {
			model := b.model(s.tables[0], c)
			total += overhead.LastStep(&model, left-(step.Steps-1)*c.kernel.Blocks, step.Steps)
			left -= step.Steps * c.kernel.Blocks
		}
		if layout := c.kernel.Powers; layout != "" {
			setups[layout] = max(setups[layout], cost.Setup+powersOverhead*scale)
		}
	}
	for _, setup := range setups {
		total += setup
	}
	return total, nil
}

func macBlocks(n int) int { return n/MACBlockSize + (n%MACBlockSize+MACBlockSize-1)/MACBlockSize }

// A composer lists the steps for a length.
type composer struct {
	selector  *selector
	algorithm Algorithm
	schedule  *Schedule
	partial   bool // the last block is
	steps     []Step
	cost      float64
}

func (c *composer) add(parts []planner.Part, note string) {
	for _, p := range parts {
		cand := c.selector.candidates[p.ID]
		c.steps = append(c.steps, Step{Kernel: cand.name(), Kind: cand.kernel.Kind, Steps: p.Steps, Covers: p.Steps * cand.kernel.Step(), Note: note})
	}
}

func (c *composer) stream(blocks int, note string) {
	table := c.schedule.streamPlan
	if c.partial {
		table = c.schedule.partialPlan
	}
	c.add(table.For(blocks), note)
	c.cost += table.CostOf(blocks)
}

func (c *composer) mac(blocks int, note string) {
	if blocks == 0 {
		return
	}
	level := c.schedule.macLevelFor(blocks)
	if level.Layout != "" && note == "" {
		note = "over powers of r, " + level.Layout
	}
	c.add(level.Table.For(blocks), note)
	c.cost += level.Setup + level.Table.CostOf(blocks)
}

// key adds the call that makes the key block and some data blocks, which may be all
// there are.
func (c *composer) key(head int, all bool, note string) {
	table := c.schedule.streamPlan
	if all {
		table = c.schedule.withinPlan
	}
	c.add(table.For(1+head), note)
	c.cost += table.CostOf(1 + head)
}

// headNote says what comes out of the call that makes the key block.
func headNote(blocks int) string {
	switch blocks {
	case 0:
		return "key block"
	case 1:
		return "key block and 1 data block in one call"
	}
	return fmt.Sprintf("key block and %d data blocks in one call", blocks)
}

func (c *composer) aead(n int) {
	blocks := dataBlocks(n)
	entry := c.schedule.aeadPlan.forMessage(n)
	head := min(entry.Head, blocks)
	c.key(head, head == blocks, headNote(head))
	rest := blocks - head
	if entry.Fused >= 0 {
		k := c.selector.candidates[entry.Fused]
		steps := (n/BlockSize - head) / k.kernel.Blocks
		c.add([]planner.Part{{ID: entry.Fused, Steps: steps}}, "stream and MAC in one pass")
		cost := c.selector.costOf(k, c.algorithm)
		c.cost += cost.Setup + cost.Fixed + float64(steps)*cost.PerStep
		rest -= steps * k.kernel.Blocks
		c.stream(rest, "")
		c.mac(4*(head+rest)+1, "")
		return
	}
	c.stream(rest, "")
	c.mac(macBlocks(n)+1, "")
}

// Measurement says what was measured for the selection.
func (sel *Selection) Measurement() Measurement {
	sel.selector.mu.Lock()
	defer sel.selector.mu.Unlock()
	return sel.selector.measurement
}

// Unit returns the unit of all costs: "ns" or "cycles".
func (sel *Selection) Unit() string {
	sel.selector.mu.Lock()
	defer sel.selector.mu.Unlock()
	return sel.selector.unit
}

// Notes returns what a user should know: failed self-tests, an ignored
// environment, profiles that were not used and why.
func (sel *Selection) Notes() []string {
	sel.selector.mu.Lock()
	defer sel.selector.mu.Unlock()
	return slices.Clone(sel.selector.notes)
}

// MarshalText implements encoding.TextMarshaler: "stream", "mac" or "fused".
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *Kind) UnmarshalText(text []byte) error {
	for _, kind := range kinds {
		if kind.String() == string(text) {
			*k = kind
			return nil
		}
	}
	return fmt.Errorf("%q is not a kind of kernel: stream, mac or fused", text)
}
