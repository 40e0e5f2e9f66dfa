//go:build !unix

package registrytest

// newRegion returns zeroed memory. There are no guard pages on this system;
// canaries take their place.
func newRegion(size int) (mem []byte, free func()) {
	return make([]byte, size), func() {}
}
