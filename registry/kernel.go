package registry

import "fmt"

// BlockSize is the size of one ChaCha or Salsa20 block in bytes.
const BlockSize = 64

// MACBlockSize is the size of one Poly1305 block in bytes.
const MACBlockSize = 16

// A Cipher is a family of stream ciphers that share one quarter round. The
// number of rounds is an argument of the kernel, not part of the family.
type Cipher uint8

const (
	// NoCipher is the family of kernels that encrypt nothing: the MAC kernels.
	NoCipher Cipher = iota
	// ChaCha is ChaCha8, ChaCha12 and ChaCha20 (RFC 8439 section 2.3; D. J.
	// Bernstein, "ChaCha, a variant of Salsa20", 2008). State words 12 and 13
	// are the block counter.
	ChaCha
	// Salsa is Salsa20/8, Salsa20/12 and Salsa20/20 (D. J. Bernstein, "The
	// Salsa20 family of stream ciphers", 2007). State words 8 and 9 are the
	// block counter.
	Salsa
)

// String returns "chacha", "salsa" or "-".
func (c Cipher) String() string {
	switch c {
	case ChaCha:
		return "chacha"
	case Salsa:
		return "salsa"
	}
	return "-"
}

// CounterWord returns the index of the state word that holds the low half of
// the 64-bit block counter; the high half is the word after it.
func (c Cipher) CounterWord() int {
	if c == Salsa {
		return 8
	}
	return 12
}

// A Kind says which of the three shapes a kernel has.
type Kind uint8

const (
	// KindStream kernels have XOR and may have a Lead.
	KindStream Kind = iota + 1
	// KindMAC kernels have Absorb.
	KindMAC
	// KindFused kernels have Seal and Open.
	KindFused
)

var kinds = [...]Kind{KindStream, KindMAC, KindFused}

// String returns "stream", "mac" or "fused".
func (k Kind) String() string {
	switch k {
	case KindStream:
		return "stream"
	case KindMAC:
		return "mac"
	case KindFused:
		return "fused"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// MACState is the Poly1305 state in the one form that every kernel reads and
// writes, so that a plan may change kernel, and with it radix, in the middle of
// a message.
type MACState struct {
	// H is the accumulator in base 2^64, least significant limb first. It is
	// only partially reduced: H < 2^131 on entry to and on return from a
	// kernel, so H[2] is at most 7.
	H [3]uint64
	// R is the clamped multiplier of RFC 8439 section 2.5, least significant
	// limb first.
	R [2]uint64
	// S is the second half of the one-time key. Kernels never touch it.
	S [2]uint64
}

// Powers is the room a MAC or fused kernel has for multiples and powers of R.
// What is in it is the business of the kernels that share the layout; the
// caller fills it through Kernel.Setup before the first call of such a kernel,
// and again after a kernel of another layout has used it. It is aligned to 8
// bytes and no more.
type Powers struct {
	Words [128]uint64

	layout layoutID // whose powers these are; set by the caller of Setup
}

// StreamFunc XORs the keystream of the given state into src and writes the
// result to dst.
//
// The state is the 16 words of the cipher's matrix in natural order, constants
// included. len(src) is a positive multiple of the kernel's step, which is
// BlockSize times Kernel.Blocks, and len(dst) equals len(src). dst and src are
// either the same memory or disjoint, at any alignment. Rounds is 8, 12 or 20.
//
// The first block uses the counter that is in the state; each further block
// one more, as a 64-bit number over two words, modulo 2^64. The function does
// not write to state: its caller advances the counter. It must not retain any
// of its arguments, hand them to another goroutine, touch memory outside the
// slices, branch on or index by secret data, or allocate.
type StreamFunc func(dst, src []byte, state *[16]uint32, rounds int)

// LeadFunc does the start of a message whose first block of keystream has another use,
// as the key of the MAC in an AEAD (RFC 8439 section 2.6): it writes that block to first
// as it is, XORs those that follow into src, and writes the result to dst.
//
// len(src) is from Lead.From to BlockSize * (Kernel.Blocks - 1), a whole number of blocks
// or not, and len(dst) equals len(src); first overlaps neither. For the rest the rules of
// StreamFunc hold.
type LeadFunc func(first *[BlockSize]byte, dst, src []byte, state *[16]uint32, rounds int)

// A Lead is what a stream kernel of ChaCha may have besides XOR: the same work, at the
// cost of one step, for a message that need not be copied to a buffer for it. Plugins
// do not carry it over.
type Lead struct {
	XOR LeadFunc // nil if there is none
	// From is the least number of bytes that it takes.
	From int
}

// MACFunc absorbs msg, whose length is a positive multiple of MACBlockSize:
// for each block m, H = (H + m + 2^128) * R mod 2^130-5.
//
// Any whole number of blocks must be accepted; Kernel.Blocks only says in
// which step the cost grows. powers was filled by the kernel's Setup for this
// R, and is nil if the kernel has no Setup. The rules of StreamFunc about
// retaining, bounds, secrets and allocation hold here too.
type MACFunc func(state *MACState, powers *Powers, msg []byte)

// SetupFunc fills powers for the clamped multiplier r.
type SetupFunc func(powers *Powers, r *[2]uint64)

// FusedFunc encrypts or decrypts whole steps with 20 rounds, as StreamFunc
// does, and absorbs the ciphertext of the same bytes, as MACFunc does, in one
// pass. The MAC state may already hold additional data. powers is as in
// MACFunc.
type FusedFunc func(dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers)

// A Kernel is one routine of a backend together with what it needs and what it
// is thought to cost.
type Kernel struct {
	// Name is unique within the backend: lower-case letters, digits and dashes.
	// With more than one width it ends in the width: "chacha-x4".
	Name string
	// Kind says which of the function fields are set.
	Kind Kind
	// Cipher is the family of a stream or fused kernel, NoCipher for a MAC.
	Cipher Cipher
	// Blocks is the width: how many cipher blocks (stream, fused) or MAC blocks
	// (mac) one step covers.
	Blocks int
	// GOARCH lists the architectures for which the kernel exists; empty means
	// all of them. Where it exists but is not compiled in (because of the
	// purego build tag, for instance) the function fields are nil.
	GOARCH []string
	// Features lists the CPU features the kernel needs, by the names of
	// internal/cpu ("neon", "avx2", ...). Features implied by others need not
	// be listed.
	Features []string
	// ByteOrder is "little" or "big" if the kernel is right in only one.
	ByteOrder string
	// Revision is raised with each change that may change the cost. Saved
	// profiles of another revision are not used.
	Revision int
	// Simplicity breaks ties: of two kernels within noise of each other the one
	// with the smaller number wins. Pure Go is 0, scalar assembly 1, vectors 2
	// and up.
	Simplicity int
	// Powers names the layout of Powers that this kernel reads, empty if it
	// needs none. Kernels with the same layout share what Setup computed.
	Powers string
	// Priors are the costs to assume where nothing has been measured. Those of a
	// fused kernel are of Seal.
	Priors []Prior
	// OpenSaves is how many cycles a call of Open of a fused kernel takes less than
	// one of Seal with as many steps. Where a step of Seal is encrypted while the
	// one before is absorbed, a call ends with the MAC of its last step, and Open
	// has nothing like it.
	OpenSaves float64

	XOR    StreamFunc // stream
	Lead   Lead       // stream, possibly none
	Absorb MACFunc    // mac
	Setup  SetupFunc  // mac and fused kernels with a Powers layout
	Seal   FusedFunc  // fused
	Open   FusedFunc  // fused
}

// A Prior is the assumed cost of one call of a kernel on one kind of CPU, in
// cycles. It is a claim, labelled with where it comes from; measuring on the
// CPU at hand replaces it.
type Prior struct {
	// CPU is the model the figures are for, by the names of internal/cpu
	// ("cortex-a7", "zen5"), or a GOARCH for any CPU of that architecture, or
	// empty for any CPU at all. The most specific one counts. For 32-bit programs
	// a 64-bit ARM core is named like "cortex-a53-arm32".
	CPU string
	// Rounds is the number of rounds the figures are for; 0 for MACs. Where only
	// 20 rounds are given, fewer are scaled in proportion.
	Rounds int
	// Fixed is the cost of a call apart from its steps, PerStep that of each
	// step, and Setup that of Kernel.Setup, in cycles.
	Fixed, PerStep, Setup float64
	// Provenance is "modelled", "measured" or "estimated".
	Provenance string
	// Source says by what and when: "inorder a7, 2026-11-30".
	Source string
}

// Step returns the number of bytes in one step of the kernel.
func (k *Kernel) Step() int {
	if k.Kind == KindMAC {
		return k.Blocks * MACBlockSize
	}
	return k.Blocks * BlockSize
}

// compiled reports whether the routine is part of this program.
func (k *Kernel) compiled() bool {
	switch k.Kind {
	case KindStream:
		return k.XOR != nil
	case KindMAC:
		return k.Absorb != nil
	case KindFused:
		return k.Seal != nil && k.Open != nil
	}
	return false
}
