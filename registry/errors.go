package registry

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The kinds of OverrideError, for errors.Is.
var (
	// ErrSyntax: a word of the override is not of the grammar.
	ErrSyntax = errors.New("bad syntax")
	// ErrUnknownName: no backend, kernel, algorithm or mode has this name.
	ErrUnknownName = errors.New("unknown name")
	// ErrIneligible: the kernel that is asked for cannot be used here.
	ErrIneligible = errors.New("not eligible")
	// ErrContradiction: two words cannot both be honoured, or nothing is left.
	ErrContradiction = errors.New("contradiction")
	// ErrNoPluginHost: plugins are asked for in a program that cannot start any.
	ErrNoPluginHost = errors.New("no plugin host")
)

// An OverrideError says which word of an override (the environment variable or
// WithOverride) cannot be honoured, and why.
type OverrideError struct {
	Word   string   // as it was written
	Place  int      // which word it is, counting from 1
	Kind   error    // one of the kinds above
	Reason string   // one sentence
	Valid  []string // what would have been right, nearest first; may be empty
	Near   bool     // the first of Valid is so near that it may be what was meant
}

// Error implements error.
func (e *OverrideError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: word %d, %q: %s: %s", EnvironmentVariable, e.Place, e.Word, e.Kind, e.Reason)
	if e.Near {
		fmt.Fprintf(&b, "; nearest: %s", e.Valid[0])
	}
	if len(e.Valid) > 0 {
		fmt.Fprintf(&b, "; valid: %s", strings.Join(e.Valid, ", "))
	}
	return b.String()
}

// Unwrap returns the kind.
func (e *OverrideError) Unwrap() error { return e.Kind }

// A NoKernelError says that an algorithm has no kernel that could be used. With
// the generic backend linked that takes a fault: its kernels are eligible
// everywhere.
type NoKernelError struct {
	Algorithm Algorithm
	Kind      Kind
	// Outcomes says of each kernel of this kind, by name, why it cannot be used;
	// there are none if no backend is linked.
	Outcomes map[string]Outcome
}

// enumerated is how many kernels the text of an error names.
const enumerated = 4

// Error implements error.
func (e *NoKernelError) Error() string {
	text := fmt.Sprintf("registry: no eligible %v kernel for %v", e.Kind, e.Algorithm)
	if len(e.Outcomes) == 0 {
		return text + "; is backends/generic imported?"
	}
	for i, name := range slices.Sorted(maps.Keys(e.Outcomes)) {
		if i == enumerated {
			return text + fmt.Sprintf("; and %d more", len(e.Outcomes)-i)
		}
		text += fmt.Sprintf("; %s: %v", name, e.Outcomes[name])
	}
	return text
}

// noKernel returns the error for a kind of which no candidate is left.
func noKernel(a Algorithm, kind Kind, candidates []*candidate) error {
	e := &NoKernelError{Algorithm: a, Kind: kind, Outcomes: map[string]Outcome{}}
	for _, c := range candidates {
		if c.kernel.Kind == kind && a.uses(c.kernel) {
			e.Outcomes[c.name()] = c.outcome
		}
	}
	return e
}
