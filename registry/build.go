package registry

import (
	"maps"
	"slices"

	"github.com/quarterround/quarterround/internal/planner"
)

// Overheads in cycles: what dispatching a call costs, and what a last step
// through a scratch buffer costs on top. On the wide cores these are a few
// nanoseconds.
const (
	callOverhead      = 12
	scratchOverhead   = 40
	copyBlockOverhead = 8
)

// builder makes one schedule.
type builder struct {
	selector  *selector
	algorithm Algorithm
	schedule  *Schedule
}

// build returns the schedule for what allowed allows, according to the costs
// that the selector knows.
func (s *selector) build(a Algorithm, allowed *allowance) Schedule {
	schedule := Schedule{lengths: allowed.lengths, allowed: allowed, used: map[*candidate]bool{}}
	b := &builder{selector: s, algorithm: a, schedule: &schedule}
	if a.Cipher() != NoCipher {
		b.stream()
	}
	if algorithms[a].mac {
		b.mac()
	}
	if a.IsAEAD() {
		b.aead()
	}
	return schedule
}

// overhead returns the overheads in the selector's unit.
func (b *builder) overhead() planner.Overhead {
	scale := b.selector.scale
	return planner.Overhead{Call: callOverhead * scale, Scratch: scratchOverhead * scale, CopyBlock: copyBlockOverhead * scale}
}

// model returns what the planner needs to know of c.
func (b *builder) model(c *candidate) planner.Kernel {
	cost := b.selector.costOf(c, b.algorithm)
	return planner.Kernel{
		ID: c.id, Blocks: c.kernel.Blocks, Fixed: cost.Fixed, PerStep: cost.PerStep, Spread: cost.Spread,
		Simplicity: c.kernel.Simplicity, Granular: c.kernel.Kind == KindMAC,
	}
}

// use notes that candidate id is part of the schedule and returns its kernel.
func (b *builder) use(id int) *Kernel {
	c := b.selector.candidates[id]
	b.schedule.used[c] = true
	return c.kernel
}

// stream plans the stream cipher.
func (b *builder) stream() {
	var kernels []planner.Kernel
	for _, c := range b.schedule.allowed.byKind[KindStream] {
		kernels = append(kernels, b.model(c))
	}
	plan := planner.Build(kernels, b.overhead())
	b.schedule.streamPlan = plan
	table := &b.schedule.stream
	table.rounds = b.algorithm.Rounds()
	table.counter = b.algorithm.Cipher().CounterWord()
	for _, parts := range plan.Parts {
		table.short = append(table.short, b.streamCalls(parts))
	}
	table.bulk = b.streamCalls([]planner.Part{{ID: plan.Bulk.ID, Steps: stepsPerCall(plan.Bulk.Blocks * BlockSize)}})[0]
}

// stepsPerCall returns how many steps of the given bytes one call may have.
func stepsPerCall(step int) int { return pieceSize / step }

func (b *builder) streamCalls(parts []planner.Part) []streamCall {
	calls := make([]streamCall, len(parts))
	for i, p := range parts {
		k := b.use(p.ID)
		calls[i] = streamCall{xor: k.XOR, step: k.Step(), size: p.Steps * k.Step()}
	}
	return calls
}

// mac plans the MAC.
func (b *builder) mac() {
	plan := planner.BuildMAC(b.macModels(), b.overhead())
	b.schedule.macPlan = plan
	for i := range plan {
		setup := setupOf(plan[i].Layout, b.schedule.allowed.byKind[KindMAC])
		b.schedule.mac.levels = append(b.schedule.mac.levels, b.macLevel(&plan[i], setup))
	}
}

func (b *builder) macModels() []planner.MACKernel {
	var kernels []planner.MACKernel
	for _, c := range b.schedule.allowed.byKind[KindMAC] {
		setup := b.selector.costOf(c, b.algorithm).Setup
		kernels = append(kernels, planner.MACKernel{Kernel: b.model(c), Layout: c.kernel.Powers, Setup: setup})
	}
	return kernels
}

// macLevel binds one level of a MAC plan to kernels.
func (b *builder) macLevel(plan *planner.MACLevel, setup SetupFunc) MACLevel {
	level := MACLevel{from: plan.From * MACBlockSize, layout: layoutOf(plan.Layout), setup: setup}
	for _, parts := range plan.Table.Parts {
		level.short = append(level.short, b.macCalls(parts))
	}
	bulk := plan.Table.Bulk
	level.bulk = b.macCalls([]planner.Part{{ID: bulk.ID, Steps: stepsPerCall(bulk.Blocks * MACBlockSize)}})[0]
	level.extend = plan.Table.Extend
	return level
}

func (b *builder) macCalls(parts []planner.Part) []macCall {
	calls := make([]macCall, len(parts))
	for i, p := range parts {
		k := b.use(p.ID)
		calls[i] = macCall{absorb: k.Absorb, step: k.Step(), size: p.Steps * k.Step(), layout: layoutOf(k.Powers)}
	}
	return calls
}

// aead plans the AEAD over the plans of its parts.
func (b *builder) aead() {
	problem := &planner.AEADProblem{
		Stream: b.schedule.streamPlan, MAC: b.schedule.macPlan, WithLayout: map[string]*planner.Table{},
		FusedOnly: b.schedule.allowed.fusedOnly, MaxHead: MaxHead, Overhead: b.overhead(),
	}
	for _, c := range b.schedule.allowed.byKind[KindFused] {
		layout := c.kernel.Powers
		table := b.macTableFor(layout)
		if table == nil {
			continue // a force left no MAC kernel that could share its powers
		}
		problem.WithLayout[layout] = table
		setup := b.selector.costOf(c, b.algorithm).Setup
		problem.Fused = append(problem.Fused, planner.FusedKernel{
			MACKernel: planner.MACKernel{Kernel: b.model(c), Layout: layout, Setup: setup}})
	}
	plan := planner.BuildAEAD(problem)
	b.schedule.aeadPlan = plan
	calls := map[int]*fusedCall{}
	b.schedule.aead.short = b.aeadEntries(plan.Short, problem, calls)
	b.schedule.aead.long = b.aeadEntries(plan.Long, problem, calls)
}

// macTableFor returns the plan of the MAC with kernels that read no powers or
// those of one layout, nil if there is no such kernel.
func (b *builder) macTableFor(layout string) *planner.Table {
	var kernels []planner.Kernel
	for _, k := range b.macModels() {
		if k.Layout == "" || k.Layout == layout {
			kernels = append(kernels, k.Kernel)
		}
	}
	if len(kernels) == 0 {
		return nil
	}
	return planner.Build(kernels, b.overhead())
}

// aeadEntries binds entries to fused kernels, one call object for each kernel.
func (b *builder) aeadEntries(entries []planner.AEADEntry, problem *planner.AEADProblem, calls map[int]*fusedCall) []aeadEntry {
	bound := make([]aeadEntry, len(entries))
	for i, e := range entries {
		bound[i].head = e.Head
		if e.Fused < 0 {
			continue
		}
		if calls[e.Fused] == nil {
			calls[e.Fused] = b.fusedCall(e.Fused, problem)
		}
		bound[i].fused = calls[e.Fused]
	}
	return bound
}

func (b *builder) fusedCall(id int, problem *planner.AEADProblem) *fusedCall {
	k := b.use(id)
	level := b.macLevel(&planner.MACLevel{Layout: k.Powers, Table: problem.WithLayout[k.Powers]}, k.Setup)
	return &fusedCall{seal: k.Seal, open: k.Open, step: k.Step(), size: stepsPerCall(k.Step()) * k.Step(), level: &level}
}

// usedIn returns the candidates that the schedules use, in candidate order.
func usedIn(schedules []Schedule) []*candidate {
	used := map[*candidate]bool{}
	for i := range schedules {
		maps.Copy(used, schedules[i].used)
	}
	return slices.SortedFunc(maps.Keys(used), func(x, y *candidate) int { return x.id - y.id })
}
