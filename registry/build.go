package registry

import (
	"cmp"
	"maps"
	"slices"

	"github.com/quarterround/quarterround/internal/planner"
)

// Overheads in cycles: what dispatching a call costs, what a last step through
// the small scratch buffer costs on top, through the large one for each block of
// the step more than that, and each block copied in and out; most of it is the
// stall on reading wide what was just written narrow, which is longer for kernels that
// read whole vectors. Half of that counts: plans
// are by whole blocks, and what fills its blocks exactly for the planner needs the
// buffer nevertheless if the last block is not full. Powers of R cost more than
// computing them: clearing the room for them, and waiting for them, which costs
// measured on calls that follow one another do not show. On the wide cores these are
// a few nanoseconds.
//
// A MAC call costs more than another: it waits for what the one before has made of the
// state, and that until the last carry.
const (
	callOverhead         = 12
	macCallOverhead      = 40
	scratchOverhead      = 40
	largeScratchOverhead = 2.5
	copyBlockOverhead    = 4
	forwardOverhead      = 16
	powersOverhead       = 120
)

// builder makes one schedule.
type builder struct {
	selector  *selector
	algorithm Algorithm
	schedule  *Schedule
	// macTables are the plans of the MAC by class of core and layout of powers.
	macTables []map[string]*planner.Table
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

// overheads returns the overheads in the selector's unit by class of core.
func (b *builder) overheads() []planner.Overhead {
	var all []planner.Overhead
	for _, t := range b.selector.tables {
		all = append(all, planner.Overhead{Call: callOverhead * t.scale, Scratch: scratchOverhead * t.scale, CopyBlock: copyBlockOverhead * t.scale})
	}
	return all
}

// macOverheads are overheads of calls that absorb.
func (b *builder) macOverheads() []planner.Overhead {
	var all []planner.Overhead
	for _, t := range b.selector.tables {
		all = append(all, planner.Overhead{Call: macCallOverhead * t.scale})
	}
	return all
}

// overhead is that of calls of a kind on the strongest class.
func (b *builder) overhead(kind Kind) planner.Overhead {
	if kind == KindMAC {
		return b.macOverheads()[0]
	}
	return b.overheads()[0]
}

// model returns what the planner needs to know of c on a class of core.
func (b *builder) model(t *costTable, c *candidate) planner.Kernel {
	cost := t.cost(c, b.algorithm)
	scratch := 0.0
	if c.kernel.Step() > smallScratch {
		scratch = largeScratchOverhead * float64(c.kernel.Blocks) * t.scale
	}
	if len(c.kernel.Features) > 0 {
		scratch += forwardOverhead * t.scale
	}
	return planner.Kernel{
		ID: c.id, Scratch: scratch, Blocks: c.kernel.Blocks, Fixed: cost.Fixed, PerStep: cost.PerStep, Spread: cost.Spread,
		Simplicity: c.kernel.Simplicity, Granular: c.kernel.Kind == KindMAC,
	}
}

// streamModels returns the stream kernels that are allowed, by class of core.
func (b *builder) streamModels() [][]planner.Kernel {
	classes := make([][]planner.Kernel, len(b.selector.tables))
	candidates := b.schedule.allowed.byKind[KindStream]
	for i, t := range b.selector.tables {
		classes[i] = make([]planner.Kernel, 0, len(candidates))
		for _, c := range candidates {
			classes[i] = append(classes[i], b.model(t, c))
		}
	}
	return classes
}

// use notes that candidate id is part of the schedule and returns its kernel.
func (b *builder) use(id int) *Kernel {
	c := b.selector.candidates[id]
	b.schedule.used[c] = true
	return c.kernel
}

// stream plans the stream cipher.
func (b *builder) stream() {
	plan := planner.BuildClasses(b.streamModels(), b.overheads())
	b.schedule.streamPlan = plan
	table := &b.schedule.stream
	table.rounds = b.algorithm.Rounds()
	table.counter = b.algorithm.Cipher().CounterWord()
	table.short = b.streamTable(plan.Parts)
	b.schedule.partialPlan = planner.BuildClasses(b.streamModels(), partial(b.overheads()))
	table.partial = b.streamTable(b.schedule.partialPlan.Parts)
	if b.algorithm.IsAEAD() {
		b.schedule.withinPlan = planner.BuildClasses(planner.Roomy(b.streamModels(), b.overheads()))
		table.within = b.streamTable(b.schedule.withinPlan.Parts)
	}
	table.bulk = b.streamCalls([]planner.Part{{ID: plan.Bulk.ID, Steps: stepsPerCall(plan.Bulk.Blocks * BlockSize)}})[0]
}

// partial returns the overheads of messages whose last block is partial.
func partial(overheads []planner.Overhead) []planner.Overhead {
	for i := range overheads {
		overheads[i].Partial = true
	}
	return overheads
}

// stepsPerCall returns how many steps of the given bytes one call may have.
func stepsPerCall(step int) int { return pieceSize / step }

// streamTable binds the calls for each number of blocks to kernels.
func (b *builder) streamTable(table [][]planner.Part) [][]streamCall {
	bound := make([][]streamCall, len(table))
	for i, parts := range table {
		bound[i] = b.streamCalls(parts)
	}
	return bound
}

func (b *builder) streamCalls(parts []planner.Part) []streamCall {
	calls := make([]streamCall, len(parts))
	for i, p := range parts {
		k := b.use(p.ID)
		calls[i] = streamCall{xor: k.XOR, lead: k.Lead, step: k.Step(), size: p.Steps * k.Step()}
	}
	return calls
}

// mac plans the MAC.
func (b *builder) mac() {
	var plan []planner.MACLevel
	plan, b.macTables = planner.BuildMACClasses(b.macModels(), b.macOverheads())
	b.schedule.macPlan = plan
	for i := range plan {
		b.schedule.mac.levels = append(b.schedule.mac.levels, b.macLevel(&plan[i], b.setupIn(&plan[i])))
	}
}

// setupIn returns what computes the powers of a level: the Setup of a kernel in it
// that reads them, because that was tested.
func (b *builder) setupIn(plan *planner.MACLevel) SetupFunc {
	if plan.Layout == "" {
		return nil
	}
	bulk := []planner.Part{{ID: plan.Table.Bulk.ID}}
	for _, parts := range append(slices.Clone(plan.Table.Parts), bulk) {
		for _, p := range parts {
			if k := b.selector.candidates[p.ID].kernel; k.Powers == plan.Layout {
				return k.Setup
			}
		}
	}
	return nil
}

// macModels returns the MAC kernels that are allowed, by class of core.
func (b *builder) macModels() [][]planner.MACKernel {
	classes := make([][]planner.MACKernel, len(b.selector.tables))
	candidates := b.schedule.allowed.byKind[KindMAC]
	for i, t := range b.selector.tables {
		classes[i] = make([]planner.MACKernel, 0, len(candidates))
		for _, c := range candidates {
			classes[i] = append(classes[i], b.withPowers(t, c))
		}
	}
	return classes
}

func (b *builder) withPowers(t *costTable, c *candidate) planner.MACKernel {
	k := planner.MACKernel{Kernel: b.model(t, c), Layout: c.kernel.Powers}
	if k.Layout != "" {
		k.Setup = t.cost(c, b.algorithm).Setup + powersOverhead*t.scale
	}
	return k
}

// macLevel binds one level of a MAC plan to kernels.
func (b *builder) macLevel(plan *planner.MACLevel, setup SetupFunc) MACLevel {
	level := MACLevel{from: plan.From * MACBlockSize, setup: setup}
	if setup != nil {
		level.layout = layoutOf(plan.Layout)
	}
	level.short, level.sole = make([][]macCall, len(plan.Table.Parts)), make([]MACFunc, len(plan.Table.Parts))
	for i, parts := range plan.Table.Parts {
		level.short[i] = b.macCalls(parts)
		level.sole[i] = soleOf(level.short[i])
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

// aead plans the AEAD over the plans of its parts: sealing and opening, and messages
// whose last block is full or partial.
func (b *builder) aead() {
	problems := b.aeadProblems()
	calls := map[int]*fusedCall{} // one for each fused kernel
	table, plan := &b.schedule.aead, &b.schedule.aeadPlan
	plan.whole, table.seal.whole = b.aeadTable(problems, false, false, calls)
	plan.partial, table.seal.partial = b.aeadTable(problems, false, true, calls)
	table.open = table.seal
	if b.opensCheaper() {
		_, table.open.whole = b.aeadTable(problems, true, false, calls)
		_, table.open.partial = b.aeadTable(problems, true, true, calls)
	}
	table.setBrief(&b.schedule.stream, &b.schedule.mac)
}

// opensCheaper reports whether some fused kernel opens at another cost than it seals.
func (b *builder) opensCheaper() bool {
	return slices.ContainsFunc(b.schedule.allowed.byKind[KindFused], func(c *candidate) bool { return c.kernel.OpenSaves > 0 })
}

// aeadProblems returns what sealing is planned from, by class of core.
func (b *builder) aeadProblems() []*planner.AEADProblem {
	streams, macs, overheads := b.streamModels(), b.macModels(), b.overheads()
	var problems []*planner.AEADProblem
	for i, t := range b.selector.tables {
		p := &planner.AEADProblem{
			Stream: b.schedule.streamPlan, Within: b.schedule.withinPlan, MAC: b.schedule.macPlan, WithLayout: map[string]*planner.Table{},
			FusedOnly: b.schedule.allowed.fusedOnly, MaxHead: MaxHead, Overhead: overheads[i],
		}
		p.Overhead.CopyBlock = headBlockOverhead * t.scale
		if i > 0 {
			p.Stream = p.Stream.Under(streams[i], overheads[i])
			roomy, free := planner.Roomy(streams, overheads)
			p.Within = p.Within.Under(roomy[i], free[i])
			p.MAC = planner.LevelsUnder(p.MAC, macs[i], b.macOverheads()[i])
		}
		for _, c := range b.schedule.allowed.byKind[KindFused] {
			b.addFused(p, t, c, b.macTables[i])
		}
		problems = append(problems, p)
	}
	return problems
}

// aeadTable plans sealing or opening, for messages whose last block is partial or not.
func (b *builder) aeadTable(problems []*planner.AEADProblem, opening, partial bool, calls map[int]*fusedCall) (*planner.AEADTable, aeadEntries) {
	var variants []*planner.AEADProblem
	for i, p := range problems {
		fused := slices.Clone(p.Fused)
		for j := range fused {
			if saves := b.selector.candidates[fused[j].ID].kernel.OpenSaves; opening {
				fused[j].Fixed = max(0, fused[j].Fixed-saves*b.selector.tables[i].scale)
			}
		}
		variants = append(variants, p.Variant(fused, partial))
	}
	plan := planner.BuildAEADClasses(variants)
	return plan, aeadEntries{
		short: b.aeadEntries(plan.Short, variants[0], calls),
		long:  b.aeadEntries(plan.Long, variants[0], calls),
	}
}

// addFused adds a fused kernel to a problem, with the plan of the MAC around it:
// kernels that read no powers or those of its layout. It is left out if a force
// left no such kernel.
func (b *builder) addFused(p *planner.AEADProblem, t *costTable, c *candidate, tables map[string]*planner.Table) {
	layout := c.kernel.Powers
	around := cmp.Or(tables[layout], tables[""])
	if around == nil {
		return
	}
	p.WithLayout[layout] = around
	p.Fused = append(p.Fused, planner.FusedKernel{MACKernel: b.withPowers(t, c)})
}

// aeadEntries binds entries to fused kernels.
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
