package registry

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/reference"
)

// calls counts the calls of each kernel of the test backends.
var calls = map[string]int{}

// counting returns a stream kernel that counts its calls under name.
func counting(backend, name string, blocks int, cost float64) Kernel {
	key := backend + "/" + name
	return Kernel{Name: name, Kind: KindStream, Cipher: ChaCha, Blocks: blocks, Simplicity: blocks,
		Priors: []Prior{{Rounds: 20, Fixed: 10, PerStep: cost, Provenance: "estimated"}},
		XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
			calls[key]++
			reference.XORChaCha(dst, src, state, rounds)
		}}
}

func salsaKernel() Kernel {
	return Kernel{Name: "salsa", Kind: KindStream, Cipher: Salsa, Blocks: 1, XOR: reference.XORSalsa}
}

func absorbReference(state *MACState, _ *Powers, msg []byte) {
	reference.Poly1305(&state.H, &state.R, msg)
}

func countingMAC(backend, name string, blocks int, cost float64, layout string) Kernel {
	key := backend + "/" + name
	k := Kernel{Name: name, Kind: KindMAC, Blocks: blocks, Powers: layout, Simplicity: blocks,
		Priors: []Prior{{Fixed: 5, PerStep: cost, Setup: 100, Provenance: "estimated"}},
		Absorb: func(state *MACState, powers *Powers, msg []byte) {
			calls[key]++
			absorbReference(state, powers, msg)
		}}
	if layout != "" {
		k.Setup = func(*Powers, *[2]uint64) { calls[key+" setup"]++ }
	}
	return k
}

func countingFused(backend, name string, blocks int, cost float64) Kernel {
	key := backend + "/" + name
	run := func(dst, src []byte, state *[16]uint32, mac *MACState, seal bool) {
		calls[key]++
		if !seal {
			reference.Poly1305(&mac.H, &mac.R, src)
		}
		reference.XORChaCha(dst, src, state, 20)
		if seal {
			reference.Poly1305(&mac.H, &mac.R, dst)
		}
	}
	return Kernel{Name: name, Kind: KindFused, Cipher: ChaCha, Blocks: blocks, Simplicity: blocks,
		Priors: []Prior{{Rounds: 20, Fixed: 10, PerStep: cost, Provenance: "estimated"}},
		Seal: func(dst, src []byte, state *[16]uint32, mac *MACState, _ *Powers) {
			run(dst, src, state, mac, true)
		},
		Open: func(dst, src []byte, state *[16]uint32, mac *MACState, _ *Powers) {
			run(dst, src, state, mac, false)
		}}
}

// testBackends are what most tests select from.
func testBackends() []*Backend {
	return []*Backend{
		{Name: "generic", Kernels: []Kernel{counting("generic", "chacha", 1, 100), salsaKernel(), countingMAC("generic", "poly1305", 1, 20, "")}},
		{Name: "wide", Kernels: []Kernel{counting("wide", "chacha-x4", 4, 150), counting("wide", "chacha-x2", 2, 120),
			countingMAC("wide", "poly1305", 4, 20, "wide"), countingFused("wide", "fused", 4, 100)}},
		{Name: "other", Kernels: []Kernel{counting("other", "chacha", 3, 900), countingFused("other", "fused", 2, 400)}},
		{Name: "featured", Kernels: []Kernel{{Name: "chacha", Kind: KindStream, Cipher: ChaCha, Blocks: 1, Features: []string{"sve2"}, XOR: reference.XORChaCha}}},
		{Name: "absent", Kernels: []Kernel{{Name: "chacha", Kind: KindStream, Cipher: ChaCha, Blocks: 1, GOARCH: []string{"vax"}}}},
		{Name: "swapped", Kernels: []Kernel{{Name: "chacha", Kind: KindStream, Cipher: ChaCha, Blocks: 1, ByteOrder: otherByteOrder(), XOR: reference.XORChaCha}}},
	}
}

func otherByteOrder() string {
	if hostByteOrder() == "little" {
		return "big"
	}
	return "little"
}

// withBackends replaces the table of backends for the length of a test.
func withBackends(t *testing.T, backends []*Backend) {
	t.Helper()
	table.Lock()
	saved, savedLate, savedSelected := table.backends, table.late, table.selected
	table.backends, table.late, table.selected = nil, nil, false
	table.Unlock()
	clear(calls)
	for _, b := range backends {
		Register(b)
	}
	t.Cleanup(func() {
		table.Lock()
		table.backends, table.late, table.selected = saved, savedLate, savedSelected
		table.Unlock()
	})
}

// noFeatures replaces the features of the CPU.
func noFeatures(o *options) { o.detect = func() cpu.Detection { return cpu.Detection{} } }

func mustSelect(t *testing.T, override string) *Selection {
	t.Helper()
	sel, err := Select(WithOverride(override), noFeatures)
	if err != nil {
		t.Fatalf("%q: %v", override, err)
	}
	return sel
}

func stateOf(sel *Selection, a Algorithm, kernel string) Outcome {
	for _, c := range sel.Candidates(a) {
		if c.Name() == kernel {
			return c.Outcome
		}
	}
	return Outcome{}
}

func TestStates(t *testing.T) {
	withBackends(t, testBackends())
	sel := mustSelect(t, "")
	for kernel, want := range map[string]State{
		"wide/chacha-x4": Selected, "generic/chacha": Selected, "featured/chacha": MissingFeature, "absent/chacha": NotCompiled,
		"swapped/chacha": WrongByteOrder, "other/chacha": NotTested,
	} {
		if got := stateOf(sel, ChaCha20, kernel); got.State != want {
			t.Errorf("%s: %v, want %s", kernel, got, want)
		}
	}
	unknown, err := Select(func(o *options) {
		o.detect = func() cpu.Detection { return cpu.Detection{FeaturesUnknown: true} }
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := stateOf(unknown, ChaCha20, "featured/chacha"); got.State != FeaturesUnknown {
		t.Errorf("features unknown: %v", got)
	}
}

func TestOverrides(t *testing.T) {
	withBackends(t, testBackends())
	tests := []struct {
		override, kernel string
		want             State
	}{
		{"generic", "generic/chacha", Forced},
		{"generic", "wide/chacha-x4", Excluded},
		{"chacha20=other", "other/chacha", Forced},
		{"chacha20=wide/chacha-x2", "wide/chacha-x2", Forced},
		{"chacha20=wide/chacha-x2", "wide/chacha-x4", Excluded},
		{"other,wide/chacha-x2", "wide/chacha-x2", Forced}, // the last wins
		{"-wide", "wide/chacha-x4", Excluded},
		{"-wide/chacha-x4", "wide/chacha-x2", Selected},
		{"?featured", "wide/chacha-x4", Selected},
		{"?other", "other/chacha", Forced},
		{"mode=generic", "wide/chacha-x4", Excluded},
		{"chacha20@>1024=other", "other/chacha", Forced},
		{"salsa20=generic", "wide/chacha-x4", Selected}, // another algorithm
		{"", "wide/chacha-x4", Selected},
	}
	for _, tt := range tests {
		if got := stateOf(mustSelect(t, tt.override), ChaCha20, tt.kernel); got.State != tt.want {
			t.Errorf("%q: %s is %v, want %s", tt.override, tt.kernel, got, tt.want)
		}
	}
}

func TestOverrideErrors(t *testing.T) {
	withBackends(t, testBackends())
	tests := []struct {
		override string
		kind     error
		mentions string
	}{
		{"nosuch", ErrUnknownName, "generic"},
		{"genric", ErrUnknownName, "nearest: generic"},
		{"-nosuch", ErrUnknownName, "wide"},
		{"?nosuch", ErrUnknownName, "wide"},
		{"wide/nosuch", ErrUnknownName, "wide/chacha-x4"},
		{"chacha20=nosuch", ErrUnknownName, "wide"},
		{"featured", ErrIneligible, "missing-feature (sve2)"},
		{"chacha20=featured", ErrIneligible, "missing-feature"},
		{"absent", ErrIneligible, "not-compiled"},
		{"swapped", ErrIneligible, "wrong-byte-order"},
		{"salsa20=wide", ErrIneligible, "no kernel for salsa20"},
		{"-generic", ErrContradiction, "cannot be excluded"},
		{"-generic/chacha", ErrContradiction, "cannot be excluded"},
		{"-generic,-wide,-other", ErrContradiction, "cannot be excluded"},
		{"wide,-wide", ErrContradiction, "excluded"},
		{"-wide,wide", ErrContradiction, "excluded"},
		{"mode=generic,wide", ErrContradiction, "excluded"},
	}
	for _, tt := range tests {
		_, err := Select(WithOverride(tt.override), noFeatures)
		if !errors.Is(err, tt.kind) || !strings.Contains(fmt.Sprint(err), tt.mentions) {
			t.Errorf("%q: %v, want %v with %q", tt.override, err, tt.kind, tt.mentions)
		}
	}
}

// TestForceBindsEveryByte runs all lengths under a force and looks at which
// kernels of that kind ran.
func TestForceBindsEveryByte(t *testing.T) {
	withBackends(t, testBackends())
	for _, force := range []string{"wide/chacha-x4", "wide/chacha-x2", "other/chacha", "generic/chacha"} {
		sel := mustSelect(t, "chacha20="+force)
		clear(calls)
		for n := 1; n < 1200; n++ {
			xorAll(sel.Source(ChaCha20).Plan(), n)
		}
		for kernel, count := range calls {
			if kernel != force && count > 0 {
				t.Errorf("chacha20=%s: %s ran %d times", force, kernel, count)
			}
		}
		if calls[force] == 0 {
			t.Errorf("chacha20=%s: it did not run", force)
		}
	}
}

func TestForceByLength(t *testing.T) {
	withBackends(t, testBackends())
	plan := mustSelect(t, "chacha20@<=256=generic,chacha20@>1024=other").Source(ChaCha20).Plan()
	for _, tt := range []struct {
		n    int
		only string
		not  string
	}{{256, "generic/chacha", ""}, {257, "", "other/chacha"}, {1024, "", "other/chacha"}, {1025, "other/chacha", ""}, {1 << 20, "other/chacha", ""}} {
		clear(calls)
		xorAll(plan, tt.n)
		for kernel := range calls {
			if tt.only != "" && kernel != tt.only || kernel == tt.not {
				t.Errorf("%d bytes: %s ran", tt.n, kernel)
			}
		}
	}
}

func xorAll(plan *Plan, n int) {
	var state [16]uint32
	buf := make([]byte, n)
	plan.For(n).XOR(buf, buf, &state)
}

// TestXORAgainstReference runs every length up to past the table under several
// forces, and looks at the bytes and at the counter.
func TestXORAgainstReference(t *testing.T) {
	withBackends(t, testBackends())
	const most = 1500
	start := [16]uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xfffffffb, 7, 15, 16}
	want := make([]byte, most+BlockSize&^(BlockSize-1))
	want = want[:len(want)&^(BlockSize-1)]
	reference.XORChaCha(want, want, &start, 20)
	for _, override := range []string{"", "wide", "other", "generic", "wide/chacha-x4"} {
		plan := mustSelect(t, override).Source(ChaCha20).Plan()
		for n := range most {
			state := start
			got := make([]byte, n)
			var rest [BlockSize]byte
			unused := plan.For(n).XORKeeping(got, got, &state, &rest)
			if !bytes.Equal(got, want[:n]) {
				t.Fatalf("%q: %d bytes: wrong", override, n)
			}
			if unused != -n&(BlockSize-1) || !bytes.Equal(rest[BlockSize-unused:], want[n:n+unused]) {
				t.Fatalf("%q: %d bytes: %d bytes of keystream kept, or wrong ones", override, n, unused)
			}
			after := start
			advance(&after, 12, dataBlocks(n))
			if state != after {
				t.Fatalf("%q: %d bytes: state %v, want %v", override, n, state, after)
			}
		}
	}
}

// broken returns a backend whose one kernel is right but for what spoil does.
func broken(spoil func(dst []byte, state *[16]uint32)) *Backend {
	return &Backend{Name: "broken", Kernels: []Kernel{{Name: "chacha", Kind: KindStream, Cipher: ChaCha, Blocks: 4, Simplicity: 1,
		Priors: []Prior{{Rounds: 20, PerStep: 1}},
		XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
			reference.XORChaCha(dst, src, state, rounds)
			spoil(dst, state)
		}}}}
}

// TestBrokenKernelIsNeverChosen gives broken kernels the lowest cost of all.
func TestBrokenKernelIsNeverChosen(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil    func(dst []byte, state *[16]uint32)
		state    State
		mentions string
	}{
		"first byte": {func(dst []byte, _ *[16]uint32) { dst[0] ^= 1 }, SelfTestFailed, "offset 0"},
		"past 512 bytes": {func(dst []byte, _ *[16]uint32) {
			if len(dst) > 512 {
				dst[515] ^= 1
			}
		}, SelfTestFailed, "offset 515"},
		"counter wrap": {func(dst []byte, state *[16]uint32) {
			if state[12] > 0xfffffffc {
				dst[len(dst)-1] ^= 1
			}
		}, SelfTestFailed, "offset 255"},
		"state":  {func(_ []byte, state *[16]uint32) { state[12]++ }, SelfTestFailed, ""},
		"beyond": {func(dst []byte, _ *[16]uint32) { dst[:len(dst)+1][len(dst)]++ }, Crashed, "panic"},
		"panic":  {func([]byte, *[16]uint32) { panic("no") }, Crashed, "panic"},
	} {
		t.Run(name, func(t *testing.T) {
			withBackends(t, append(testBackends(), broken(tt.spoil)))
			sel := mustSelect(t, "")
			got := stateOf(sel, ChaCha20, "broken/chacha")
			if name == "beyond" && got.State == SelfTestFailed {
				got.State = Crashed // either way of noticing it will do
				got.Detail = "panic"
			}
			if got.State != tt.state || !strings.Contains(got.Detail, tt.mentions) {
				t.Errorf("%v, want %s with %q", got, tt.state, tt.mentions)
			}
			if len(sel.Notes()) == 0 {
				t.Error("no note")
			}
			for _, force := range []string{"chacha20=broken", "broken", "broken/chacha"} {
				if _, err := Select(WithOverride(force)); !errors.Is(err, ErrIneligible) {
					t.Errorf("%s: %v", force, err)
				}
			}
		})
	}
}

// TestFusedKernelThatCounts has a fused kernel that leaves the counter elsewhere after
// opening, where the next call would find it.
func TestFusedKernelThatCounts(t *testing.T) {
	k := countingFused("broken", "fused", 4, 1)
	open := k.Open
	k.Open = func(dst, src []byte, state *[16]uint32, mac *MACState, powers *Powers) {
		open(dst, src, state, mac, powers)
		state[12]++
	}
	withBackends(t, append(testBackends(), &Backend{Name: "broken", Kernels: []Kernel{k}}))
	got := stateOf(mustSelect(t, ""), ChaCha20Poly1305, "broken/fused")
	if got.State != SelfTestFailed || !strings.Contains(got.Detail, "open, length 256: the state") {
		t.Errorf("%v", got)
	}
}

// layoutKernel returns a MAC kernel whose powers are a number that only a Setup for
// the same number makes.
func layoutKernel(name string, cost float64, makes, wants uint64) Kernel {
	k := countingMAC("powers", name, 4, cost, "shared")
	k.Setup = func(powers *Powers, _ *[2]uint64) { powers.Words[0] = makes }
	k.Absorb = func(state *MACState, powers *Powers, msg []byte) {
		absorbReference(state, powers, msg)
		if powers.Words[0] != wants {
			state.H[0] ^= 1
		}
	}
	return k
}

// TestPowersOfUntestedKernel: a plan computes powers by a kernel that is in it, and was
// tested, not by another of the same layout.
func TestPowersOfUntestedKernel(t *testing.T) {
	slow, fast := layoutKernel("slow", 1000, 8, 7), layoutKernel("fast", 1, 7, 7)
	withBackends(t, append(testBackends(), &Backend{Name: "powers", Kernels: []Kernel{slow, fast}}))
	sel := mustSelect(t, "")
	if got := stateOf(sel, Poly1305, "powers/slow"); got.State != NotTested {
		t.Fatalf("the slow kernel is %v", got)
	}
	plan, err := sel.selector.plan(Poly1305)
	if err != nil {
		t.Fatal(err)
	}
	checkMACPlan(t, plan)
}

// TestPowersOfEachOther: kernels that share a layout, and are right by their own
// powers alone, do not get into one plan.
func TestPowersOfEachOther(t *testing.T) {
	first, second := layoutKernel("first", 10, 7, 7), layoutKernel("second", 6, 8, 8)
	second.Blocks = 2
	withBackends(t, append(testBackends(), &Backend{Name: "powers", Kernels: []Kernel{first, second}}))
	sel := mustSelect(t, "")
	plan, err := sel.selector.plan(Poly1305)
	if err != nil {
		t.Fatal(err)
	}
	checkMACPlan(t, plan)
	got := stateOf(sel, Poly1305, "powers/second")
	if got.State != SelfTestFailed || !strings.Contains(got.Detail, "beside first") {
		t.Errorf("the second kernel is %v", got)
	}
}

// checkMACPlan compares the MAC of a plan with the reference.
func checkMACPlan(t *testing.T, plan *Plan) {
	t.Helper()
	for n := 16; n <= 1024; n += 16 {
		state := MACState{H: [3]uint64{1, 2, 3}, R: rOrdinary}
		want := state.H
		msg := bytes.Repeat([]byte{5}, n)
		reference.Poly1305(&want, &state.R, msg)
		plan.For(n).MAC(n).Absorb(&state, new(Powers), msg)
		if reference.Reduce(state.H) != reference.Reduce(want) {
			t.Fatalf("%d bytes: wrong accumulator", n)
		}
	}
}

// TestRotationMutants changes one rotation of the cipher at a time; the self-test
// must see each.
func TestRotationMutants(t *testing.T) {
	for rotation := range 4 {
		k := Kernel{Name: "mutant", Kind: KindStream, Cipher: ChaCha, Blocks: 1, XOR: mutantXOR(rotation)}
		if outcome := new(selfTester).run(&k); outcome.State != SelfTestFailed {
			t.Errorf("rotation %d: %v", rotation, outcome)
		}
	}
	k := Kernel{Name: "original", Kind: KindStream, Cipher: ChaCha, Blocks: 1, XOR: mutantXOR(-1)}
	if outcome := new(selfTester).run(&k); !outcome.eligible() {
		t.Errorf("no rotation changed: %v", outcome)
	}
}

// mutantXOR is ChaCha with one of the four rotations off by one.
func mutantXOR(mutated int) StreamFunc {
	rotations := [4]int{16, 12, 8, 7}
	if mutated >= 0 {
		rotations[mutated]++
	}
	return func(dst, src []byte, state *[16]uint32, rounds int) {
		in := *state
		for i := 0; i < len(src); i += BlockSize {
			x := in
			for range rounds / 2 {
				for _, q := range [8][4]int{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
					{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}} {
					mutantQuarter(&x, q, rotations)
				}
			}
			for j := range x {
				w := x[j] + in[j]
				for k := range 4 {
					dst[i+4*j+k] = src[i+4*j+k] ^ byte(w>>(8*k))
				}
			}
			advance(&in, 12, 1)
		}
	}
}

func mutantQuarter(x *[16]uint32, q [4]int, rotations [4]int) {
	a, b, c, d := q[0], q[1], q[2], q[3]
	rotate := func(w uint32, n int) uint32 { return w<<n | w>>(32-n) }
	x[a] += x[b]
	x[d] = rotate(x[d]^x[a], rotations[0])
	x[c] += x[d]
	x[b] = rotate(x[b]^x[c], rotations[1])
	x[a] += x[b]
	x[d] = rotate(x[d]^x[a], rotations[2])
	x[c] += x[d]
	x[b] = rotate(x[b]^x[c], rotations[3])
}

func TestRegisterPanics(t *testing.T) {
	withBackends(t, testBackends())
	good := salsaKernel()
	for name, b := range map[string]*Backend{
		"registered twice":    {Name: "wide"},
		"lower-case":          {Name: "Wide2"},
		"nil backend":         nil,
		"name of an algo":     {Name: "chacha20"},
		"two kernels":         {Name: "b", Kernels: []Kernel{good, good}},
		"no kind":             {Name: "b", Kernels: []Kernel{{Name: "k"}}},
		"cannot have":         {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindMAC, Cipher: ChaCha, Blocks: 1}}},
		"blocks per step":     {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindStream, Cipher: ChaCha}}},
		"1 to 64 are":         {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindMAC, Blocks: 65, Absorb: absorbReference}}},
		"unknown CPU feat":    {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindStream, Cipher: ChaCha, Blocks: 1, Features: []string{"x87"}}}},
		"another kind":        {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindMAC, Blocks: 1, XOR: reference.XORSalsa}}},
		"Setup and Powers is": {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindMAC, Blocks: 1, Absorb: absorbReference, Powers: "p"}}},
		"OpenSaves is 1":      {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindStream, Cipher: ChaCha, Blocks: 1, OpenSaves: 1}}},
		"kernels of ChaCha":   {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindStream, Cipher: Salsa, Blocks: 2, XOR: reference.XORSalsa, Lead: Lead{XOR: leadReference, From: 1}}}},
		"from 65 bytes on":    {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindStream, Cipher: ChaCha, Blocks: 2, XOR: reference.XORChaCha, Lead: Lead{XOR: leadReference, From: 65}}}},
		"Seal and Open":       {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindFused, Cipher: ChaCha, Blocks: 1, Seal: func(_, _ []byte, _ *[16]uint32, _ *MACState, _ *Powers) {}}}},
		"has no powers":       {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindStream, Cipher: ChaCha, Blocks: 1, Powers: "p"}}},
		"byte order":          {Name: "b", Kernels: []Kernel{{Name: "k", Kind: KindStream, Cipher: ChaCha, Blocks: 1, ByteOrder: "pdp"}}},
		"letters, digits a":   {Name: "b", Kernels: []Kernel{{Name: "K", Kind: KindStream, Cipher: ChaCha, Blocks: 1}}},
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, name) {
					t.Errorf("panic %q does not say %q", text, name)
				}
			}()
			Register(b)
		}()
	}
}

func TestRegisteredLate(t *testing.T) {
	withBackends(t, testBackends())
	early := mustSelect(t, "")
	Register(&Backend{Name: "tardy", Kernels: []Kernel{counting("tardy", "chacha", 1, 1)}})
	if got := stateOf(early, ChaCha20, "tardy/chacha"); got.State != "" {
		t.Errorf("the early selection knows it: %v", got)
	}
	shared, err := newSelector(&options{
		detect:   func() cpu.Detection { return cpu.Detection{} },
		identify: func() cpu.Identity { return cpu.Identity{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	sel, err := selectWith(shared)
	if err != nil {
		t.Fatal(err)
	}
	if got := stateOf(sel, ChaCha20, "tardy/chacha"); got.State != RegisteredLate {
		t.Errorf("selection without the late ones: %v", got)
	}
	if got := stateOf(mustSelect(t, ""), ChaCha20, "tardy/chacha"); got.State != Selected {
		t.Errorf("a later selection: %v", got)
	}
}

// TestOrderOfRegistration registers the same backends in two orders.
func TestOrderOfRegistration(t *testing.T) {
	var reports []string
	for range 2 {
		backends := testBackends()
		if len(reports) == 1 {
			slices.Reverse(backends)
		}
		withBackends(t, backends)
		sel := mustSelect(t, "")
		var report strings.Builder
		for _, a := range Algorithms() {
			for _, n := range []int{1, 64, 300, 5000} {
				steps, cost := sel.Compose(a, n)
				fmt.Fprintln(&report, a, n, steps, cost)
			}
			for _, c := range sel.Candidates(a) {
				fmt.Fprintln(&report, c.Name(), c.Outcome)
			}
		}
		reports = append(reports, report.String())
	}
	if reports[0] != reports[1] {
		t.Error("the reports differ")
	}
}

// TestConcurrent selects, lists and registers from many goroutines.
func TestConcurrent(t *testing.T) {
	backends := testBackends()
	for _, b := range backends {
		for i := range b.Kernels {
			if k := &b.Kernels[i]; k.Kind == KindStream && k.XOR != nil && k.Cipher == ChaCha {
				k.XOR = reference.XORChaCha // the counting ones are not for this
			}
			if k := &b.Kernels[i]; k.Kind == KindMAC {
				k.Absorb = absorbReference
				if k.Setup != nil {
					k.Setup = func(*Powers, *[2]uint64) {}
				}
			}
		}
		b.Kernels = slices.DeleteFunc(b.Kernels, func(k Kernel) bool { return k.Kind == KindFused })
	}
	withBackends(t, backends)
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			if i%8 == 0 {
				Register(&Backend{Name: fmt.Sprintf("more%d", i), Kernels: []Kernel{salsaKernel()}})
			}
			sel, err := Select(WithOverride(""))
			if err != nil {
				t.Error(err)
				return
			}
			sel.Candidates(ChaCha20)
			Backends()
			xorAll(sel.Source(ChaCha20).Plan(), 1000)
		})
	}
	wg.Wait()
}

// TestNoKernelLeft: where nothing is right, the error says what is wrong with
// each kernel.
func TestNoKernelLeft(t *testing.T) {
	withBackends(t, []*Backend{broken(func(dst []byte, _ *[16]uint32) { dst[0] ^= 1 })})
	_, err := Select()
	var none *NoKernelError
	if !errors.As(err, &none) || none.Algorithm != ChaCha20 || none.Kind != KindStream {
		t.Fatalf("%v", err)
	}
	if got := none.Outcomes["broken/chacha"]; got.State != SelfTestFailed || !strings.Contains(err.Error(), "broken/chacha: self-test-failed (") {
		t.Errorf("%v; %v", got, err)
	}
	withBackends(t, nil)
	if _, err := Select(); !errors.As(err, &none) || len(none.Outcomes) != 0 || !strings.Contains(err.Error(), "backends/generic") {
		t.Errorf("%v", err)
	}
}
