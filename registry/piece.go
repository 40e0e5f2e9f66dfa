//go:build !amd64

package registry

// pieceSize bounds the bytes of one kernel call. Assembly cannot be preempted,
// and a collection waits for it: 16 KiB are 0.3 ms at 50 MB/s.
const pieceSize = 16 << 10

// headBlockOverhead is what a data block costs that comes out of the call that makes
// the key block of an AEAD, in cycles: it is copied and cleared more often than one
// in the scratch buffer.
const headBlockOverhead = 8
