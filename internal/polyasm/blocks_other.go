//go:build !gc || purego || (!arm && !arm64)

package polyasm

import "github.com/quarterround/quarterround/internal/reference"

// Available reports whether the routines are assembly here.
const Available = false

// Blocks absorbs the whole 16-byte blocks of msg, one at least, into h.
func Blocks(h *[3]uint64, r *[2]uint64, msg []byte) {
	reference.Poly1305(h, r, msg)
}
