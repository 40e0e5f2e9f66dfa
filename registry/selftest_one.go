package registry

// SelfTest runs the test that a kernel must pass before a selection uses it, and
// returns an empty outcome, or what is wrong. The kernel must be able to run here.
func SelfTest(k *Kernel) Outcome { return new(selfTester).run(k) }

// WithKnownOutcomes leaves kernels, by the name "backend/kernel", out of the
// selection for a reason that is known already: because they crashed in another
// process, where this one must not try them. Names that it has not are ignored.
func WithKnownOutcomes(outcomes map[string]Outcome) Option {
	return func(o *options) { o.known = outcomes }
}

// applyKnown takes kernels out. Candidates that cannot run anyhow stay as they are.
func applyKnown(candidates []*candidate, known map[string]Outcome) (notes []string) {
	for _, c := range candidates {
		if outcome, ok := known[c.name()]; ok && c.outcome.eligible() {
			c.outcome = outcome
			notes = append(notes, c.name()+": "+outcome.String())
		}
	}
	return notes
}
