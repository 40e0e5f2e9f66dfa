package registry

// pieceSize bounds the bytes of one kernel call. Assembly cannot be preempted,
// and a collection waits for it: 64 KiB are 0.2 ms at 300 MB/s.
const pieceSize = 64 << 10
