package registrytest

import (
	"fmt"
	"unsafe"
)

// describeAddress says where a memory fault is, relative to the first argument
// that is within a page of it.
func describeAddress(addr uintptr, a *arguments) string {
	for _, r := range []struct {
		name  string
		start unsafe.Pointer
		size  int
	}{
		{"dst", unsafe.Pointer(unsafe.SliceData(a.dst)), len(a.dst)},
		{"src", unsafe.Pointer(unsafe.SliceData(a.src)), len(a.src)},
		{"state", unsafe.Pointer(a.state), int(unsafe.Sizeof(*a.state))},
		{"the MAC state", unsafe.Pointer(a.mac), int(unsafe.Sizeof(*a.mac))},
		{"powers", unsafe.Pointer(a.powers), int(unsafe.Sizeof(*a.powers))},
	} {
		if where := relative(addr, uintptr(r.start), r.size); r.start != nil && where != "" {
			return where + " " + r.name
		}
	}
	return "away from all arguments"
}

// relative says where addr is relative to size bytes at start, or "" if it is
// not within a page of them.
func relative(addr, start uintptr, size int) string {
	const near = 4096
	offset := int(addr - start)
	switch {
	case offset < -near || offset >= size+near:
		return ""
	case offset < 0:
		return fmt.Sprintf("%d bytes before the start of", -offset)
	case offset >= size:
		return fmt.Sprintf("%d bytes past the end of", offset-size)
	}
	return fmt.Sprintf("at byte %d of", offset)
}
