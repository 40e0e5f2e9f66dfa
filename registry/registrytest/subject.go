package registrytest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// A check is one aspect of a kernel. run returns normally if the kernel passes
// and calls subject.fail if not.
type check struct {
	name string
	run  func(s *subject)
	// first marks the check without which the others make no sense.
	first bool
}

// A subject is a kernel under one check.
type subject struct {
	*config
	backend  *registry.Backend
	kernel   *registry.Kernel
	routines []routine
	mem      *memory
	rand     *rand.Rand
	// at is filled in before each call of the kernel, so that a panic or a
	// memory fault is reported with what was called.
	at Failure
	// args are the arguments of the call under way.
	args arguments
}

// cancelled is what subject.poll panics with.
type cancelled struct{ err error }

// runCheck runs one check and returns its failure, which may be a panic or a
// memory fault of the kernel.
func runCheck(c *config, b *registry.Backend, k *registry.Kernel, ch check) (err error) {
	s := &subject{
		config:   c,
		backend:  b,
		kernel:   k,
		routines: routinesOf(k),
		rand:     rand.New(rand.NewPCG(c.seed, hashOf(b.Name, k.Name, ch.name))),
		at:       Failure{Backend: b.Name, Kernel: k.Name, Check: ch.name, Offset: -1},
	}
	s.mem = newMemory(maxLength(k) + 2*margin)
	defer s.mem.free()
	defer func() {
		if v := recover(); v != nil {
			err = s.recovered(v)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	ch.run(s)
	return nil
}

// recovered turns what a check panicked with into an error.
func (s *subject) recovered(v any) error {
	switch v := v.(type) {
	case *Failure:
		return v
	case cancelled:
		return v.err
	case interface {
		error
		Addr() uintptr
	}:
		f := s.at
		f.Detail = "memory fault " + describeAddress(v.Addr(), &s.args)
		return &f
	}
	f := s.at
	f.Detail = fmt.Sprintf("panic: %v", v)
	// Some emulators do not pass on the address of a fault.
	if err, ok := v.(runtime.Error); ok && strings.Contains(err.Error(), "nil pointer dereference") {
		f.Detail = "memory fault at an unknown address, or a nil pointer"
	}
	return &f
}

// fail ends the check.
func (s *subject) fail(offset int, format string, args ...any) {
	f := s.at
	f.Offset = offset
	f.Detail = fmt.Sprintf(format, args...)
	panic(&f)
}

// poll ends the check if the context is done.
func (s *subject) poll() {
	if err := s.ctx.Err(); err != nil {
		panic(cancelled{err})
	}
}

// unit returns the number of bytes of which the routine takes any multiple.
func (s *subject) unit() int {
	if s.kernel.Kind == registry.KindMAC {
		return registry.MACBlockSize
	}
	return s.kernel.Step()
}

// roundsOf returns the numbers of rounds that the kernel must support.
func (s *subject) roundsOf() []int {
	switch s.kernel.Kind {
	case registry.KindStream:
		return []int{20, 12, 8}
	case registry.KindFused:
		return []int{20}
	}
	return []int{0}
}

func (s *subject) randomBytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.rand.Uint32())
	}
	return b
}

// randomInput returns a random message of n bytes under a random state, with a
// MAC that has already absorbed something.
func (s *subject) randomInput(rounds, n int) input {
	in := input{rounds: rounds, text: s.randomBytes(n)}
	for i := range in.state {
		in.state[i] = s.rand.Uint32()
	}
	in.mac.H = [3]uint64{s.rand.Uint64(), s.rand.Uint64(), s.rand.Uint64N(8)}
	in.mac.R = [2]uint64{s.rand.Uint64() & clampLow, s.rand.Uint64() & clampHigh}
	in.mac.S = [2]uint64{s.rand.Uint64(), s.rand.Uint64()}
	return in
}

// setup fills powers for r, which must not change. What was in powers before
// is fill in every word.
func (s *subject) setup(powers *registry.Powers, r [2]uint64, fill uint64) {
	s.at.Call, s.at.Length, s.at.Rounds = "Setup", 0, 0
	if s.kernel.Setup == nil {
		return
	}
	for i := range powers.Words {
		powers.Words[i] = fill
	}
	s.mem.next()
	p := s.mem.powersPointer()
	*p = *powers
	given := r
	s.kernel.Setup(p, &given)
	*powers = *p
	if given != r {
		s.fail(-1, "the multiplier argument was modified")
	}
}

// A message is one message on its way through the kernel.
type message struct {
	*subject
	r      *routine
	e      *expectation
	pos    int
	mac    registry.MACState
	powers registry.Powers
}

// begin starts the message of e at its first byte.
func (s *subject) begin(r *routine, e *expectation) *message {
	m := &message{subject: s, r: r, e: e, mac: e.mac}
	if r.macs {
		s.setup(&m.powers, e.mac.R, poison)
	}
	return m
}

// poison fills Powers before Setup.
const poison = 0xdeadbeefcafef00d

// kernelCall lets the kernel do the next n bytes, a multiple of its unit, and
// compares everything: result, canaries, and the arguments that are not to
// change.
func (m *message) kernelCall(n int, p placement) {
	m.poll()
	m.mem.next()
	m.at.Call, m.at.Length, m.at.Rounds, m.at.Offset = m.r.name, n, m.e.rounds, -1
	dstMem, srcMem := m.mem.dst, m.mem.src
	src := slice(srcMem, p.atEnd, p.src, n)
	if p.inPlace {
		srcMem = dstMem
		src = slice(dstMem, p.atEnd, p.dst, n)
	}
	copy(src, m.e.text[m.pos:])
	dst := slice(dstMem, p.atEnd, p.dst, n)
	from := p.dst
	if p.atEnd {
		from = len(dstMem) - p.dst - n
	}
	a := arguments{src: src, rounds: m.e.rounds}
	if m.r.encrypts() {
		a.dst = dst
		a.state = m.mem.statePointer()
		*a.state = m.stateAt()
		setCanaries(dstMem, from, from+n)
		if !p.inPlace {
			fill(dst, 0x5a)
		}
	}
	if m.r.macs {
		a.mac = m.mem.macPointer()
		*a.mac = m.mac
		if m.kernel.Setup != nil {
			a.powers = m.mem.powersPointer()
			*a.powers = m.powers
		}
	}
	m.args = a
	m.r.call(&a)
	m.compare(&a, n)
	if m.r.encrypts() {
		if *a.state != m.stateAt() {
			m.fail(-1, "the state argument was modified")
		}
		if off, broken := brokenCanary(dstMem, from, from+n); broken {
			m.fail(-1, "wrote outside dst, at byte %d of %d", off, n)
		}
	}
	if m.r.macs {
		m.compareMAC(a.mac, n)
		m.mac = *a.mac
		if a.powers != nil {
			m.powers = *a.powers
		}
	}
	m.pos += n
}

// stateAt returns the state for the next block.
func (m *message) stateAt() [16]uint32 {
	state := m.e.state
	advance(m.r.cipher, &state, m.pos/registry.BlockSize)
	return state
}

// compare checks dst, and src if it is not the same memory.
func (m *message) compare(a *arguments, n int) {
	if m.r.encrypts() {
		if i := firstDifference(a.dst, m.e.out[m.pos:m.pos+n]); i >= 0 {
			m.fail(i, "wrong output%s", m.atPosition())
		}
		if &a.dst[0] == &a.src[0] {
			return
		}
	}
	if i := firstDifference(a.src, m.e.text[m.pos:m.pos+n]); i >= 0 {
		m.fail(i, "src was modified")
	}
}

// compareMAC checks the MAC state after n further bytes.
func (m *message) compareMAC(got *registry.MACState, n int) {
	if got.R != m.mac.R || got.S != m.mac.S {
		m.fail(-1, "R or S of the MAC state was modified")
	}
	if got.H[2] > 7 {
		m.fail(-1, "H is not below 2^131: its top limb is %d", got.H[2])
	}
	if reduce(got.H) != m.e.h[(m.pos+n)/registry.MACBlockSize] {
		m.fail(-1, "wrong H after the call%s", m.atPosition())
	}
}

// atPosition says where in the message a call is, unless at its start.
func (m *message) atPosition() string {
	if m.pos == 0 {
		return ""
	}
	return fmt.Sprintf(" (call at byte %d of the message)", m.pos)
}

// skip lets the reference do the next n bytes, going on from the H that the
// kernel left.
func (m *message) skip(n int) {
	if m.r.macs {
		reference.Poly1305(&m.mac.H, &m.mac.R, m.e.authenticated(m.r)[m.pos:m.pos+n])
	}
	m.pos += n
}

// bytes does the next n bytes, any number from any byte of the message, as the
// product does: whole steps by the kernel in place, what is left over through
// a scratch step. A fused kernel's MAC is only followed over whole steps.
func (m *message) bytes(n int, p placement) {
	for n > 0 {
		done := n / m.unit() * m.unit()
		if m.pos%registry.BlockSize == 0 && done > 0 {
			m.kernelCall(done, p)
		} else {
			done = min(n, m.unit()-m.pos%registry.BlockSize)
			m.scratchCall(done, p.atEnd)
		}
		n -= done
	}
}

// scratchCall does n bytes, less than a step, in a step of scratch memory.
func (m *message) scratchCall(n int, atEnd bool) {
	m.poll()
	m.mem.next()
	m.at.Call, m.at.Length, m.at.Rounds = m.r.name, m.unit(), m.e.rounds
	scratch := slice(m.mem.scratch, atEnd, 0, m.unit())
	skip := m.pos % registry.BlockSize
	copy(scratch[skip:], m.e.text[m.pos:m.pos+n])
	mac := m.mac
	a := arguments{dst: scratch, src: scratch, rounds: m.e.rounds, state: m.mem.statePointer()}
	if m.r.macs {
		a.mac = &mac
		if m.kernel.Setup != nil {
			a.powers = &m.powers
		}
	}
	*a.state = m.stateAt()
	m.args = a
	m.r.call(&a)
	if *a.state != m.stateAt() {
		m.fail(-1, "the state argument was modified")
	}
	if i := firstDifference(scratch[skip:skip+n], m.e.out[m.pos:m.pos+n]); i >= 0 {
		m.fail(skip+i, "wrong output%s", m.atPosition())
	}
	m.pos += n
}

// firstDifference returns the index of the first byte that differs, or -1.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

func hashOf(names ...string) uint64 {
	h := fnv.New64a()
	for _, n := range names {
		h.Write([]byte(n + "\x00"))
	}
	return h.Sum64()
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}
