// Package noescape keeps what kernels work on from being moved to the heap.
//
// Kernels are called through function values, and for the compiler whatever is
// passed to a function value escapes: each one-shot call would allocate. Hide hides
// pointers from escape analysis. That is sound because a kernel must not retain its
// arguments or hand them to another goroutine (see registry.StreamFunc), which
// registrytest checks; kernels in other processes get copies. The hidden values keep
// their pointer types, so the garbage collector and stack growth still see them.
package noescape

import "unsafe"

// Hide returns p in a way that escape analysis does not follow: as an address for a
// moment. What is loaded through the hidden pointer is hidden, too.
//
// Inlined, the two conversions cancel, and what is left is p, a pointer. Not
// inlined, what the call returns is a pointer, and since nothing here may split the
// stack it has not moved meanwhile. That holds for these conversions only: an
// address that becomes a pointer through memory or through unsafe.Add may be kept
// as an integer across a later call.
//
//go:nocheckptr
//go:nosplit
func Hide[T any](p *T) *T {
	return (*T)(pointerTo[unsafe.Pointer](uintptr(unsafe.Pointer(p))))
}

// pointerTo returns the address as a pointer. It has a type parameter because go
// vet holds every such conversion for a mistake, and one of a type parameter is the
// one that it does not see.
//
//go:nocheckptr
//go:nosplit
func pointerTo[P ~unsafe.Pointer](address uintptr) P { return P(address) }

// HideSlice is Hide for a slice, whose capacity becomes its length.
//
//go:nosplit
func HideSlice(b []byte) []byte {
	return unsafe.Slice(Hide(unsafe.SliceData(b)), len(b))
}
