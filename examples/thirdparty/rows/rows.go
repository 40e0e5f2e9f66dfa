// Package rows is a backend for Quarterround from outside its module. Import it
// for its side effect: it registers one ChaCha kernel, which works on the rows of
// the matrix as SIMD code would.
package rows

import (
	"encoding/binary"
	"math/bits"

	"github.com/quarterround/quarterround/registry"
)

func init() { registry.Register(backend) }

var backend = &registry.Backend{
	Name: "rows",
	Doc:  "an example: ChaCha by rows, in portable Go",
	Kernels: []registry.Kernel{{
		Name: "chacha", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 1, Revision: 1,
		Priors: []registry.Prior{{Rounds: 20, Fixed: 20, PerStep: 900, Provenance: "estimated", Source: "by eye"}},
		XOR:    xor,
	}},
}

// A row is one row of the matrix.
type row [4]uint32

// xor is a registry.StreamFunc.
func xor(dst, src []byte, state *[16]uint32, rounds int) {
	in := *state
	for ; len(src) > 0; dst, src = dst[registry.BlockSize:], src[registry.BlockSize:] {
		x := in
		doubleRounds(&x, rounds/2)
		for i := range x {
			word := binary.LittleEndian.Uint32(src[4*i:]) ^ (x[i] + in[i])
			binary.LittleEndian.PutUint32(dst[4*i:], word)
		}
		if in[12]++; in[12] == 0 {
			in[13]++
		}
	}
}

// doubleRounds does n column and diagonal rounds. For a diagonal round the rows
// are turned so that the diagonals stand in columns.
func doubleRounds(x *[16]uint32, n int) {
	a, b, c, d := row(x[0:4]), row(x[4:8]), row(x[8:12]), row(x[12:16])
	for range n {
		quarterRounds(&a, &b, &c, &d)
		b, c, d = turn(b, 1), turn(c, 2), turn(d, 3)
		quarterRounds(&a, &b, &c, &d)
		b, c, d = turn(b, 3), turn(c, 2), turn(d, 1)
	}
	copy(x[0:4], a[:])
	copy(x[4:8], b[:])
	copy(x[8:12], c[:])
	copy(x[12:16], d[:])
}

// quarterRounds does the four quarter rounds of the columns (RFC 8439 section
// 2.1).
func quarterRounds(a, b, c, d *row) {
	for i := range a {
		a[i] += b[i]
		d[i] = bits.RotateLeft32(d[i]^a[i], 16)
		c[i] += d[i]
		b[i] = bits.RotateLeft32(b[i]^c[i], 12)
		a[i] += b[i]
		d[i] = bits.RotateLeft32(d[i]^a[i], 8)
		c[i] += d[i]
		b[i] = bits.RotateLeft32(b[i]^c[i], 7)
	}
}

// turn rotates a row to the left by n places.
func turn(r row, n int) row {
	return row{r[n%4], r[(n+1)%4], r[(n+2)%4], r[(n+3)%4]}
}
