package cipher

import (
	"github.com/quarterround/quarterround/internal/noescape"
	"github.com/quarterround/quarterround/registry"
)

// A brief message is one that the plan does in a single small stream call, without
// powers of r. It takes the shortest way, because what is around the kernels costs as
// much as they do.

// briefFrame is what the kernels work on, in one struct, so that one pointer is to be
// hidden from escape analysis.
type briefFrame struct {
	state [16]uint32
	mac   registry.MACState
	// text is the block of the MAC key and the data, and behind the ciphertext the
	// block of lengths.
	text [registry.BriefSize + registry.MACBlockSize]byte
}

// plainBuffer is where a message is decrypted.
type plainBuffer struct {
	_     [0]uint64
	bytes [registry.BriefSize]byte
}

// authenticate returns the tag of n bytes of ciphertext in text. key starts with the
// MAC key.
func (f *briefFrame) authenticate(brief *registry.Brief, key *[registry.BriefSize]byte, additional []byte, n int) Tag {
	setMACKey(&f.mac, (*[32]byte)(key[:]))
	start := registry.BlockSize
	if len(additional) > 0 {
		start = f.precede(brief, additional)
	}
	end := registry.BlockSize + n
	if n%registry.MACBlockSize != 0 {
		end = registry.BlockSize + padded(n)
		clear(f.text[registry.BlockSize+n : end])
	}
	msg := f.text[start : end+registry.MACBlockSize]
	putLengths((*[registry.MACBlockSize]byte)(msg[len(msg)-registry.MACBlockSize:]), len(additional), n)
	if absorb := brief.Sole(len(msg) / registry.MACBlockSize); absorb != nil {
		absorb(&f.mac, nil, msg)
	} else {
		brief.Absorb(&f.mac, msg)
	}
	return tagOf(&f.mac)
}

// precede puts the additional data, padded, before the ciphertext, where the MAC key
// was, and returns where it starts. What does not fit there is absorbed.
func (f *briefFrame) precede(brief *registry.Brief, additional []byte) (start int) {
	if len(additional) > registry.BlockSize {
		whole := len(additional) &^ (registry.MACBlockSize - 1)
		first := additional[:whole]
		brief.Absorb(&f.mac, *noescape.Hide(&first))
		additional = additional[whole:]
	}
	start = registry.BlockSize - padded(len(additional))
	clear(f.text[start:registry.BlockSize])
	copy(f.text[start:], additional)
	return start
}
