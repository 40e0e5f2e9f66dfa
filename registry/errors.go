package registry

import (
	"errors"
	"fmt"
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
}

// Error implements error.
func (e *OverrideError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: word %d, %q: %s: %s", EnvironmentVariable, e.Place, e.Word, e.Kind, e.Reason)
	if len(e.Valid) > 0 {
		fmt.Fprintf(&b, "; nearest: %s", e.Valid[0])
		fmt.Fprintf(&b, "; valid: %s", strings.Join(e.Valid, ", "))
	}
	return b.String()
}

// Unwrap returns the kind.
func (e *OverrideError) Unwrap() error { return e.Kind }
