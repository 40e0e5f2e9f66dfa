package kerneltest

import (
	"syscall"
	"testing"

	"github.com/quarterround/quarterround/registry"
)

// guard puts src and dst against unmapped pages, on either side, in a subtest.
func guard(t *testing.T, k *registry.Kernel) {
	t.Run("guard", func(t *testing.T) { guarded(t, k) })
}

func guarded(t *testing.T, k *registry.Kernel) {
	for steps := 1; steps <= 3; steps++ {
		n := steps * k.Step()
		srcMem, dstMem := guardedPages(t, n), guardedPages(t, n)
		for _, ends := range []bool{false, true} {
			src, dst := srcMem[:n], dstMem[:n]
			if ends {
				src, dst = srcMem[len(srcMem)-n:], dstMem[len(dstMem)-n:]
			}
			s := state(k, 7)
			want := keystreamed(k, src, &s, 20)
			k.XOR(dst, src, &s, 20)
			if i := difference(dst, want); i >= 0 {
				t.Fatalf("steps %d, at end %v: byte %d differs", steps, ends, i)
			}
		}
	}
}

// guardedPages returns whole pages, at least n bytes, between two unmapped
// ones.
func guardedPages(t *testing.T, n int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	size := (n + page - 1) / page * page
	mem, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	for _, guard := range [][]byte{mem[:page], mem[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return mem[page : page+size : page+size]
}
