package registry

// fusedCall is a fused kernel ready to be called.
type fusedCall struct {
	seal, open FusedFunc
	step       int // bytes
	size       int // bytes in one call, a multiple of step
	// level is the plan of the MAC around it: kernels without powers and those
	// that share the fused kernel's layout.
	level *MACLevel
}

// aeadEntry is the plan for one number of data blocks.
type aeadEntry struct {
	head  int // data blocks that come from the call that makes the key block
	fused *fusedCall
}

// aeadTable is the plan of an AEAD for one range of lengths.
type aeadTable struct {
	short []aeadEntry // by data blocks
	long  []aeadEntry // by data blocks modulo its length
}

// inOneCall is the plan for a message that is a little short of the fused kernel
// meant for it.
var inOneCall = aeadEntry{head: MaxHead}

// forMessage returns the plan for a message of n bytes. A fused kernel does whole
// blocks only, so an incomplete last block is left out of its plan and follows
// it.
func (t *aeadTable) forMessage(n int) *aeadEntry {
	e := t.entry(dataBlocks(n))
	if e.fused == nil || n%BlockSize == 0 {
		return e
	}
	if e = t.entry(n / BlockSize); e.fused == nil {
		return &inOneCall
	}
	return e
}

// entry returns the plan for a number of data blocks.
func (t *aeadTable) entry(blocks int) *aeadEntry {
	if blocks < len(t.short) {
		return &t.short[blocks]
	}
	return &t.long[blocks%len(t.long)]
}
