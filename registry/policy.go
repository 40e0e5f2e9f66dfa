package registry

import (
	"slices"
	"strings"
	"time"
)

// A policy is an override after its names have been looked up.
type policy struct {
	mode    mode
	profile string // a path, "off", or empty for the usual place
	budget  time.Duration
	// forces are the words that force or prefer, in order.
	forces []*word
}

// defaultBudget is the time for self-tests and measuring together.
const defaultBudget = 10 * time.Millisecond

// resolve looks up the names in words, marks what they exclude among the
// candidates and checks that what they force can be had.
func resolve(words []word, candidates []*candidate) (*policy, error) {
	p := &policy{mode: modeAuto, budget: defaultBudget}
	for i := range words {
		if err := p.apply(&words[i], candidates); err != nil {
			return nil, err
		}
	}
	if p.mode == modeGeneric {
		excludeAllBut(genericName, candidates)
	}
	for _, w := range p.forces {
		if err := checkForce(w, candidates); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// apply takes one word into the policy.
func (p *policy) apply(w *word, candidates []*candidate) error {
	switch w.verb {
	case verbMode:
		p.mode = mode(w.value)
	case verbProfile:
		p.profile = w.value
	case verbBudget:
		p.budget = w.budget
	case verbForce, verbPrefer:
		p.forces = append(p.forces, w)
		return checkName(w, candidates)
	case verbExclude:
		return exclude(w, candidates)
	}
	return nil
}

// checkName returns an error if no candidate has the name in w.
func checkName(w *word, candidates []*candidate) error {
	backend, _, hasKernel := strings.Cut(w.name, "/")
	var backends, kernels []string
	for _, c := range candidates {
		if c.matches(w.name) {
			return nil
		}
		backends = append(backends, c.backend.Name)
		if c.backend.Name == backend {
			kernels = append(kernels, c.name())
		}
	}
	if hasKernel && len(kernels) > 0 {
		return w.unknown(w.name, kernels, "backend %s has no such kernel", backend)
	}
	if strings.HasSuffix(backend, "@") {
		return w.errorf(ErrSyntax, nil, "a length is wanted after @, as in @<=256; a shell needs < and > in quotes")
	}
	return w.unknown(backend, backends, "no backend has this name")
}

// exclude marks the candidates that w names as excluded.
func exclude(w *word, candidates []*candidate) error {
	if err := checkName(w, candidates); err != nil {
		return err
	}
	for _, c := range candidates {
		if !c.matches(w.name) {
			continue
		}
		if c.backend.Name == genericName {
			return w.errorf(ErrContradiction, nil, "the generic backend cannot be excluded: something has to be left")
		}
		if c.outcome.eligible() {
			c.outcome = Outcome{Excluded, "by " + w.text}
		}
	}
	return nil
}

// excludeAllBut marks all other backends' candidates as excluded.
func excludeAllBut(backend string, candidates []*candidate) {
	for _, c := range candidates {
		if c.backend.Name != backend && c.outcome.eligible() {
			c.outcome = Outcome{Excluded, "by mode=generic"}
		}
	}
}

// appliesTo reports whether w speaks of algorithm a.
func (w *word) appliesTo(a Algorithm) bool { return w.everywhere || w.algorithm == a }

// checkForce returns an error if a forcing word names nothing that the
// algorithm could use here. A preferring word asks for no more than a name that
// exists.
func checkForce(w *word, candidates []*candidate) error {
	if w.verb == verbPrefer {
		return nil
	}
	var useful []*candidate
	for _, c := range candidates {
		if c.matches(w.name) && (w.everywhere || c.serves(w.algorithm)) {
			useful = append(useful, c)
		}
	}
	if len(useful) == 0 {
		return w.errorf(ErrIneligible, usableFor(w.algorithm, candidates), "%s has no kernel for %v", w.name, w.algorithm)
	}
	for _, c := range useful {
		if c.outcome.eligible() {
			return nil
		}
	}
	kind := ErrIneligible
	if useful[0].outcome.State == Excluded {
		kind = ErrContradiction
	}
	return w.errorf(kind, nil, "%s is %v", useful[0].name(), useful[0].outcome)
}

// usableFor returns the names of the backends that have an eligible kernel for
// a.
func usableFor(a Algorithm, candidates []*candidate) []string {
	var names []string
	for _, c := range candidates {
		if c.outcome.eligible() && c.serves(a) {
			names = append(names, c.backend.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// An allowance is what one range of lengths of an algorithm may use.
type allowance struct {
	lengths lengthRange
	byKind  map[Kind][]*candidate
	// forced holds the word that bound a kind.
	forced map[Kind]*word
	// fusedOnly says that a fused kernel was forced by its own name.
	fusedOnly bool
}

// allowances returns the ranges of lengths into which the policy cuts an
// algorithm, in order and without gaps.
func (p *policy) allowances(a Algorithm, candidates []*candidate) ([]*allowance, error) {
	var all []*allowance
	for _, lengths := range p.cut(a) {
		allowed := &allowance{lengths: lengths, byKind: map[Kind][]*candidate{}, forced: map[Kind]*word{}}
		for _, c := range candidates {
			if c.outcome.eligible() && c.serves(a) {
				allowed.byKind[c.kernel.Kind] = append(allowed.byKind[c.kernel.Kind], c)
			}
		}
		for _, w := range p.forces {
			if w.appliesTo(a) && w.lengths.overlaps(lengths) {
				if err := allowed.bind(a, w, candidates); err != nil {
					return nil, err
				}
			}
		}
		all = append(all, allowed)
	}
	return all, nil
}

// cut returns the ranges between the lengths at which a word for a begins or
// ends.
func (p *policy) cut(a Algorithm) []lengthRange {
	ranges := []lengthRange{allLengths}
	for _, w := range p.forces {
		if w.appliesTo(a) {
			ranges = cutAt(ranges, w.lengths.min)
			if w.lengths.max != allLengths.max {
				ranges = cutAt(ranges, w.lengths.max+1)
			}
		}
	}
	return ranges
}

// cutAt splits the range that holds n, so that one begins at n.
func cutAt(ranges []lengthRange, n int) []lengthRange {
	var cut []lengthRange
	for _, r := range ranges {
		if r.min < n && n <= r.max {
			cut = append(cut, lengthRange{r.min, n - 1}, lengthRange{n, r.max})
		} else {
			cut = append(cut, r)
		}
	}
	return cut
}

// bind narrows the allowance to what w names. Later words win. In an AEAD a word
// that names a stream or MAC kernel also rules out the fused kernels of others,
// which would do that kernel's work in its place. A word for all algorithms holds
// where it names something that could run; it is an error that this failed its test.
// A force on a process that went down while it was at work no longer holds: the
// program must go on.
func (l *allowance) bind(a Algorithm, w *word, candidates []*candidate) error {
	named := map[Kind][]*candidate{}
	var down *candidate
	for _, c := range candidates {
		if !c.matches(w.name) || !c.serves(a) {
			continue
		}
		switch {
		case c.outcome.eligible():
			named[c.kernel.Kind] = append(named[c.kernel.Kind], c)
		case !w.everywhere || c.outcome.State.refuted():
			down = c
		}
	}
	if len(named) == 0 {
		if w.verb == verbForce && down != nil && !down.lostAtWork {
			return w.errorf(ErrIneligible, nil, "%s is %v", down.name(), down.outcome)
		}
		return nil
	}
	for _, kind := range []Kind{KindStream, KindMAC} {
		if len(named[kind]) > 0 {
			l.byKind[kind], l.forced[kind] = named[kind], w
		}
	}
	if a.IsAEAD() {
		l.byKind[KindFused], l.forced[KindFused] = named[KindFused], w
		l.fusedOnly = len(named) == 1 && len(named[KindFused]) > 0
	}
	return nil
}

// check returns an error if a kind that a needs has no kernel left.
func (l *allowance) check(a Algorithm, candidates []*candidate) error {
	if a.Cipher() != NoCipher && len(l.byKind[KindStream]) == 0 {
		return noKernel(a, KindStream, candidates)
	}
	if algorithms[a].mac && len(l.byKind[KindMAC]) == 0 {
		return noKernel(a, KindMAC, candidates)
	}
	return nil
}
