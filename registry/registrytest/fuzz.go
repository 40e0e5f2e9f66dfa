package registrytest

import (
	"math/rand/v2"
	"testing"

	"github.com/quarterround/quarterround/registry"
)

// FuzzStream fuzzes the stream kernels of the backend against the reference.
// The input says which kernel, how many rounds, the counter, the lengths of
// the calls, where they lie, and the text.
func FuzzStream(f *testing.F, b *registry.Backend) { fuzz(f, b, registry.KindStream) }

// FuzzMAC fuzzes the MAC kernels of the backend against math/big.
func FuzzMAC(f *testing.F, b *registry.Backend) { fuzz(f, b, registry.KindMAC) }

// FuzzFused fuzzes the fused kernels of the backend against the reference.
func FuzzFused(f *testing.F, b *registry.Backend) { fuzz(f, b, registry.KindFused) }

func fuzz(f *testing.F, b *registry.Backend, kind registry.Kind) {
	c := newConfig(nil)
	var kernels []*registry.Kernel
	for i := range b.Kernels {
		if k := &b.Kernels[i]; k.Kind == kind && c.skipReason(k) == "" {
			kernels = append(kernels, k)
		}
	}
	if len(kernels) == 0 {
		f.Skipf("no %s kernel of %s can run here", kind, b.Name)
	}
	f.Add([]byte{})
	for i := range kernels {
		f.Add([]byte{byte(i), 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 7, 1, 9, 3, 4, 5})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tape := &tape{data: data}
		k := kernels[int(tape.next())%len(kernels)]
		if err := runCheck(c, b, k, check{name: "fuzz", run: func(s *subject) { s.fuzzOne(tape) }}); err != nil {
			t.Error(err)
		}
	})
}

// A tape hands out the fuzzer's bytes, then zeros.
type tape struct{ data []byte }

func (t *tape) next() byte {
	if len(t.data) == 0 {
		return 0
	}
	b := t.data[0]
	t.data = t.data[1:]
	return b
}

func (t *tape) word() (w uint64) {
	for range 8 {
		w = w<<8 | uint64(t.next())
	}
	return w
}

// fuzzOne runs the message that the tape describes.
func (s *subject) fuzzOne(t *tape) {
	r := &s.routines[int(t.next())%len(s.routines)]
	rounds := s.roundsOf()[int(t.next())%len(s.roundsOf())]
	counter := t.word()
	calls := make([]int, 1+t.next()%4)
	total := 0
	for i := range calls {
		calls[i] = (1 + int(t.next())%(1+2*s.kernel.Step()/s.unit())) * s.unit()
		total += calls[i]
	}
	if r.name == leadName { // the last step need not be whole
		least := registry.BlockSize + s.kernel.Lead.From
		n := least + (int(t.next())<<8|int(t.next()))%(s.kernel.Step()-least+1)
		calls = append(calls, n)
		total += (n + registry.BlockSize - 1) / registry.BlockSize * registry.BlockSize
	}
	where := t.next()
	s.rand = rand.New(rand.NewPCG(uint64(t.next()), 0))
	in := s.randomInput(rounds, total)
	if r.encrypts() {
		setCounter(r.cipher, &in.state, counter)
	}
	in.mac.R = [2]uint64{t.word() & clampLow, t.word() & clampHigh}
	in.mac.H = [3]uint64{t.word(), t.word(), uint64(t.next() % 8)}
	copy(in.text, t.data)
	e := expect(r, in)
	if r.macs {
		e.h = bigAbsorb(in.mac.H, in.mac.R, e.authenticated(r))
	}
	m := s.begin(r, e)
	for i, n := range calls {
		m.kernelCall(n, placement{
			atEnd:   where&1 != 0,
			inPlace: r.encrypts() && where&2 != 0,
			src:     int(where>>2) * i % 64,
			dst:     int(where>>5) * i % 64,
		})
	}
}
