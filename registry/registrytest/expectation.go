package registrytest

import (
	"crypto/subtle"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// A routine is one function of a kernel, seen in one way for all kinds: call
// takes the arguments of all of them and uses those that its kind has.
type routine struct {
	name     string
	cipher   registry.Cipher // NoCipher for Absorb
	macs     bool            // Absorb, Seal and Open
	decrypts bool            // Open: the MAC runs over src instead of dst
	call     func(a *arguments)
}

type arguments struct {
	dst, src []byte
	state    *[16]uint32
	rounds   int
	mac      *registry.MACState
	powers   *registry.Powers
}

// routinesOf returns the routines of a compiled kernel.
func routinesOf(k *registry.Kernel) []routine {
	switch k.Kind {
	case registry.KindStream:
		return streamRoutines(k)
	case registry.KindMAC:
		return []routine{{name: "Absorb", macs: true, call: func(a *arguments) { k.Absorb(a.mac, a.powers, a.src) }}}
	}
	return []routine{
		{name: "Seal", cipher: k.Cipher, macs: true, call: func(a *arguments) { k.Seal(a.dst, a.src, a.state, a.mac, a.powers) }},
		{name: "Open", cipher: k.Cipher, macs: true, decrypts: true, call: func(a *arguments) { k.Open(a.dst, a.src, a.state, a.mac, a.powers) }},
	}
}

func streamRoutines(k *registry.Kernel) []routine {
	routines := []routine{{name: "XOR", cipher: k.Cipher, call: func(a *arguments) { k.XOR(a.dst, a.src, a.state, a.rounds) }}}
	if k.Lead.XOR != nil {
		routines = append(routines, routine{name: leadName, cipher: k.Cipher, call: func(a *arguments) { leadAll(k, a) }})
	}
	return routines
}

// leadName is the name of the routine that runs Lead.
const leadName = "Lead"

// leadAll does by Lead, step by step, what XOR would do. The last step need not be a
// whole one. The first block of each is written to where its text goes.
func leadAll(k *registry.Kernel, a *arguments) {
	for at := 0; at < len(a.src); at += k.Step() {
		state := a.state
		if at > 0 {
			later := *a.state // others may be at work with the argument
			advance(k.Cipher, &later, at/registry.BlockSize)
			state = &later
		}
		end := min(at+k.Step(), len(a.src))
		data := at + registry.BlockSize
		first := (*[registry.BlockSize]byte)(a.dst[at:data])
		text := [registry.BlockSize]byte(a.src[at:data])
		k.Lead.XOR(first, a.dst[data:end], a.src[data:end], state, a.rounds)
		subtle.XORBytes(first[:], first[:], text[:])
	}
}

// encrypts reports whether the routine has a state, rounds and a destination.
func (r *routine) encrypts() bool { return r.cipher != registry.NoCipher }

// An input is the start of a message and its text.
type input struct {
	state  [16]uint32
	rounds int
	mac    registry.MACState
	text   []byte
}

// An expectation is an input with what must come of it, computed by the
// reference routines.
type expectation struct {
	input
	out []byte      // nil if the routine encrypts nothing
	h   [][3]uint64 // reduced H before each MAC block and after the last
}

// expect computes what routine r must make of in. The text is a multiple of
// 64 bytes, of 16 for a MAC.
func expect(r *routine, in input) *expectation {
	e := &expectation{input: in}
	authenticated := in.text
	if r.encrypts() {
		e.out = make([]byte, len(in.text))
		referenceXOR(r.cipher, e.out, in.text, &in.state, in.rounds)
		if !r.decrypts {
			authenticated = e.out
		}
	}
	if r.macs {
		e.h = referenceAbsorb(in.mac.H, in.mac.R, authenticated)
	}
	return e
}

// authenticated returns the bytes that the MAC runs over.
func (e *expectation) authenticated(r *routine) []byte {
	if r.encrypts() && !r.decrypts {
		return e.out
	}
	return e.text
}

func referenceXOR(c registry.Cipher, dst, src []byte, state *[16]uint32, rounds int) {
	if c == registry.Salsa {
		reference.XORSalsa(dst, src, state, rounds)
		return
	}
	reference.XORChaCha(dst, src, state, rounds)
}

// referenceAbsorb is bigAbsorb by the reference routine.
func referenceAbsorb(h [3]uint64, r [2]uint64, msg []byte) [][3]uint64 {
	all := make([][3]uint64, 1, 1+len(msg)/registry.MACBlockSize)
	all[0] = reduce(h)
	for ; len(msg) >= registry.MACBlockSize; msg = msg[registry.MACBlockSize:] {
		reference.Poly1305(&h, &r, msg[:registry.MACBlockSize])
		all = append(all, reduce(h))
	}
	return all
}

// advance adds blocks to the counter of the state, as a caller of kernels does.
func advance(c registry.Cipher, state *[16]uint32, blocks int) {
	w := c.CounterWord()
	counter := uint64(state[w+1])<<32 | uint64(state[w])
	setCounter(c, state, counter+uint64(blocks))
}

func setCounter(c registry.Cipher, state *[16]uint32, counter uint64) {
	w := c.CounterWord()
	state[w], state[w+1] = uint32(counter), uint32(counter>>32)
}
