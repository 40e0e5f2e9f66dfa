package registry

// pieceSize bounds the bytes of one kernel call. Assembly cannot be preempted,
// and a collection waits for it: 64 KiB are 0.2 ms at 300 MB/s.
const pieceSize = 64 << 10

// headBlockOverhead is what a data block costs that comes out of the call that makes
// the key block of an AEAD, in cycles: it is copied and cleared, 32 bytes at a time.
const headBlockOverhead = 3
