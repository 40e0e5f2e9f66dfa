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

// aeadWay is the plan of an AEAD, sealing or opening, for messages whose last block is
// full and for the others, whose last block a fused kernel does not take.
type aeadWay struct {
	whole, partial aeadEntries
}

// aeadEntries is the plan for every number of data blocks.
type aeadEntries struct {
	short []aeadEntry // by data blocks
	long  []aeadEntry // by data blocks modulo its length
}

// aeadTable is the plan of an AEAD for one range of lengths.
type aeadTable struct {
	seal, open aeadWay
	brief      []Brief // by data blocks
	// briefBytes is up to how many bytes of MAC input brief holds.
	briefBytes int
}

// A Brief is the plan of an AEAD for short messages: one stream call, over BriefSize
// bytes at most, makes the key block and the keystream of all data, and the MAC reads
// no powers. The arguments of its methods have been hidden from escape analysis.
type Brief struct {
	xor    StreamFunc
	size   int // bytes
	rounds int
	level  *MACLevel
}

// BriefSize is the largest size of the stream call of a Brief, in bytes.
const BriefSize = 5 * BlockSize

// setBrief fills in what the table says of short messages, from the plans of stream
// and MAC.
func (t *aeadTable) setBrief(stream *streamTable, mac *macTable) {
	level := mac.level(0)
	if level.NeedsPowers() {
		return
	}
	t.briefBytes = mac.until(level)
	for blocks := range len(stream.short) - 1 {
		calls := stream.short[1+blocks]
		if !t.seal.inOneCall(blocks) || !t.open.inOneCall(blocks) || len(calls) != 1 || calls[0].size > BriefSize {
			return
		}
		t.brief = append(t.brief, Brief{xor: calls[0].xor, size: calls[0].size, rounds: stream.rounds, level: level})
	}
}

// XOR XORs the keystream of the key block and the data into src and writes it to dst,
// both of BriefSize bytes; what it writes behind the data is undefined.
func (b *Brief) XOR(dst, src *[BriefSize]byte, state *[16]uint32) {
	b.xor(dst[:b.size], src[:b.size], state, b.rounds)
}

// Absorb absorbs msg, a whole number of blocks.
func (b *Brief) Absorb(state *MACState, msg []byte) {
	b.level.AbsorbHidden(state, nil, msg)
}

// Sole is MACLevel.Sole.
func (b *Brief) Sole(blocks int) MACFunc { return b.level.Sole(blocks) }

// inOneCall reports whether all keystream of so many data blocks comes from the call
// that makes the key block.
func (w *aeadWay) inOneCall(blocks int) bool {
	for _, entries := range []*aeadEntries{&w.whole, &w.partial} {
		if e := entries.entry(blocks); e.fused != nil || e.head < blocks {
			return false
		}
	}
	return true
}

// forMessage returns the plan for a message of n bytes.
func (w *aeadWay) forMessage(n int) *aeadEntry {
	if n%BlockSize != 0 {
		return w.partial.entry(dataBlocks(n))
	}
	return w.whole.entry(n / BlockSize)
}

// entry returns the plan for a number of data blocks.
func (t *aeadEntries) entry(blocks int) *aeadEntry {
	if blocks < len(t.short) {
		return &t.short[blocks]
	}
	return &t.long[blocks%len(t.long)]
}

// Lead returns the function that makes the key block and encrypts all n bytes of a
// message, if the plan is one step of a kernel that has one; else nil. No buffer is
// needed then.
func (s *Schedule) Lead(n int) LeadFunc {
	blocks := 1 + dataBlocks(n)
	if blocks >= len(s.stream.within) {
		return nil
	}
	calls := s.stream.within[blocks]
	if len(calls) != 1 || calls[0].size != calls[0].step || n < calls[0].lead.From {
		return nil
	}
	return calls[0].lead.XOR
}
