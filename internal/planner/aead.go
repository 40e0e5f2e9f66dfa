package planner

import (
	"math"
	"slices"
)

// A FusedKernel is what the planner knows of a kernel that encrypts and
// authenticates in one pass.
type FusedKernel struct {
	MACKernel
}

// An AEADProblem is what the plan of an AEAD is made of.
type AEADProblem struct {
	// Stream is the plan of the stream cipher, and Within that in a buffer with room
	// for whole steps.
	Stream, Within *Table
	// MAC are the levels of the MAC.
	MAC []MACLevel
	// WithLayout gives, for the layout of each fused kernel, the plan of the MAC
	// over what the fused kernel leaves.
	WithLayout map[string]*Table
	// Fused are the fused kernels, possibly none.
	Fused []FusedKernel
	// FusedOnly forbids the composition of stream and MAC wherever a step of a
	// fused kernel fits.
	FusedOnly bool
	// Partial says that the last data block is not full, so that a fused kernel does
	// not take it.
	Partial bool
	// MaxHead is how many data blocks may come out of the call that makes the key
	// block; they go through a scratch buffer.
	MaxHead int
	// Overhead is what calls and copies cost.
	Overhead Overhead
	// compositions are the best plans without fused kernels that were found so far.
	compositions []composition
}

// remembered is below how many blocks, and around far for how many, compositions are
// kept.
const remembered = 160

// A composition is a plan without a fused kernel, and its cost; 0 if not known yet.
type composition struct {
	entry AEADEntry
	cost  float64
}

// Variant returns the problem with other costs of fused kernels, or for messages whose
// last block is partial or not. What goes without fused kernels is found once for all.
func (p *AEADProblem) Variant(fused []FusedKernel, partial bool) *AEADProblem {
	if p.compositions == nil {
		p.compositions = make([]composition, 2*remembered)
	}
	other := *p
	other.Fused, other.Partial = fused, partial
	return &other
}

// An AEADEntry is the plan for one number of data blocks: Head blocks come from
// the call that also makes the key block; then Steps steps of the fused kernel;
// then stream and MAC plans for the rest.
type AEADEntry struct {
	Head  int
	Fused int // kernel ID, -1 if none
	Steps int
}

// An AEADTable is the plan for every number of data blocks.
type AEADTable struct {
	// Short holds the entries for 0 to len(Short)-1 blocks.
	Short []AEADEntry
	// Long holds the entries for more, by the number of blocks modulo len(Long);
	// a fused kernel in them runs as many steps as fit after the head.
	Long []AEADEntry
}

// For returns the entry for n data blocks; width is that of the fused kernel
// the entry names.
func (t *AEADTable) For(n int) AEADEntry {
	if n < len(t.Short) {
		return t.Short[n]
	}
	return t.Long[n%len(t.Long)]
}

// macBlocksPerBlock is how many Poly1305 blocks a cipher block holds.
const macBlocksPerBlock = 4

// BuildAEAD returns the plan.
func BuildAEAD(p *AEADProblem) *AEADTable { return newAEADCosts(p).table() }

// far is a number of data blocks of which nearly all are done by one kernel.
const far = 1 << 17

// table finds the best entry for every number of data blocks. Far out it depends on
// the number only through what is left after the last whole step of the kernel.
func (c *aeadCosts) table() *AEADTable {
	widest := 1
	for _, f := range c.Fused {
		widest = max(widest, f.Blocks)
	}
	period := c.stepFarOut()
	limit := max(64, 4*widest)
	t := &AEADTable{Short: make([]AEADEntry, limit+1), Long: make([]AEADEntry, period)}
	for n := range t.Short {
		t.Short[n], _ = c.best(n)
	}
	for residue := range t.Long {
		t.Long[residue], _ = c.best(far - far%period + residue)
	}
	return t
}

// stepFarOut returns the blocks in a step of the fused kernel that is best for long
// messages, 1 if none is.
func (c *aeadCosts) stepFarOut() int {
	best, _ := c.best(far)
	for _, f := range c.Fused {
		if f.ID == best.Fused {
			return f.Blocks
		}
	}
	return 1
}

// aeadCosts are the costs that a problem's plans are put together from.
type aeadCosts struct {
	*AEADProblem
	// head is the cost of making the key block and as many data blocks as the
	// index says in one call, and only that if these are all the message has: the
	// buffer has room for the step then.
	head, only []float64
	fused      []fusedCosts
}

// fusedCosts are those around a fused kernel.
type fusedCosts struct {
	*FusedKernel
	call float64   // of the kernel, its powers included, without steps
	head []float64 // of the MAC over as many data blocks ahead of it
	rest []float64 // of stream and MAC over as many data blocks after it, a partial one included
	// least is no more than what any number of blocks costs but for the steps, and
	// tolerance the relative gain that counts.
	least, tolerance float64
	// around is what is best around the steps, by what is left of the whole blocks
	// after them if there is no head.
	around []around
}

// An around is a head, and what it and the rest cost, less the steps that the head
// spares; 0 if not known yet.
type around struct {
	head int
	cost float64
}

func newAEADCosts(p *AEADProblem) *aeadCosts {
	if p.compositions == nil {
		p.compositions = make([]composition, 2*remembered)
	}
	c := &aeadCosts{AEADProblem: p, head: make([]float64, p.MaxHead+1), only: make([]float64, p.MaxHead+1)}
	for h := range c.head {
		copying := float64(h) * p.Overhead.CopyBlock
		c.head[h], c.only[h] = p.Stream.CostOf(1+h)+copying, p.Within.CostOf(1+h)+copying
	}
	for i := range p.Fused {
		f := p.aroundFused(&p.Fused[i])
		f.least = f.call + slices.Min(c.head) + slices.Min(f.head) + slices.Min(f.rest)
		c.fused = append(c.fused, f)
	}
	return c
}

func (p *AEADProblem) aroundFused(k *FusedKernel) fusedCosts {
	f := fusedCosts{FusedKernel: k, call: k.Setup + p.Overhead.Call + k.Fixed, tolerance: Tolerance(k.Spread, 0),
		head: make([]float64, p.MaxHead+1), rest: make([]float64, k.Blocks+1), around: make([]around, k.Blocks)}
	table := p.WithLayout[k.Layout]
	for h := 1; h < len(f.head); h++ {
		f.head[h] = table.CostOf(macBlocksPerBlock * h)
	}
	for rest := range f.rest {
		f.rest[rest] = p.Stream.CostOf(rest) + table.CostOf(macBlocksPerBlock*rest+1)
	}
	return f
}

// best returns the cheapest entry for n data blocks and its cost. Fused kernels
// are less simple than the composition and have to be better by more than the
// tolerance.
func (c *aeadCosts) best(n int) (AEADEntry, float64) {
	entry, cost := c.bestComposed(n)
	if c.FusedOnly && c.fits(n) {
		cost = math.Inf(1)
	}
	for i := range c.fused {
		f := &c.fused[i]
		enough := cost * (1 - f.tolerance)
		if !math.IsInf(cost, 1) && (c.leastFused(n, f) >= enough || c.leastAround(n, f) >= enough) {
			continue
		}
		other, otherCost := c.bestFused(n, f)
		if otherCost < enough || math.IsInf(cost, 1) && !math.IsInf(otherCost, 1) {
			entry, cost = other, otherCost
		}
	}
	return entry, cost
}

// whole returns how many of n data blocks are full.
func (p *AEADProblem) whole(n int) int {
	if p.Partial {
		return max(0, n-1)
	}
	return n
}

// fits reports whether a step of some fused kernel fits into n blocks.
func (p *AEADProblem) fits(n int) bool {
	for _, f := range p.Fused {
		if f.Blocks <= p.whole(n) {
			return true
		}
	}
	return false
}

// kept returns where the composition of n data blocks is kept, nil if it is not.
func (p *AEADProblem) kept(n int) *composition {
	switch {
	case n < remembered:
		return &p.compositions[n]
	case far-remembered/2 <= n && n < far+remembered/2:
		return &p.compositions[remembered+remembered/2+n-far]
	}
	return nil
}

// bestComposed returns the best entry without a fused kernel.
func (c *aeadCosts) bestComposed(n int) (AEADEntry, float64) {
	kept := c.kept(n)
	if kept != nil && kept.cost > 0 {
		return kept.entry, kept.cost
	}
	best, cost := AEADEntry{Fused: -1}, math.Inf(1)
	mac := CostOfMAC(c.MAC, macBlocksPerBlock*n+1)
	for h := 0; h <= min(n, c.MaxHead); h++ {
		if composed := c.composed(n, h, mac); composed < cost {
			best.Head, cost = h, composed
		}
	}
	if kept != nil {
		*kept = composition{best, cost}
	}
	return best, cost
}

// composed returns the cost of n blocks without a fused kernel after a head of h,
// given that of the MAC over all.
func (c *aeadCosts) composed(n, h int, mac float64) float64 {
	if h == n {
		return c.only[h] + mac
	}
	cost := c.head[h] + c.Stream.CostOf(n-h) + mac
	if h > 0 {
		cost += c.Overhead.Call // the MAC runs over head and rest apart
	}
	return cost
}

// leastFused returns a bound below the cost of n blocks with f: the steps that the
// longest head leaves, and the least around them.
func (c *aeadCosts) leastFused(n int, f *fusedCosts) float64 {
	steps := max(1, (c.whole(n)-c.MaxHead)/f.Blocks)
	return (f.least + float64(steps)*f.PerStep) * (1 - rounding)
}

// leastAround returns a closer bound, which is also the cost if n is large enough for
// any head.
func (c *aeadCosts) leastAround(n int, f *fusedCosts) float64 {
	steps, rest := c.whole(n)/f.Blocks, c.whole(n)%f.Blocks
	return (f.call + c.bestAround(rest, f).cost + float64(steps)*f.PerStep) * (1 - rounding)
}

// bestAround returns what is best around the steps of f if rest whole blocks are left
// after them without a head.
func (c *aeadCosts) bestAround(rest int, f *fusedCosts) around {
	if best := f.around[rest]; best.cost != 0 {
		return best
	}
	partial := 0
	if c.Partial {
		partial = 1
	}
	best := around{cost: math.Inf(1)}
	left, spared := rest, 0
	for h := range c.head {
		if cost := c.head[h] + f.head[h] + f.rest[left+partial] - float64(spared)*f.PerStep; cost < best.cost {
			best = around{h, cost}
		}
		if left--; left < 0 { // the next head takes a block of a step
			left, spared = f.Blocks-1, spared+1
		}
	}
	f.around[rest] = best
	return best
}

// bestFused returns the best entry with as many steps of f as fit, at least one.
func (c *aeadCosts) bestFused(n int, f *fusedCosts) (AEADEntry, float64) {
	whole := c.whole(n)
	if whole >= f.Blocks+c.MaxHead {
		h := c.bestAround(whole%f.Blocks, f).head
		return AEADEntry{Head: h, Fused: f.ID, Steps: (whole - h) / f.Blocks}, c.withFused(n, h, f)
	}
	best, cost := AEADEntry{Fused: -1}, math.Inf(1)
	for h := 0; h <= whole-f.Blocks; h++ {
		if fused := c.withFused(n, h, f); fused < cost {
			best, cost = AEADEntry{Head: h, Fused: f.ID, Steps: (whole - h) / f.Blocks}, fused
		}
	}
	return best, cost
}

// withFused returns the cost of n blocks with as many steps of f as fit after a
// head of h.
func (c *aeadCosts) withFused(n, h int, f *fusedCosts) float64 {
	whole := c.whole(n)
	return c.withSteps(f, h, (whole-h)/f.Blocks, (whole-h)%f.Blocks+n-whole)
}

// withSteps returns the cost of a head, steps of f, and a rest.
func (c *aeadCosts) withSteps(f *fusedCosts, head, steps, rest int) float64 {
	return c.head[head] + f.head[head] + f.call + float64(steps)*f.PerStep + f.rest[rest]
}

// costOf returns the cost of n blocks done as an entry says.
func (c *aeadCosts) costOf(e AEADEntry, n int) float64 {
	h := min(e.Head, n)
	for i := range c.fused {
		if c.fused[i].ID == e.Fused {
			return c.withFused(n, h, &c.fused[i])
		}
	}
	return c.composed(n, h, CostOfMAC(c.MAC, macBlocksPerBlock*n+1))
}
