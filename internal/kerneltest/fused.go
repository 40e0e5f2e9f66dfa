package kerneltest

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// maxSteps is the number of steps up to which every length is tried.
const maxSteps = 6

// margin is the number of bytes around a buffer that must not change.
const margin = 64

// Fused checks a fused kernel.
func Fused(t *testing.T, k *registry.Kernel) {
	t.Run("lengths", func(t *testing.T) { fusedLengths(t, k) })
	t.Run("counters", func(t *testing.T) { fusedCounters(t, k) })
	t.Run("extremes", func(t *testing.T) { fusedExtremes(t, k) })
	t.Run("allocations", func(t *testing.T) { fusedAllocations(t, k) })
}

// fusedCase is one call of a fused kernel.
type fusedCase struct {
	state   [16]uint32
	mac     registry.MACState
	src     []byte
	offset  int // of src and dst to a multiple of 64
	inPlace bool
}

// run calls Seal or Open and compares with the reference.
func (f *fusedCase) run(t *testing.T, k *registry.Kernel, open bool) {
	t.Helper()
	n := len(f.src)
	wantOut := make([]byte, n)
	reference.XORChaCha(wantOut, f.src, &f.state, 20)
	ciphertext := wantOut
	routine, name := k.Seal, "Seal"
	if open {
		ciphertext = f.src
		routine, name = k.Open, "Open"
	}
	wantMAC := absorbBig(f.mac, ciphertext)

	dst := newRoom(n, f.offset)
	src := dst
	if !f.inPlace {
		src = newRoom(n, f.offset+1)
	}
	copy(src.bytes(), f.src)
	state, mac := f.state, f.mac
	var powers *registry.Powers
	if k.Setup != nil {
		powers = new(registry.Powers)
		k.Setup(powers, &mac.R)
	}
	routine(dst.bytes(), src.bytes(), &state, &mac, powers)

	what := name + " of " + k.Name
	if !bytes.Equal(dst.bytes(), wantOut) {
		t.Fatalf("%s, %d bytes, counter %x: wrong output from byte %d on", what, n, f.state[12:14], firstDifference(dst.bytes(), wantOut))
	}
	if !f.inPlace && !bytes.Equal(src.bytes(), f.src) {
		t.Fatalf("%s, %d bytes: src changed", what, n)
	}
	if !dst.intact() || !src.intact() {
		t.Fatalf("%s, %d bytes: wrote beside the buffers", what, n)
	}
	if state != f.state || mac.R != f.mac.R || mac.S != f.mac.S {
		t.Fatalf("%s, %d bytes: changed its input", what, n)
	}
	got := value(mac.H[:])
	if got.Mod(got, prime).Cmp(wantMAC) != 0 || mac.H[2] > 7 {
		t.Fatalf("%s, %d bytes, H = %x, R = %x: MAC %x, want %x", what, n, f.mac.H, f.mac.R, mac.H, new(big.Int).Set(wantMAC))
	}
}

// A room is a buffer with margins.
type room struct {
	all       []byte
	start, to int
}

func newRoom(n, offset int) *room {
	r := &room{all: bytes.Repeat([]byte{0xa5}, n+2*margin+offset), start: margin + offset, to: margin + offset + n}
	return r
}

func (r *room) bytes() []byte { return r.all[r.start:r.to:r.to] }

func (r *room) intact() bool {
	for i, b := range r.all {
		if (i < r.start || i >= r.to) && b != 0xa5 {
			return false
		}
	}
	return true
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// both runs Seal and Open.
func (f *fusedCase) both(t *testing.T, k *registry.Kernel) {
	t.Helper()
	f.run(t, k, false)
	f.run(t, k, true)
}

func randomCase(rng *rand.Rand, n int) *fusedCase {
	f := &fusedCase{mac: randomState(rng), src: randomBytes(rng, n)}
	for i := range f.state {
		f.state[i] = rng.Uint32()
	}
	return f
}

func fusedLengths(t *testing.T, k *registry.Kernel) {
	rng := rand.New(rand.NewPCG(7, 8))
	for steps := 1; steps <= maxSteps; steps++ {
		for offset := range 64 {
			f := randomCase(rng, steps*k.Step())
			f.offset, f.inPlace = offset, offset%2 == 1
			f.both(t, k)
		}
	}
}

// fusedCounters lets the low word, and the whole counter, wrap in every lane.
func fusedCounters(t *testing.T, k *registry.Kernel) {
	rng := rand.New(rand.NewPCG(9, 10))
	for before := range uint32(2*k.Blocks + 2) {
		for _, high := range []uint32{0, 0x7fffffff, 0xffffffff} {
			f := randomCase(rng, 2*k.Step())
			f.state[12], f.state[13] = -before, high
			f.both(t, k)
			f.state[12] = 1<<31 - before
			f.both(t, k)
		}
	}
}

// fusedExtremes makes the limbs of the MAC as large as they get.
func fusedExtremes(t *testing.T, k *registry.Kernel) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, r := range [][2]uint64{zeroR, oneR, maxR, topR} {
		for _, h := range accumulators {
			f := randomCase(rng, 2*k.Step())
			f.mac.H, f.mac.R = h, r
			f.both(t, k)
			// The message whose ciphertext is all ones.
			ones := bytes.Repeat([]byte{0xff}, len(f.src))
			reference.XORChaCha(f.src, ones, &f.state, 20)
			f.run(t, k, false)
			f.src = ones
			f.run(t, k, true)
		}
	}
}

func fusedAllocations(t *testing.T, k *registry.Kernel) {
	var state [16]uint32
	mac := registry.MACState{R: maxR}
	powers := new(registry.Powers)
	buf := make([]byte, 2*k.Step())
	for name, routine := range map[string]registry.FusedFunc{"Seal": k.Seal, "Open": k.Open} {
		if n := testing.AllocsPerRun(10, func() { routine(buf, buf, &state, &mac, powers) }); n != 0 {
			t.Errorf("%s of %s allocates %v times", name, k.Name, n)
		}
	}
}
