package registry

import "unsafe"

// Kernels are called through function values, and for the compiler whatever is
// passed to a function value escapes to the heap: each one-shot call would
// allocate. The functions in this file hide the pointers from escape analysis.
// That is sound because a kernel must not retain its arguments or hand them to
// another goroutine (see StreamFunc), which registrytest checks; kernels in
// other processes get copies. The hidden values keep their pointer types, so
// the garbage collector and stack growth still see them.

// hide returns p in a way that escape analysis does not follow.
//
// It must not be inlined: the compiler would keep the address as an integer to
// where the pointer is used, and on 32-bit machines the overflow check of the
// unsafe.Slice below is a call before that, at which the stack may move. What a
// call returns is a pointer from then on.
//
//go:nocheckptr
//go:nosplit
//go:noinline
func hide[T any](p *T) *T {
	address := uintptr(unsafe.Pointer(p))
	return (*T)(unsafe.Add(nil, address))
}

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
