// Package dropin is what the drop-in packages have in common. Importing it links
// every built-in backend.
package dropin

import (
	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/registry"
)

// Source returns where the plans of a are. If the environment asks for what
// cannot be had, it panics with the text of the error; functions that can return
// an error call registry.Shared.
func Source(a registry.Algorithm) *registry.Source {
	if source := registry.Planned(a); source != nil {
		return source
	}
	return plan(a)
}

// plan makes the plan that Source returns.
func plan(a registry.Algorithm) *registry.Source {
	source, err := registry.Shared(a)
	if err != nil {
		panic(err.Error())
	}
	return source
}
