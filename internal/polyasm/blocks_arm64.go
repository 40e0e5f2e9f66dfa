//go:build gc && !purego

package polyasm

// Available reports whether the routines are assembly here.
const Available = true

//go:noescape
func blocks64(h *[3]uint64, r *[2]uint64, msg *byte, n int)

//go:noescape
func blocks64x2(h *[2][3]uint64, r *[2]uint64, msg0, msg1 *byte, n int)

// Blocks absorbs the whole 16-byte blocks of msg, one at least, into h.
func Blocks(h *[3]uint64, r *[2]uint64, msg []byte) {
	blocks64(h, r, &msg[0], len(msg)/16)
}

// BlocksX2 absorbs the first half of the blocks of msg, an even number and two
// at least, into h[0] and the second half into h[1].
func BlocksX2(h *[2][3]uint64, r *[2]uint64, msg []byte) {
	n := len(msg) / 32
	blocks64x2(h, r, &msg[0], &msg[16*n], n)
}
