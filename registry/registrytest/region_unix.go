//go:build unix

package registrytest

import "golang.org/x/sys/unix"

// newRegion returns at least size bytes of zeroed memory between two pages
// that can be neither read nor written, and the function that gives it back.
// If the system refuses, the memory is plain and only canaries guard it.
func newRegion(size int) (mem []byte, free func()) {
	page := unix.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size), func() {}
	}
	free = func() { _ = unix.Munmap(all) }
	if unix.Mprotect(all[:page], unix.PROT_NONE) != nil || unix.Mprotect(all[page+size:], unix.PROT_NONE) != nil {
		free()
		return make([]byte, size), func() {}
	}
	return all[page : page+size : page+size], free
}
