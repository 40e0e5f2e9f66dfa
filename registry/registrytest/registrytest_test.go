package registrytest

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/registry"
)

func TestGoodBackend(t *testing.T) { TestBackend(t, goodBackend()) }

func TestCheckProgress(t *testing.T) {
	b := backendOf(streamKernel(registry.ChaCha, 2), macKernel(1),
		registry.Kernel{Name: "absent", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 1},
		registry.Kernel{Name: "wrong", Kind: registry.KindMAC, Blocks: 1, Features: []string{"nosuch"}, Absorb: absorb})
	var last Event
	skipped := map[string]string{}
	errs := Check(b, Progress(func(e Event) {
		if e.Skipped != "" {
			skipped[e.Kernel] = e.Skipped
			return
		}
		if e.Done != last.Done+1 || e.Err != nil || e.Check == "" {
			t.Errorf("event %+v after %+v", e, last)
		}
		last = e
	}))
	if len(errs) != 0 {
		t.Errorf("errors: %v", errs)
	}
	if last.Done == 0 || last.Done != last.Total {
		t.Errorf("last event: %+v", last)
	}
	if !strings.Contains(skipped["absent"], "not compiled") || !strings.Contains(skipped["wrong"], "nosuch") || len(skipped) != 2 {
		t.Errorf("skipped: %v", skipped)
	}
}

func TestOptions(t *testing.T) {
	seen := map[string]bool{}
	b := goodBackend()
	Check(b, Kernels("poly1305"), Seed(7), Progress(func(e Event) { seen[e.Kernel] = true }))
	if len(seen) != 1 || !seen["poly1305"] {
		t.Errorf("kernels checked: %v", seen)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if errs := Check(b, Context(ctx)); len(errs) != 1 || !errors.Is(errs[0], context.Canceled) {
		t.Errorf("cancelled: %v", errs)
	}
	k := macKernel(1)
	k.Features = []string{"left", "right"}
	var asked []string
	Check(backendOf(k), Features(func(f []string) []string { asked = f; return f[1:] }), Progress(func(e Event) {
		if !strings.Contains(e.Skipped, "[right]") {
			t.Errorf("event: %+v", e)
		}
	}))
	if len(asked) != 2 {
		t.Errorf("asked for %v", asked)
	}
}

// TestContextMidCheck cancels while a check is under way.
func TestContextMidCheck(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	k := streamKernel(registry.ChaCha, 1)
	right, calls := k.XOR, 0
	k.XOR = func(dst, src []byte, state *[16]uint32, rounds int) {
		if calls++; calls == 50 {
			cancel()
		}
		right(dst, src, state, rounds)
	}
	errs := Check(backendOf(k), Context(ctx))
	if len(errs) == 0 || !errors.Is(errs[0], context.Canceled) || calls > 200 {
		t.Errorf("%v after %d calls", errs, calls)
	}
}

func TestReduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	numbers := append([][3]uint64{}, accumulators...)
	for range 1000 {
		numbers = append(numbers, [3]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64N(1 << 50)})
	}
	for _, h := range numbers {
		n := bigFromLimbs(h[:])
		if got, want := reduce(h), limbsFromBig(n.Mod(n, prime)); got != want {
			t.Errorf("reduce(%x) = %x, want %x", h, got, want)
		}
	}
}

// TestReferenceAbsorb compares the reference MAC, which most checks rely on,
// with math/big.
func TestReferenceAbsorb(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, h := range accumulators {
		for _, r := range multipliers {
			msg := make([]byte, 160)
			for i := range msg {
				msg[i] = byte(-(rng.Uint32() & 1))
			}
			got, want := referenceAbsorb(h, r, msg), bigAbsorb(h, r, msg)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("h %x, r %x: after %d blocks %x, want %x", h, r, i, got[i], want[i])
				}
			}
		}
	}
}

func FuzzGoodStream(f *testing.F) { FuzzStream(f, goodBackend()) }
func FuzzGoodMAC(f *testing.F)    { FuzzMAC(f, goodBackend()) }
func FuzzGoodFused(f *testing.F)  { FuzzFused(f, goodBackend()) }
