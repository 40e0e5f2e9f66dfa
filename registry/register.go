package registry

import (
	"fmt"
	"sync"
)

// A Backend is a named set of kernels.
type Backend struct {
	// Name is unique in the program: lower-case letters and digits.
	Name string
	// Doc is one line that says what the backend is.
	Doc string
	// Kernels are the routines, also those this program did not compile.
	Kernels []Kernel
}

var (
	backendsMu sync.Mutex
	backends   []*Backend
)

// Register makes a backend known to later selections. It is meant to be called
// from the init function of the backend's package. It panics, naming the
// backend, if the name is taken or the description is malformed.
func Register(b *Backend) {
	backendsMu.Lock()
	defer backendsMu.Unlock()
	for _, other := range backends {
		if other.Name == b.Name {
			panic(fmt.Sprintf("registry: backend %q is registered twice", b.Name))
		}
	}
	backends = append(backends, b)
}
