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

// Hide returns p in a way that escape analysis does not follow. To hide several
// pointers at once, p may point to a struct of them: what is loaded through the
// hidden pointer is hidden, too.
func Hide[T any](p *T) *T { return (*T)(hide(unsafe.Pointer(p))) }

// hide must not be inlined: the compiler would keep the address as an integer to
// where the pointer is used, and if that is after a call the stack may have moved
// meanwhile. What a call returns is a pointer from then on.
//
//go:nocheckptr
//go:nosplit
//go:noinline
func hide(p unsafe.Pointer) unsafe.Pointer {
	return unsafe.Add(nil, uintptr(p))
}
