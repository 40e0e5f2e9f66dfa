package cipher

import "github.com/quarterround/quarterround/registry"

// Buffers on the stack. They are structs so that they are aligned: 32-bit ARM clears
// arrays of bytes that are not one by one.
type (
	buffer1 struct {
		_     [0]uint64
		bytes [registry.BlockSize]byte
	}
	buffer4 struct {
		_     [0]uint64
		bytes [(1 + smallBlocks) * registry.BlockSize]byte
	}
	buffer8 struct {
		_     [0]uint64
		bytes [(1 + mediumBlocks) * registry.BlockSize]byte
	}
	buffer32 struct {
		_     [0]uint64
		bytes [(1 + registry.MaxHead) * registry.BlockSize]byte
	}

	smallBuffer struct {
		_     [0]uint64
		bytes [aroundData + smallBlocks*registry.BlockSize]byte
	}
	mediumBuffer struct {
		_     [0]uint64
		bytes [aroundData + mediumBlocks*registry.BlockSize]byte
	}
	largeBuffer struct {
		_     [0]uint64
		bytes [aroundData + largeBlocks*registry.BlockSize]byte
	}
	largestBuffer struct {
		_     [0]uint64
		bytes [aroundData + registry.MaxHead*registry.BlockSize]byte
	}
)
