package registrytest

import (
	"bytes"
	"errors"
	"github.com/quarterround/quarterround/internal/testenv"
	"io"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// xorFunc makes a broken stream kernel from the right one.
type xorFunc func(right registry.StreamFunc) registry.StreamFunc

// broken is a deliberate fault, the check that must find it, and part of what
// that check must say.
type broken struct {
	name   string
	kernel registry.Kernel
	check  string
	detail string
}

// brokenXOR returns a ChaCha kernel of four blocks with the fault.
func brokenXOR(f xorFunc) registry.Kernel {
	k := streamKernel(registry.ChaCha, 4)
	k.XOR = f(k.XOR)
	return k
}

// afterwards returns a kernel that is right and then does something more.
func afterwards(more func(dst, src []byte, state *[16]uint32, rounds int)) registry.Kernel {
	return brokenXOR(func(right registry.StreamFunc) registry.StreamFunc {
		return func(dst, src []byte, state *[16]uint32, rounds int) {
			right(dst, src, state, rounds)
			more(dst, src, state, rounds)
		}
	})
}

func brokenMAC(more func(state *registry.MACState, msg []byte)) registry.Kernel {
	k := macKernel(2)
	k.Absorb = func(state *registry.MACState, p *registry.Powers, msg []byte) {
		absorb(state, p, msg)
		more(state, msg)
	}
	return k
}

// brokenOpen returns a fused kernel whose Seal is right.
func brokenOpen(open registry.FusedFunc) registry.Kernel {
	k := fusedKernel(registry.ChaCha, 2)
	k.Open = open
	return k
}

// beyond returns a pointer to the byte at this offset from the start of b.
func beyond(b []byte, offset int) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), offset))
}

func lowCounter(state *[16]uint32) uint64 { return uint64(state[12]) }

// carries reports whether the low counter word overflows within the call.
func carries(dst []byte, state *[16]uint32) bool {
	return lowCounter(state)+uint64(len(dst)/registry.BlockSize) > 1<<32
}

// withoutCarry computes blocks as if the counter had 32 bits.
func withoutCarry(dst, src []byte, state *[16]uint32, rounds int) {
	for i := 0; i < len(src); i += registry.BlockSize {
		s := *state
		s[12] += uint32(i / registry.BlockSize)
		reference.XORChaCha(dst[i:i+registry.BlockSize], src[i:i+registry.BlockSize], &s, rounds)
	}
}

var (
	inFlight   atomic.Int32
	retained   []byte
	lastState  *[16]uint32
	lastWords  [16]uint32
	collected  atomic.Bool
	sink       []byte
	wordSink   uint64
	allocation = 64
)

func streamFaults() []broken {
	return []broken{
		{"past 512 bytes", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) {
			if len(dst) > 512 {
				dst[512] ^= 1
			}
		}), "lengths", "wrong output"},
		{"only the published nonces", afterwards(func(dst, _ []byte, state *[16]uint32, _ int) {
			if state[14] == 0x4a000000 {
				dst[0] ^= 1
			}
		}), "vectors", "wrong output"},
		{"last lane of a step", afterwards(func(dst, src []byte, _ *[16]uint32, _ int) {
			if len(dst) == 256 && !bytes.Equal(dst, src) {
				dst[255] ^= 1
			}
		}), "tails", "wrong output"},
		{"32-bit carry", brokenXOR(func(right registry.StreamFunc) registry.StreamFunc {
			return func(dst, src []byte, state *[16]uint32, rounds int) {
				if carries(dst, state) && state[13] != 0xffffffff {
					withoutCarry(dst, src, state, rounds)
					return
				}
				right(dst, src, state, rounds)
			}
		}), "counter-carry", "wrong output"},
		{"carry in the third lane only", afterwards(func(dst, _ []byte, state *[16]uint32, _ int) {
			if state[12] == 0xfffffffe && state[13] != 0xffffffff {
				dst[128] ^= 1
			}
		}), "counter-carry", "wrong output"},
		{"64-bit wrap", afterwards(func(dst, _ []byte, state *[16]uint32, _ int) {
			if carries(dst, state) && state[13] == 0xffffffff {
				dst[len(dst)-1] ^= 1
			}
		}), "counter-wrap", "wrong output"},
		{"one byte too far", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) { *beyond(dst, len(dst)) ^= 1 }),
			"offsets", "wrote outside dst, at byte 768 of 768"},
		{"one byte too early", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) { *beyond(dst, -1) ^= 1 }),
			"offsets", "bytes before the start of dst"},
		{"one byte too early in place", afterwards(func(dst, src []byte, _ *[16]uint32, _ int) {
			if &dst[0] == &src[0] {
				*beyond(dst, -1) ^= 1
			}
		}), "lengths", "wrote outside dst, at byte -1"},
		{"modifies state", afterwards(func(dst, _ []byte, state *[16]uint32, _ int) { state[12]++ }),
			"lengths", "the state argument was modified"},
		{"modifies src", afterwards(func(dst, src []byte, _ *[16]uint32, _ int) {
			if &dst[0] != &src[0] {
				src[3] ^= 1
			}
		}), "lengths", "src was modified"},
		{"8 rounds", afterwards(func(dst, _ []byte, _ *[16]uint32, rounds int) {
			if rounds == 8 {
				dst[7] ^= 1
			}
		}), "lengths", "wrong output"},
		{"in place", afterwards(func(dst, src []byte, _ *[16]uint32, _ int) {
			if &dst[0] == &src[0] {
				dst[7] ^= 1
			}
		}), "lengths", "wrong output"},
		{"adds to dst", brokenXOR(func(right registry.StreamFunc) registry.StreamFunc {
			return func(dst, src []byte, state *[16]uint32, rounds int) {
				old := dst[0]
				right(dst, src, state, rounds)
				if &dst[0] != &src[0] {
					dst[0] ^= old
				}
			}
		}), "lengths", "wrong output"},
		{"odd offset", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) {
			if uintptr(unsafe.Pointer(&dst[0]))%2 == 1 {
				dst[7] ^= 1
			}
		}), "offsets", "wrong output"},
		{"second call", afterwards(func(dst, src []byte, state *[16]uint32, _ int) {
			if len(dst) == 256 && lastWords[14] == state[14] && lastWords[12] != state[12] {
				dst[7] ^= 1
			}
			lastWords = *state
		}), "splits", "wrong output"},
		{"after another kernel", afterwards(func(dst, src []byte, state *[16]uint32, _ int) {
			if lastWords[14] == state[14] && state[12] == lastWords[12]+1 {
				dst[7] ^= 1
			}
			lastWords = *state
			lastWords[12] += uint32(len(dst) / registry.BlockSize)
		}), "kernel-change", "wrong output"},
		{"a piece", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) {
			if len(dst) == 16384 {
				dst[16383] ^= 1
			}
		}), "piece", "wrong output"},
		{"all-ones state", afterwards(func(dst, _ []byte, state *[16]uint32, _ int) {
			if state[4] == 0xffffffff {
				dst[7] ^= 1
			}
		}), "state-extremes", "wrong output"},
		{"one text in 16", afterwards(func(dst, src []byte, _ *[16]uint32, _ int) {
			if dst[1]%16 == 0 {
				dst[7] ^= 1
			}
		}), "random", "wrong output"},
		{"panics", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) { _ = dst[len(dst)] }),
			"lengths", "panic: runtime error: index out of range"},
		{"allocates", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) { sink = make([]byte, allocation) }),
			"allocations", "heap allocations"},
		{"concurrency", brokenXOR(func(right registry.StreamFunc) registry.StreamFunc {
			return func(dst, src []byte, state *[16]uint32, rounds int) {
				wrong := inFlight.Add(1) > 1
				right(dst, src, state, rounds)
				runtime.Gosched()
				if wrong || inFlight.Load() > 1 {
					dst[7] ^= 1
				}
				inFlight.Add(-1)
			}
		}), "concurrency", "with other calls under way"},
		{"writes in a later call", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) {
			if retained != nil && &retained[0] != &dst[0] {
				retained[0] ^= 1
			}
			retained = dst
		}), "retention", "dst"},
		{"writes later by itself", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) {
			go func() { time.Sleep(time.Millisecond / 2); dst[9] = 0 }()
		}), "retention", "retained dst and wrote to it"},
		{"keeps a pointer", afterwards(func(_, _ []byte, state *[16]uint32, _ int) { lastState = state }),
			"retention", "retained state"},
		{"caches by address", brokenXOR(func(right registry.StreamFunc) registry.StreamFunc {
			return func(dst, src []byte, state *[16]uint32, rounds int) {
				if state != lastState {
					lastState, lastWords = state, *state
				}
				words := lastWords
				right(dst, src, &words, rounds)
			}
		}), "retention", "at the same address"},
		{"garbage collection", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) {
			if collected.Swap(false) {
				dst[7] ^= 1
			}
		}), "garbage-collection", "during garbage collection"},
		{"address kept over stack growth", brokenXOR(func(right registry.StreamFunc) registry.StreamFunc {
			return func(dst, src []byte, state *[16]uint32, rounds int) {
				address := uintptr(unsafe.Pointer(&dst[0]))
				right(dst, src, state, rounds)
				useStack(200)
				if address != uintptr(unsafe.Pointer(&dst[0])) {
					dst[0] ^= 1
				}
			}
		}), "stack-growth", "with arguments on the stack"},
		{"long calls while the profiler runs", afterwards(func(dst, _ []byte, _ *[16]uint32, _ int) {
			if len(dst) == stressPiece && profiled() {
				dst[11] ^= 1
			}
		}), "stress", "under stress"},
	}
}

// profiled reports whether a CPU profile is under way.
func profiled() bool {
	if pprof.StartCPUProfile(io.Discard) != nil {
		return true
	}
	pprof.StopCPUProfile()
	return false
}

//go:noinline
func useStack(depth int) byte {
	var frame [512]byte
	frame[depth] = 1
	if depth > 0 {
		frame[0] = useStack(depth - 1)
	}
	return frame[0] + frame[depth]
}

// brokenLead returns a kernel whose Lead is right and then does something more.
func brokenLead(more func(first *[registry.BlockSize]byte, dst, src []byte, state *[16]uint32)) registry.Kernel {
	k := leadKernel()
	k.Lead.XOR = func(first *[registry.BlockSize]byte, dst, src []byte, state *[16]uint32, rounds int) {
		leadRight(first, dst, src, state, rounds)
		more(first, dst, src, state)
	}
	return k
}

func leadFaults() []broken {
	return []broken{
		{"first block encrypted", brokenLead(func(first *[registry.BlockSize]byte, _, src []byte, _ *[16]uint32) { first[0] ^= src[0] | 1 }),
			"lengths", "wrong output, first difference at byte 0"},
		{"incomplete block", brokenLead(func(_ *[registry.BlockSize]byte, dst, _ []byte, _ *[16]uint32) {
			if n := len(dst); n%registry.BlockSize == 17 {
				dst[n-1] ^= 1
			}
		}), "lead", "wrong output"},
		{"a whole block where there is less", brokenLead(func(_ *[registry.BlockSize]byte, dst, _ []byte, _ *[16]uint32) {
			if n := len(dst); n%registry.BlockSize != 0 {
				*beyond(dst, n) ^= 1
			}
		}), "lead", "bytes past the end of dst"},
		{"first block before dst", brokenLead(func(first *[registry.BlockSize]byte, dst, _ []byte, _ *[16]uint32) {
			*beyond(dst, -1) ^= first[0] | 1
		}), "lead", "wrote outside dst, at byte -1"},
		{"reads before src", brokenLead(func(_ *[registry.BlockSize]byte, _, src []byte, _ *[16]uint32) {
			wordSink = uint64(*beyond(src, -1))
		}), "lead", "before the start of src"},
		{"before the first block", brokenLead(func(first *[registry.BlockSize]byte, dst, _ []byte, _ *[16]uint32) {
			if len(dst)%registry.BlockSize != 0 {
				*beyond(first[:], -1) ^= 1
			}
		}), "lead", "wrote outside the first block, at byte -1"},
		{"another first block", brokenLead(func(first *[registry.BlockSize]byte, dst, _ []byte, _ *[16]uint32) {
			if len(dst)%registry.BlockSize != 0 {
				first[5] ^= 1
			}
		}), "lead", "wrong first block"},
		{"Lead without carry", brokenLead(func(_ *[registry.BlockSize]byte, dst, _ []byte, state *[16]uint32) {
			if state[12] == 0xffffffff && state[13] != 0xffffffff {
				dst[0] ^= 1
			}
		}), "counter-carry", "wrong output"},
		{"Lead moves the counter on", brokenLead(func(_ *[registry.BlockSize]byte, _, _ []byte, state *[16]uint32) { state[12]++ }),
			"lengths", "the state argument was modified"},
	}
}

func macFaults() []broken {
	unstable := powersKernel("powers")
	unstable.Setup = func(p *registry.Powers, r *[2]uint64) {
		copy(p.Words[5:], r[:])
		p.Words[9]++
	}
	stale := powersKernel("powers")
	stale.Setup = func(p *registry.Powers, r *[2]uint64) {
		if p.Words[5] == poison {
			copy(p.Words[5:], r[:])
		}
	}
	changesR := powersKernel("powers")
	changesR.Setup = func(p *registry.Powers, r *[2]uint64) {
		copy(p.Words[5:], r[:])
		r[0] ^= 1
	}
	return []broken{
		{"not reduced", brokenMAC(func(state *registry.MACState, _ []byte) {
			if state.H[2] == 1 {
				state.H[2] += 8
			}
		}), "lengths", "H is not below 2^131"},
		{"all-ones text", brokenMAC(func(state *registry.MACState, msg []byte) {
			if msg[0] == 0xff && msg[15] == 0xff && state.H[2] > 0 {
				state.H[0] ^= 1
			}
		}), "mac-extremes", "wrong H"},
		{"one limb zero", brokenMAC(func(state *registry.MACState, _ []byte) {
			if state.R[0]>>32 == 0x0ffffffc && state.R[1] == 0 {
				state.H[0] ^= 1
			}
		}), "mac-limbs", "wrong H"},
		{"modifies S", brokenMAC(func(state *registry.MACState, _ []byte) { state.S[1]++ }), "lengths", "R or S"},
		{"modifies msg", brokenMAC(func(_ *registry.MACState, msg []byte) { msg[0]++ }), "lengths", "src was modified"},
		{"published keys", brokenMAC(func(state *registry.MACState, _ []byte) {
			if state.S == [2]uint64{} {
				state.H[0] ^= 1
			}
		}), "vectors", "wrong H"},
		{"reads past the end", brokenMAC(func(_ *registry.MACState, msg []byte) {
			wordSink = uint64(*beyond(msg, len(msg)))
		}), "lengths", "0 bytes past the end of src"},
		{"reads past the state", brokenMAC(func(state *registry.MACState, _ []byte) {
			past := (*uint64)(unsafe.Add(unsafe.Pointer(state), 56))
			wordSink = *past
		}), "lengths", "0 bytes past the end of the MAC state"},
		{"unstable Setup", unstable, "powers", "two calls with the same multiplier differ"},
		{"Setup that trusts old words", stale, "powers", "two calls with the same multiplier differ"},
		{"Setup that changes R", changesR, "powers", "the multiplier argument was modified"},
	}
}

func fusedFaults() []broken {
	seal := fusedKernel(registry.ChaCha, 2).Seal
	open := fusedKernel(registry.ChaCha, 2).Open
	noCarry := fusedKernel(registry.ChaCha, 2)
	noCarry.Seal = func(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
		withoutCarry(dst, src, state, 20)
		absorb(mac, nil, dst)
	}
	return []broken{
		{"Open like Seal", brokenOpen(seal), "lengths", "wrong H"},
		{"Open in place", brokenOpen(func(dst, src []byte, state *[16]uint32, mac *registry.MACState, p *registry.Powers) {
			referenceXOR(registry.ChaCha, dst, src, state, 20)
			absorb(mac, p, src)
		}), "lengths", "wrong H"},
		{"Open forgets additional data", brokenOpen(func(dst, src []byte, state *[16]uint32, mac *registry.MACState, p *registry.Powers) {
			mac.H = [3]uint64{}
			open(dst, src, state, mac, p)
		}), "lengths", "wrong H"},
		{"Seal without carry", noCarry, "counter-carry", "wrong output"},
	}
}

// TestBrokenKernels proves that each check finds the fault it is there for, by
// itself, and says so.
func TestBrokenKernels(t *testing.T) {
	faults := slices.Concat(streamFaults(), leadFaults(), macFaults(), fusedFaults())
	proven := map[string]bool{}
	for _, f := range faults {
		if raceEnabled && f.name == "writes later by itself" {
			continue // the race detector finds it before the check does
		}
		t.Run(f.name, func(t *testing.T) {
			needs(t, f)
			retained, lastState, lastWords = nil, nil, [16]uint32{}
			if f.check == "garbage-collection" {
				defer noticeCollections()()
			}
			err := runOne(t, f.kernel, f.check)
			for tries := 0; err == nil && f.name == "writes later by itself" && tries < 100; tries++ {
				err = runOne(t, f.kernel, f.check) // the thread that is to write may get no CPU for a while
			}
			var failure *Failure
			if !errors.As(err, &failure) {
				t.Fatalf("check %s: %v", f.check, err)
			}
			if failure.Check != f.check || failure.Kernel != f.kernel.Name || failure.Backend != "test" {
				t.Errorf("failure: %+v", failure)
			}
			if strings.Contains(f.detail, "bytes past") || strings.Contains(f.detail, "before the start") {
				failure.Detail = strings.Replace(failure.Detail, "memory fault at an unknown address", "memory fault "+f.detail, 1)
			}
			if !strings.Contains(err.Error(), f.detail) {
				t.Errorf("error %q does not say %q", err, f.detail)
			}
			proven[f.check] = true
		})
	}
	for _, k := range goodBackend().Kernels {
		for _, ch := range checksFor(&k) {
			if !proven[ch.name] && ch.name != "description" {
				t.Errorf("no broken kernel proves check %s", ch.name)
				proven[ch.name] = true
			}
		}
	}
}

// needs ends the test of a fault that this system cannot show.
func needs(t *testing.T, f broken) {
	if !guardPages() && (strings.Contains(f.detail, "bytes past") || strings.Contains(f.detail, "before the start")) {
		testenv.Missing(t, "guard pages")
	}
	if runtime.GOARCH == "wasm" && f.check == "concurrency" {
		testenv.Missing(t, "more than one thread")
	}
}

func guardPages() bool {
	return runtime.GOOS != "windows" && runtime.GOARCH != "wasm" && runtime.GOOS != "plan9"
}

// runOne runs one check on a kernel.
func runOne(t *testing.T, k registry.Kernel, name string) error {
	b := backendOf(k)
	for _, ch := range checksFor(&b.Kernels[0]) {
		if ch.name == name {
			return runCheck(newConfig(nil), b, &b.Kernels[0], ch)
		}
	}
	t.Fatalf("no check %q", name)
	return nil
}

// noticeCollections sets collected at each garbage collection until the
// returned function is called.
func noticeCollections() (stop func()) {
	var stopped atomic.Bool
	var notice func()
	notice = func() {
		runtime.SetFinalizer(new([64]byte), func(*[64]byte) {
			if !stopped.Load() {
				collected.Store(true)
				notice()
			}
		})
	}
	notice()
	return func() { stopped.Store(true); collected.Store(false) }
}

// TestForeignPowers checks kernels that say they share a layout and do not.
func TestForeignPowers(t *testing.T) {
	a, b := powersKernel("powers-a"), powersKernel("powers-b")
	b.Setup = func(p *registry.Powers, r *[2]uint64) { p.Words[0], p.Words[1] = r[0], r[1] }
	b.Absorb = func(state *registry.MACState, p *registry.Powers, msg []byte) {
		reference.Poly1305(&state.H, (*[2]uint64)(p.Words[0:2]), msg)
	}
	errs := Check(backendOf(a, b))
	kernels := map[string]bool{}
	for _, err := range errs {
		f := err.(*Failure)
		if f.Check != "powers" || !strings.Contains(f.Detail, "wrong H") {
			t.Errorf("unexpected: %v", err)
		}
		kernels[f.Kernel] = true
	}
	if len(errs) != 2 || len(kernels) != 2 {
		t.Errorf("errors: %v", errs)
	}
}

// TestSlow checks that a slow kernel is not a wrong one.
func TestSlow(t *testing.T) {
	k := macKernel(1)
	k.Absorb = func(state *registry.MACState, p *registry.Powers, msg []byte) {
		useStack(100)
		absorb(state, p, msg)
	}
	if errs := Check(backendOf(k)); len(errs) != 0 {
		t.Error(errs)
	}
}

// TestFailuresOfOneFault checks that Check goes on after a failure and reports
// each check once, where the fault is.
func TestFailuresOfOneFault(t *testing.T) {
	errs := Check(backendOf(streamFaults()[0].kernel))
	seen := map[string]bool{}
	for _, err := range errs {
		f := err.(*Failure)
		if seen[f.Check] || f.Call != "XOR" || (f.Offset >= 0 && f.Length > 512 && f.Offset%64 != 0) {
			t.Errorf("failure: %+v", f)
		}
		seen[f.Check] = true
		if f.Check == "lengths" && (f.Offset != 512 || f.Length != 768 || f.Rounds != 20) {
			t.Errorf("failure: %+v", f)
		}
	}
	if !seen["lengths"] || !seen["piece"] || seen["counter-wrap"] && seen["vectors"] {
		t.Errorf("failures: %v", errs)
	}
}

// TestMalformed checks descriptions that the other checks could not work with.
func TestMalformed(t *testing.T) {
	noBlocks := macKernel(0)
	ciphered := macKernel(1)
	ciphered.Cipher = registry.Salsa
	half := powersKernel("half")
	half.Powers = ""
	for _, k := range []registry.Kernel{noBlocks, ciphered, half} {
		errs := Check(backendOf(k))
		if len(errs) != 1 || errs[0].(*Failure).Check != "description" {
			t.Errorf("%+v: %v", k, errs)
		}
	}
}

// TestWholeStepsOnly checks that stream and fused kernels are never given less
// than a step, nor empty input.
func TestWholeStepsOnly(t *testing.T) {
	var mu sync.Mutex
	bad := map[int]bool{}
	k := streamKernel(registry.Salsa, 3)
	right := k.XOR
	k.XOR = func(dst, src []byte, state *[16]uint32, rounds int) {
		if len(src) == 0 || len(src)%192 != 0 || len(dst) != len(src) {
			mu.Lock()
			bad[len(src)] = true
			mu.Unlock()
		}
		right(dst, src, state, rounds)
	}
	Check(backendOf(k))
	if len(bad) > 0 {
		t.Errorf("calls of %v bytes", bad)
	}
}
