package registrytest

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/registry"
)

// streamVectors runs the vectors that give a text. Of a fused kernel they check
// the cipher only.
func (s *subject) streamVectors(r *routine) {
	list := vectors.ChaCha
	if r.cipher == registry.Salsa {
		list = vectors.Salsa
	}
	for i := range list {
		v := &list[i]
		if !slices.Contains(s.roundsOf(), v.Rounds) {
			continue
		}
		in := input{state: v.State(), rounds: v.Rounds, text: v.Message()}
		e := &expectation{input: in, out: vectors.Bytes(v.Ciphertext)}
		m := s.begin(r, e)
		// Through scratch memory: unlike a call in place this does not compare
		// the MAC state, which these vectors do not have.
		for n := len(in.text); n > 0; n = len(in.text) - m.pos {
			m.scratchCall(min(n, s.unit()), i%2 == 0)
		}
	}
}

// streamDigests runs the vectors that give the XOR of all blocks.
func (s *subject) streamDigests(r *routine) {
	for i := range vectors.Digests {
		v := &vectors.Digests[i]
		if v.Cipher != r.cipher.String() || !slices.Contains(s.roundsOf(), v.Rounds) {
			continue
		}
		var sum [registry.BlockSize]byte
		for block := 0; block < v.Length/registry.BlockSize; {
			piece := s.keystream(r, v, block)
			count := min(len(piece), v.Length-block*registry.BlockSize)
			for j, b := range piece[:count] {
				sum[j%len(sum)] ^= b
			}
			block += count / registry.BlockSize
		}
		if at := firstDifference(sum[:], vectors.Bytes(v.XOR)); at >= 0 {
			s.fail(at, "wrong XOR of the keystream of %d bytes: %s, %s", v.Length, v.Source, v.Name)
		}
	}
}

// keystream returns some steps of the keystream of v from the given block on.
func (s *subject) keystream(r *routine, v *vectors.Digest, block int) []byte {
	n := max(1, pieceSize/s.unit()) * s.unit()
	s.at.Call, s.at.Length, s.at.Rounds = r.name, n, v.Rounds
	state := v.State()
	advance(r.cipher, &state, block)
	buf := slice(s.mem.dst, true, 0, n)
	clear(buf)
	var mac registry.MACState
	var powers registry.Powers
	a := arguments{dst: buf, src: buf, state: &state, rounds: v.Rounds, mac: &mac}
	if s.kernel.Setup != nil {
		s.setup(&powers, mac.R, poison)
		a.powers = &powers
	}
	s.args = a
	r.call(&a)
	return buf
}

// macVectors runs the Poly1305 vectors: the whole blocks through the kernel,
// the rest by math/big.
func (s *subject) macVectors() {
	r := &s.routines[0]
	for i := range vectors.Poly1305 {
		v := &vectors.Poly1305[i]
		key, text := vectors.Bytes(v.Key), vectors.Bytes(v.Message)
		var in input
		in.mac.R = [2]uint64{binary.LittleEndian.Uint64(key) & clampLow, binary.LittleEndian.Uint64(key[8:]) & clampHigh}
		in.mac.S = [2]uint64{binary.LittleEndian.Uint64(key[16:]), binary.LittleEndian.Uint64(key[24:])}
		in.text = text[:len(text)/registry.MACBlockSize*registry.MACBlockSize]
		m := s.begin(r, expect(r, in))
		if len(in.text) > 0 {
			m.kernelCall(len(in.text), placements[i%2])
		}
		if at := firstDifference(tag(&m.mac, text[len(in.text):]), vectors.Bytes(v.Tag)); at >= 0 {
			s.fail(at, "wrong tag: %s, %s", v.Source, v.Name)
		}
	}
}

// tag absorbs the last, partial block and returns the tag (RFC 8439 section
// 2.5), by math/big.
func tag(mac *registry.MACState, partial []byte) []byte {
	h := bigFromLimbs(mac.H[:])
	if len(partial) > 0 {
		block := append(slices.Clone(partial), 1)
		slices.Reverse(block)
		h.Add(h, new(big.Int).SetBytes(block))
		h.Mul(h, bigFromLimbs(mac.R[:]))
	}
	h.Mod(h, prime).Add(h, bigFromLimbs(mac.S[:]))
	limbs := limbsFromBig(h)
	out := binary.LittleEndian.AppendUint64(nil, limbs[0])
	return binary.LittleEndian.AppendUint64(out, limbs[1])
}
