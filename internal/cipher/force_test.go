package cipher_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// calls counts the calls of each kernel, by backend/kernel, that the backends
// below register.
var calls = map[string]int{}

func count(name string, kernels []registry.Kernel) []registry.Kernel {
	for i := range kernels {
		countKernel(name+"/"+kernels[i].Name, &kernels[i])
	}
	return kernels
}

// countKernel gives k the reference as its function, which counts under name. A
// kernel with powers panics if it does not get those that Setup filled.
func countKernel(name string, k *registry.Kernel) {
	const mark = 0x1234567
	check := func(powers *registry.Powers) {
		calls[name]++
		if (powers != nil) != (k.Powers != "") || powers != nil && powers.Words[0] != mark+uint64(len(k.Powers)) {
			panic(name + ": powers that are not its own")
		}
	}
	xor := reference.XORChaCha
	if k.Cipher == registry.Salsa {
		xor = reference.XORSalsa
	}
	if k.Powers != "" {
		layout := uint64(len(k.Powers))
		k.Setup = func(powers *registry.Powers, _ *[2]uint64) { powers.Words[0] = mark + layout }
	}
	switch k.Kind {
	case registry.KindStream:
		k.XOR = func(dst, src []byte, state *[16]uint32, rounds int) {
			calls[name]++
			xor(dst, src, state, rounds)
		}
	case registry.KindMAC:
		k.Absorb = func(state *registry.MACState, powers *registry.Powers, msg []byte) {
			check(powers)
			reference.Poly1305(&state.H, &state.R, msg)
		}
	case registry.KindFused:
		k.Seal = func(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers) {
			check(powers)
			xor(dst, src, state, 20)
			reference.Poly1305(&mac.H, &mac.R, dst)
		}
		k.Open = func(dst, src []byte, state *[16]uint32, mac *registry.MACState, powers *registry.Powers) {
			check(powers)
			reference.Poly1305(&mac.H, &mac.R, src)
			xor(dst, src, state, 20)
		}
	}
}

func stream(name string, c registry.Cipher, blocks int, fixed, perStep float64) registry.Kernel {
	return registry.Kernel{Name: name, Kind: registry.KindStream, Cipher: c, Blocks: blocks, Simplicity: blocks,
		Priors: []registry.Prior{{Rounds: 20, Fixed: fixed, PerStep: perStep, Provenance: "estimated"}}}
}

func mac(name string, blocks int, perStep float64, layout string) registry.Kernel {
	return registry.Kernel{Name: name, Kind: registry.KindMAC, Blocks: blocks, Simplicity: blocks, Powers: layout,
		Priors: []registry.Prior{{Fixed: 10, PerStep: perStep, Setup: 100, Provenance: "estimated"}}}
}

func fused(name string, blocks int, perStep float64, layout string) registry.Kernel {
	k := stream(name, registry.ChaCha, blocks, 20, perStep)
	k.Kind, k.Powers = registry.KindFused, layout
	return k
}

// The costs are such that without a force nearly every kernel is used at some
// length.
func init() {
	for name, kernels := range map[string][]registry.Kernel{
		"generic": {stream("chacha", registry.ChaCha, 1, 10, 300), stream("salsa", registry.Salsa, 1, 10, 300), mac("poly1305", 1, 30, "")},
		"wide": {stream("chacha-x4", registry.ChaCha, 4, 50, 400), stream("chacha-x2", registry.ChaCha, 2, 30, 350),
			stream("salsa-x4", registry.Salsa, 4, 50, 400), mac("poly1305-x4", 4, 40, "wide"), fused("fused-x4", 4, 450, "wide")},
		"other":  {stream("chacha-x3", registry.ChaCha, 3, 40, 600), mac("poly1305-x2", 2, 45, "other"), mac("poly1305", 1, 29, ""), fused("fused-x8", 8, 800, "other")},
		"single": {stream("chacha-x16", registry.ChaCha, 16, 90, 900), stream("salsa-x3", registry.Salsa, 3, 90, 500), fused("fused-x2", 2, 280, "")},
	} {
		registry.Register(&registry.Backend{Name: name, Kernels: count(name, kernels)})
	}
	leads := count("leading", []registry.Kernel{stream("chacha-x5", registry.ChaCha, 5, 1000, 9000)})
	leads[0].Lead = registry.Lead{XOR: leadReference, From: leadFrom}
	registry.Register(&registry.Backend{Name: "leading", Kernels: leads})
}

// lengths are all short ones and some beyond two pieces of any size.
func lengths() []int {
	var all []int
	for n := 0; n <= 1100; n++ {
		if !testing.Short() || n%64 < 2 || n%16 == 0 {
			all = append(all, n)
		}
	}
	return append(all, 2500, 4095, 16384, 16385+512, 66000)
}

// work does what the handles of algorithm a do with n bytes.
func work(t *testing.T, source *registry.Source, a registry.Algorithm, n int) {
	t.Helper()
	key, buf := make([]byte, 32), make([]byte, n, n+16)
	switch {
	case a.IsMAC():
		tag := cipher.Sum(source, buf, (*[32]byte)(key))
		var m cipher.MAC
		m.Init(source, (*[32]byte)(key))
		m.Write(buf[:n/3])
		m.Write(buf[n/3:])
		if m.Tag() != tag {
			t.Fatalf("%d bytes: tags differ", n)
		}
	case a == registry.XSalsa20Poly1305:
		c := new(cipher.BoxAEAD)
		c.Init(source, key)
		if _, err := c.Open(nil, make([]byte, 24), c.Seal(nil, make([]byte, 24), buf, nil), nil); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
	case a.IsAEAD():
		c := new(cipher.AEAD)
		c.Init(source, a, key)
		nonce := make([]byte, c.NonceSize())
		sealed := c.Seal(buf[:0], nonce, buf, key[:n%32])
		opened, err := c.Open(sealed[:0], nonce, sealed, key[:n%32])
		if err != nil || !bytes.Equal(opened, make([]byte, n)) {
			t.Fatalf("%d bytes: %v, or wrong", n, err)
		}
	default:
		s := new(cipher.Stream)
		if err := s.Init(source, a, key, make([]byte, nonceSize(a)), "test"); err != nil {
			t.Fatal(err)
		}
		s.XORKeyStream(buf, buf)
		s.XORKeyStream(buf[:n/3], buf[:n/3])
	}
}

func nonceSize(a registry.Algorithm) int {
	if strings.HasPrefix(a.String(), "x") {
		return 24
	}
	return 8
}

// TestForceBindsEveryByte forces each backend and each kernel for each algorithm
// it serves, and looks at which kernels ran at each length: none of the forced
// one's kind but itself, and where a part of an AEAD is forced, no fused kernel
// that would do that part's work.
func TestForceBindsEveryByte(t *testing.T) {
	for _, a := range registry.Algorithms() {
		free, err := registry.Select(registry.WithOverride(""))
		if err != nil {
			t.Fatal(err)
		}
		candidates := free.Candidates(a)
		kinds := map[string]map[registry.Kind]bool{} // by what can be forced
		for _, c := range candidates {
			for _, name := range []string{c.Backend, c.Name()} {
				if kinds[name] == nil {
					kinds[name] = map[registry.Kind]bool{}
				}
				kinds[name][c.Kind] = true
			}
		}
		for _, force := range slices.Sorted(maps.Keys(kinds)) {
			t.Run(a.String()+"="+force, func(t *testing.T) {
				sel, err := registry.Select(registry.WithOverride(a.String() + "=" + force))
				if err != nil {
					t.Fatal(err)
				}
				forcedRan := map[registry.Kind]bool{}
				for _, n := range lengths() {
					clear(calls)
					work(t, sel.Source(a), a, n)
					for _, c := range candidates {
						if calls[c.Name()] == 0 {
							continue
						}
						isForced := force == c.Backend || force == c.Name()
						forcedRan[c.Kind] = forcedRan[c.Kind] || isForced
						if !isForced && (kinds[force][c.Kind] || c.Kind == registry.KindFused) {
							t.Fatalf("%d bytes: %s ran", n, c.Name())
						}
					}
				}
				for kind := range kinds[force] {
					if !forcedRan[kind] && kind != registry.KindFused {
						t.Errorf("no forced %v kernel ran", kind)
					}
				}
				if strings.Contains(force, "/fused") && !forcedRan[registry.KindFused] {
					t.Error("the forced fused kernel did not run")
				}
			})
		}
	}
}

// TestForceFusedFromOneStep forces a fused kernel by its name: it runs for every
// message that is a step or longer.
func TestForceFusedFromOneStep(t *testing.T) {
	for kernel, step := range map[string]int{"wide/fused-x4": 256, "other/fused-x8": 512, "single/fused-x2": 128} {
		sel, err := registry.Select(registry.WithOverride("chacha20poly1305=" + kernel))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range lengths() {
			clear(calls)
			work(t, sel.Source(registry.ChaCha20Poly1305), registry.ChaCha20Poly1305, n)
			if ran := calls[kernel] > 0; ran != (n >= step) {
				t.Errorf("%s: %d bytes: ran is %v", kernel, n, ran)
			}
		}
	}
}

// planned reports whether the plan of an AEAD for n bytes has a fused kernel.
func planned(source *registry.Source, n int) bool {
	_, fused := source.Plan().For(n).AEAD(n, false)
	return fused != nil
}

// TestUnforced has no force: whatever is mixed, it must hold together. It also
// shows that the kernels above are such that mixing happens.
func TestUnforced(t *testing.T) {
	sel, err := registry.Select(registry.WithOverride(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range registry.Algorithms() {
		clear(calls)
		for _, n := range lengths() {
			before := calls["wide/fused-x4"] + calls["other/fused-x8"] + calls["single/fused-x2"]
			work(t, sel.Source(a), a, n)
			after := calls["wide/fused-x4"] + calls["other/fused-x8"] + calls["single/fused-x2"]
			if planned := a.IsAEAD() && planned(sel.Source(a), n); planned != (after > before) {
				t.Errorf("%v: %d bytes: a fused kernel is planned: %v; calls: %d", a, n, planned, after-before)
			}
		}
		if len(calls) < 2 {
			t.Errorf("%v: only %v ran", a, calls)
		}
	}
}
