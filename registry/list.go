package registry

import "slices"

// Backends returns the registered backends in the order of registration. The
// caller must not change what the pointers point to.
func Backends() []*Backend {
	backendsMu.Lock()
	defer backendsMu.Unlock()
	return slices.Clone(backends)
}
