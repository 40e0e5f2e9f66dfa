package planner

import "math"

// A FusedKernel is what the planner knows of a kernel that encrypts and
// authenticates in one pass.
type FusedKernel struct {
	MACKernel
}

// An AEADProblem is what the plan of an AEAD is made of.
type AEADProblem struct {
	// Stream is the plan of the stream cipher.
	Stream *Table
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
	// MaxHead is how many data blocks may come out of the call that makes the key
	// block; they go through a scratch buffer.
	MaxHead int
	// Overhead is what calls and copies cost.
	Overhead Overhead
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
func BuildAEAD(p *AEADProblem) *AEADTable {
	widest, period := 1, 1
	for _, f := range p.Fused {
		widest = max(widest, f.Blocks)
		period = leastCommonMultiple(period, f.Blocks)
	}
	limit := max(64, 4*widest)
	t := &AEADTable{}
	for n := range limit + 1 {
		entry, _ := p.best(n)
		t.Short = append(t.Short, entry)
	}
	// Far out the entry depends on n only through what is left after the last
	// whole fused step.
	const far = 1 << 12
	for residue := range period {
		entry, _ := p.best(far*period + residue)
		t.Long = append(t.Long, entry)
	}
	return t
}

func leastCommonMultiple(a, b int) int {
	for m := a; ; m += a {
		if m%b == 0 {
			return m
		}
	}
}

// best returns the cheapest entry for n data blocks and its cost. Fused kernels
// are less simple than the composition and have to be better by more than the
// tolerance.
func (p *AEADProblem) best(n int) (AEADEntry, float64) {
	entry, cost := p.composed(n)
	if p.FusedOnly && p.fits(n) {
		cost = math.Inf(1)
	}
	for _, f := range p.Fused {
		other, otherCost := p.fused(n, &f)
		if otherCost < cost*(1-Tolerance(f.Spread, 0)) || math.IsInf(cost, 1) && !math.IsInf(otherCost, 1) {
			entry, cost = other, otherCost
		}
	}
	return entry, cost
}

// fits reports whether a step of some fused kernel fits into n blocks.
func (p *AEADProblem) fits(n int) bool {
	for _, f := range p.Fused {
		if f.Blocks <= n {
			return true
		}
	}
	return false
}

// headCost is the cost of making the key block and h data blocks out of n in one
// call. If these are all, the buffer has room for the step.
func (p *AEADProblem) headCost(h, n int) float64 {
	copying := float64(h) * p.Overhead.CopyBlock
	if h == n {
		return p.Stream.CostWithin(1+h) + copying
	}
	return p.Stream.CostOf(1+h) + copying
}

// composed returns the best entry without a fused kernel.
func (p *AEADProblem) composed(n int) (AEADEntry, float64) {
	best, cost := AEADEntry{Fused: -1}, math.Inf(1)
	for h := 0; h <= min(n, p.MaxHead); h++ {
		entry := AEADEntry{Head: h, Fused: -1}
		if c := p.costOf(entry, n); c < cost {
			best, cost = entry, c
		}
	}
	return best, cost
}

// costOf returns the cost of n blocks done as an entry says.
func (p *AEADProblem) costOf(e AEADEntry, n int) float64 {
	h := min(e.Head, n)
	if e.Fused < 0 {
		cost := p.headCost(h, n) + p.Stream.CostOf(n-h) + CostOfMAC(p.MAC, macBlocksPerBlock*n+1)
		if h > 0 && h < n {
			cost += p.Overhead.Call // the MAC runs over head and rest apart
		}
		return cost
	}
	f := p.fusedKernel(e.Fused)
	table := p.WithLayout[f.Layout]
	steps := (n - h) / f.Blocks
	rest := n - h - steps*f.Blocks
	cost := p.headCost(h, n) + f.Setup + p.Overhead.Call + f.Fixed + float64(steps)*f.PerStep +
		p.Stream.CostOf(rest) + table.CostOf(macBlocksPerBlock*rest+1)
	if h > 0 {
		cost += table.CostOf(macBlocksPerBlock * h)
	}
	return cost
}

// fusedKernel returns the kernel of that ID, which is among the problem's.
func (p *AEADProblem) fusedKernel(id int) *FusedKernel {
	for i := range p.Fused {
		if p.Fused[i].ID == id {
			return &p.Fused[i]
		}
	}
	return nil
}

// fused returns the best entry with as many steps of f as fit, at least one.
func (p *AEADProblem) fused(n int, f *FusedKernel) (AEADEntry, float64) {
	best, cost := AEADEntry{Fused: -1}, math.Inf(1)
	for h := 0; h <= min(n-f.Blocks, p.MaxHead); h++ {
		entry := AEADEntry{Head: h, Fused: f.ID, Steps: (n - h) / f.Blocks}
		if c := p.costOf(entry, n); c < cost {
			best, cost = entry, c
		}
	}
	return best, cost
}
