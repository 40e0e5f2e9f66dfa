package registrytest

import (
	"unsafe"

	"github.com/quarterround/quarterround/registry"
)

// margin is how many bytes on either side of a destination must not change.
const margin = 256

// A placement says where in their regions the slices of a call lie.
type placement struct {
	// atEnd places the slices before the upper guard page, otherwise they lie
	// after the lower one.
	atEnd bool
	// inPlace makes dst and src the same memory.
	inPlace bool
	// src and dst are the distances in bytes from the guard page.
	src, dst int
}

// placements are the four ways to lie against a guard page.
var placements = []placement{{atEnd: true}, {}, {atEnd: true, inPlace: true}, {inPlace: true}}

// slice returns n bytes of mem, gap bytes away from its end or its start.
func slice(mem []byte, atEnd bool, gap, n int) []byte {
	from := gap
	if atEnd {
		from = len(mem) - gap - n
	}
	return mem[from : from+n : from+n]
}

// canary is the value that byte i of a region has where no call may write.
func canary(i int) byte { return byte(0xa5 ^ i) }

// setCanaries fills the margins around mem[from:to].
func setCanaries(mem []byte, from, to int) {
	for i := max(0, from-margin); i < from; i++ {
		mem[i] = canary(i)
	}
	for i := to; i < min(len(mem), to+margin); i++ {
		mem[i] = canary(i)
	}
}

// brokenCanary returns the offset, relative to from, of a byte in the margins
// around mem[from:to] that has changed, preferring the nearest.
func brokenCanary(mem []byte, from, to int) (offset int, broken bool) {
	for i := from - 1; i >= max(0, from-margin); i-- {
		if mem[i] != canary(i) {
			return i - from, true
		}
	}
	for i := to; i < min(len(mem), to+margin); i++ {
		if mem[i] != canary(i) {
			return i - from, true
		}
	}
	return 0, false
}

// memory is the guarded memory of one check.
type memory struct {
	dst, src, scratch, state, mac, powers []byte
	turn                                  int
	frees                                 []func()
}

func newMemory(size int) *memory {
	m := &memory{}
	for _, r := range []struct {
		mem  *[]byte
		size int
	}{
		{&m.dst, size}, {&m.src, size}, {&m.scratch, size}, {&m.state, 1}, {&m.mac, 1}, {&m.powers, int(unsafe.Sizeof(registry.Powers{})) + 8},
	} {
		mem, free := newRegion(r.size)
		*r.mem = mem
		m.frees = append(m.frees, free)
	}
	return m
}

func (m *memory) free() {
	for _, f := range m.frees {
		f()
	}
}

// next moves the fixed-size arguments to other places: against the upper guard
// page, against the lower one, and at the least alignment that Go gives them.
func (m *memory) next() { m.turn = (m.turn + 1) % 3 }

// spot returns size bytes of mem for the current turn.
func (m *memory) spot(mem []byte, size, align int) []byte {
	switch m.turn {
	case 0:
		return slice(mem, true, 0, size)
	case 1:
		return slice(mem, false, 0, size)
	}
	return slice(mem, false, align, size)
}

func (m *memory) statePointer() *[16]uint32 {
	return (*[16]uint32)(unsafe.Pointer(&m.spot(m.state, 64, 4)[0]))
}

func (m *memory) macPointer() *registry.MACState {
	const size, align = int(unsafe.Sizeof(registry.MACState{})), int(unsafe.Alignof(registry.MACState{}))
	return (*registry.MACState)(unsafe.Pointer(&m.spot(m.mac, size, align)[0]))
}

// powersPointer keeps to the 8-byte alignment that the contract promises also
// where Go would align less.
func (m *memory) powersPointer() *registry.Powers {
	return (*registry.Powers)(unsafe.Pointer(&m.spot(m.powers, int(unsafe.Sizeof(registry.Powers{})), 8)[0]))
}
