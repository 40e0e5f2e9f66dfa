package registry

import (
	"crypto/subtle"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
)

// leadReference is a LeadFunc up to four blocks.
func leadReference(first *[BlockSize]byte, dst, src []byte, state *[16]uint32, rounds int) {
	var keystream [4 * BlockSize]byte
	reference.XORChaCha(keystream[:], keystream[:], state, rounds)
	copy(first[:], keystream[:])
	subtle.XORBytes(dst, src, keystream[BlockSize:])
}

// TestSelfTestOfLead: a kernel whose Lead is wrong in one way fails.
func TestSelfTestOfLead(t *testing.T) {
	kernel := func(more func(first *[BlockSize]byte, dst []byte, state *[16]uint32)) *Kernel {
		return &Kernel{Name: "k", Kind: KindStream, Cipher: ChaCha, Blocks: 4, XOR: reference.XORChaCha,
			Lead: Lead{From: 65, XOR: func(first *[BlockSize]byte, dst, src []byte, state *[16]uint32, rounds int) {
				leadReference(first, dst, src, state, rounds)
				more(first, dst, state)
			}}}
	}
	if outcome := SelfTest(kernel(func(*[BlockSize]byte, []byte, *[16]uint32) {})); outcome != (Outcome{}) {
		t.Fatalf("the right one: %v", outcome)
	}
	for detail, more := range map[string]func(first *[BlockSize]byte, dst []byte, state *[16]uint32){
		"of the first block":  func(first *[BlockSize]byte, _ []byte, _ *[16]uint32) { first[63] ^= 1 },
		"length 65":           func(_ *[BlockSize]byte, dst []byte, _ *[16]uint32) { dst[64] ^= 1 },
		"wrong at offset 191": func(_ *[BlockSize]byte, dst []byte, _ *[16]uint32) { dst[len(dst)-1] ^= byte(len(dst) / 192) },
		"length 192, counter 0xfffffffd": func(_ *[BlockSize]byte, dst []byte, state *[16]uint32) {
			if state[12] == 0xfffffffd { // a carry before the last block
				dst[len(dst)-1] ^= 1
			}
		},
		"the state was changed": func(_ *[BlockSize]byte, _ []byte, state *[16]uint32) { state[12]++ },
		"outside the buffer":    func(_ *[BlockSize]byte, dst []byte, _ *[16]uint32) { dst[:len(dst)+1][len(dst)] ^= 1 },
	} {
		outcome := SelfTest(kernel(more))
		if outcome.State != SelfTestFailed || !strings.Contains(outcome.Detail, "Lead: ") || !strings.Contains(outcome.Detail, detail) {
			t.Errorf("%v does not say %q", outcome, detail)
		}
	}
}
