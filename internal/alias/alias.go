// Package alias tells whether slices share memory.
package alias

import "unsafe"

// AnyOverlap reports whether x and y share memory at any index, same or not.
// What lies beyond the lengths does not count.
func AnyOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	xStart, yStart := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	return xStart < yStart+uintptr(len(y)) && yStart < xStart+uintptr(len(x))
}

// InexactOverlap reports whether x and y share memory at different indices: the
// kind of overlap that a cipher working from front to back cannot bear.
func InexactOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 || &x[0] == &y[0] {
		return false
	}
	return AnyOverlap(x, y)
}
