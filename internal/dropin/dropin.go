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
	source, err := registry.Shared(a)
	if err != nil {
		panic(err.Error())
	}
	return source
}

// SliceForAppend returns in extended by n bytes, in its own memory if there is
// capacity, and the n bytes alone.
func SliceForAppend(in []byte, n int) (whole, added []byte) {
	if total := len(in) + n; cap(in) >= total {
		whole = in[:total]
	} else {
		whole = make([]byte, total)
		copy(whole, in)
	}
	return whole, whole[len(in):]
}
