//go:build gc && !purego

package polyasm

import "unsafe"

// Available reports whether the routines are assembly here.
const Available = true

//go:noescape
func blocks32(h *[3]uint64, r *[2]uint64, msg *byte, n int)

// Blocks absorbs the whole 16-byte blocks of msg, one at least, into h.
//
// The assembly loads words. Before ARMv7 these must be aligned, so that msg
// may have to be copied piece by piece.
func Blocks(h *[3]uint64, r *[2]uint64, msg []byte) {
	if unalignedWords || uintptr(unsafe.Pointer(&msg[0]))%4 == 0 {
		blocks32(h, r, &msg[0], len(msg)/16)
		return
	}
	var aligned [32]uint64
	piece := (*[256]byte)(unsafe.Pointer(&aligned))
	for len(msg) >= 16 {
		n := copy(piece[:], msg)
		blocks32(h, r, &piece[0], n/16)
		msg = msg[n:]
	}
}
