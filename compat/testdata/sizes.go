package chacha20

// Names that x/crypto's tests use.
const (
	blockSize = 64
	bufSize   = 64
)
