package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"
)

// Auto is the name of the plan as a candidate.
const Auto = "auto"

// A Candidate is one way to do the messages of a cell.
type Candidate struct {
	Name string
	// Kind is one of board.Kinds.
	Kind string
	// Source is the library and its version, of peers.
	Source string
	// Timer returns what times messages of an input. It is called each time the
	// cell's turn comes.
	Timer func(in *Input) (measure.Timer, error)
	// Nanoseconds is about how long a message takes, 0 if that is not known.
	Nanoseconds float64
}

// A Peer is another library, in this process or not.
type Peer struct {
	Name string
	// Source is what it is, with its version.
	Source string
	// Has reports whether it does an algorithm in a mode.
	Has func(a registry.Algorithm, mode string) bool
	// Timer is as in Candidate.
	Timer func(a registry.Algorithm, mode string, in *Input) (measure.Timer, error)
}

// An UnknownError says that a name of Config.Only is that of nothing.
type UnknownError struct {
	Name  string
	Valid []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no backend or kernel %q takes part; there are %s", e.Name, strings.Join(e.Valid, ", "))
}

// ours returns the plan, the backends and the kernels that can do an algorithm
// here. Of an AEAD, kernels of streams and MACs alone are left out, because those
// of their own algorithms say it all.
func (b *Bench) ours(a registry.Algorithm) ([]*way, error) {
	ways := []*way{{name: Auto, kind: board.Plan, sel: b.Selection}}
	var names []string
	for _, backend := range b.Selection.Backends() {
		kernels := b.eligible(a, backend.Name)
		if len(kernels) > 1 || len(kernels) == 1 && a.IsAEAD() {
			names = append(names, backend.Name)
		}
		for _, k := range kernels {
			if !a.IsAEAD() || k.Kind == registry.KindFused {
				names = append(names, k.Name())
			}
		}
	}
	for _, name := range names {
		w, err := b.way(name)
		if err != nil {
			return nil, err
		}
		ways = append(ways, w)
	}
	return slices.DeleteFunc(ways, func(w *way) bool { return !b.wanted(w.name) }), nil
}

// A way is a selection that does an algorithm under a name.
type way struct {
	name, kind string
	sel        *registry.Selection
}

// way forces a backend or kernel for all algorithms that it can do, so that one
// selection serves them all.
func (b *Bench) way(name string) (*way, error) {
	if w := b.ways[name]; w != nil {
		return w, nil
	}
	sel, err := b.Selection.Under(strings.TrimPrefix(b.Override+","+name, ","))
	if err != nil {
		return nil, err
	}
	w := &way{name: name, kind: board.Backend, sel: sel}
	if b.isProcess(name) {
		w.kind = board.Process
	}
	b.ways[name] = w
	return w, nil
}

// isProcess reports whether a backend, or the backend of a kernel, is a plugin.
func (b *Bench) isProcess(name string) bool {
	name, _, _ = strings.Cut(name, "/")
	return slices.ContainsFunc(b.Selection.Backends(), func(o *registry.Backend) bool { return o.Name == name && o.Process != nil })
}

// eligible returns the kernels of a backend that can do some of an algorithm here.
func (b *Bench) eligible(a registry.Algorithm, backend string) []registry.Candidate {
	var kernels []registry.Candidate
	for _, c := range b.candidates(a) {
		if c.Backend == backend && c.Cost != nil && c.State != registry.Excluded {
			kernels = append(kernels, c)
		}
	}
	return kernels
}

// candidates returns what became of each kernel for an algorithm. It is asked for
// once, which is not cheap.
func (b *Bench) candidates(a registry.Algorithm) []registry.Candidate {
	if b.kernels[a] == nil {
		b.kernels[a] = b.Selection.Candidates(a)
	}
	return b.kernels[a]
}

// wanted reports whether Only lets a candidate of ours take part: named itself, or
// by its backend.
func (b *Bench) wanted(name string) bool {
	backend, _, _ := strings.Cut(name, "/")
	return len(b.Only) == 0 || slices.Contains(b.Only, name) || slices.Contains(b.Only, backend)
}

// checkOnly returns an error if a word of Only is the name of no candidate.
func (b *Bench) checkOnly() error {
	valid := []string{Auto}
	for _, backend := range b.Selection.Backends() {
		before := len(valid)
		for i := range backend.Kernels {
			if b.isEligible(backend.Name, backend.Kernels[i].Name) {
				valid = append(valid, backend.Name+"/"+backend.Kernels[i].Name)
			}
		}
		if len(valid) > before {
			valid = append(valid, backend.Name)
		}
	}
	for _, name := range b.Only {
		if !slices.Contains(valid, name) {
			return &UnknownError{Name: name, Valid: valid}
		}
	}
	return nil
}

func (b *Bench) isEligible(backend, kernel string) bool {
	for _, a := range registry.Algorithms() {
		if slices.ContainsFunc(b.eligible(a, backend), func(c registry.Candidate) bool { return c.Kernel == kernel }) {
			return true
		}
	}
	return false
}

// candidate returns a way at a mode and length.
func (b *Bench) candidate(a registry.Algorithm, mode string, n int, w *way) *Candidate {
	_, cost := w.sel.Compose(a, n)
	if w.sel.Unit() == "cycles" {
		cost *= 1e9 / b.likelyClock()
	}
	return &Candidate{Name: w.name, Kind: w.kind, Nanoseconds: cost, Timer: func(in *Input) (measure.Timer, error) {
		message, err := in.message(w.sel.Source(a), a, mode)
		return b.Clock.Timer(message), err
	}}
}

// setUps returns what times the powers of a MAC's kernels.
func (b *Bench) setUps() []*Candidate {
	var all []*Candidate
	for _, backend := range b.Selection.Backends() {
		for _, c := range b.eligible(registry.Poly1305, backend.Name) {
			i := slices.IndexFunc(backend.Kernels, func(k registry.Kernel) bool { return k.Name == c.Kernel })
			setup := backend.Kernels[i].Setup
			if setup == nil || !b.wanted(c.Name()) {
				continue
			}
			all = append(all, &Candidate{Name: c.Name(), Kind: board.Backend, Timer: func(*Input) (measure.Timer, error) {
				powers, r := new(registry.Powers), &[2]uint64{0x0ffffffc0fffffff, 0x0ffffffc0ffffffc}
				return b.Clock.Timer(func() { setup(powers, r) }), nil
			}})
		}
	}
	return all
}
