// Package registrytest is the proving ground for backends: it runs every
// kernel of a backend through published vectors, every length and placement,
// guard pages, counter carries in every lane, arithmetic extremes, concurrency
// and more, and compares with the reference routines and with math/big.
//
// A backend's own tests need one line:
//
//	func TestBackend(t *testing.T) { registrytest.TestBackend(t, &mybackend.Backend) }
package registrytest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/registry"
)

// A Failure says what a kernel did wrong. It is the type of every error that
// Check returns. It holds no key, message or keystream bytes.
type Failure struct {
	// Backend and Kernel name the routine, Check the test it failed.
	Backend, Kernel, Check string
	// Call is the function field that was called: "XOR", "Lead", "Absorb", "Setup",
	// "Seal" or "Open"; empty if the failure is not one of a call.
	Call string
	// Rounds is the number of rounds, 0 for MACs.
	Rounds int
	// Length is the length in bytes of the call or of the message.
	Length int
	// Offset is the offset in bytes of the first difference, or -1.
	Offset int
	// Detail says what was expected and what happened.
	Detail string
}

// Error returns all of the failure in one line.
func (f *Failure) Error() string {
	s := fmt.Sprintf("%s/%s: %s: ", f.Backend, f.Kernel, f.Check)
	if f.Call != "" {
		s += fmt.Sprintf("%s of %d bytes", f.Call, f.Length)
		if f.Rounds != 0 {
			s += fmt.Sprintf(", %d rounds", f.Rounds)
		}
		s += ": "
	}
	s += f.Detail
	if f.Offset >= 0 {
		s += fmt.Sprintf(", first difference at byte %d", f.Offset)
	}
	return s
}

// An Event is one step of progress: a check has ended, or a kernel is skipped.
type Event struct {
	Backend, Kernel string
	// Check is the name of the check, empty if the kernel is skipped.
	Check string
	// Skipped says why the kernel cannot be checked here; empty if it can.
	Skipped string
	// Done and Total count the checks of the whole backend; a skipped kernel
	// has none.
	Done, Total int
	// Err is the *Failure of this check, or nil.
	Err error
}

// An Option alters what Check does.
type Option func(*config)

type config struct {
	ctx      context.Context
	long     bool
	kernels  []string
	progress func(Event)
	seed     uint64
	missing  func([]string) []string
	stress   time.Duration
}

// Long makes the checks exhaustive: every split of a message, all rounds at
// all lengths, and many more random cases. It takes minutes instead of a
// second.
func Long() Option { return func(c *config) { c.long = true } }

// Kernels restricts the checks to the kernels of these names.
func Kernels(names ...string) Option { return func(c *config) { c.kernels = names } }

// Context ends the checks early when ctx is done; what was found so far is
// returned, and the error of ctx with it.
func Context(ctx context.Context) Option { return func(c *config) { c.ctx = ctx } }

// Progress calls f after each check and for each skipped kernel.
func Progress(f func(Event)) Option { return func(c *config) { c.progress = f } }

// Seed chooses the random cases. Without it they are the same in every run.
func Seed(seed uint64) Option { return func(c *config) { c.seed = seed } }

// Features replaces the question which of the given CPU features are missing
// here. Kernels with a missing feature are skipped.
func Features(missing func(features []string) []string) Option {
	return func(c *config) { c.missing = missing }
}

func newConfig(opts []Option) *config {
	c := &config{
		ctx:      context.Background(),
		progress: func(Event) {},
		seed:     1,
		missing:  missingFeatures,
		stress:   defaultStress,
	}
	for _, o := range opts {
		o(c)
	}
	return c
}

// Check runs every kernel of the backend that can run here through all checks
// and returns the failures, each a *Failure, at most one per kernel and check.
// Kernels that are not compiled in, or whose CPU features or byte order are
// not those of this machine, are skipped and reported to the Progress option
// only. Check must not run inside a parallel test: it counts allocations.
func Check(b *registry.Backend, opts ...Option) []error {
	c := newConfig(opts)
	var errs []error
	done, total := 0, 0
	plans := make([][]check, len(b.Kernels))
	for i := range b.Kernels {
		if c.wants(&b.Kernels[i]) && c.skipReason(&b.Kernels[i]) == "" {
			plans[i] = checksFor(&b.Kernels[i])
			total += len(plans[i])
		}
	}
	for i := range b.Kernels {
		k := &b.Kernels[i]
		if !c.wants(k) {
			continue
		}
		if reason := c.skipReason(k); reason != "" {
			c.progress(Event{Backend: b.Name, Kernel: k.Name, Skipped: reason, Done: done, Total: total})
			continue
		}
		for j, ch := range plans[i] {
			if err := c.ctx.Err(); err != nil {
				return append(errs, err)
			}
			err := runCheck(c, b, k, ch)
			done++
			if err != nil {
				errs = append(errs, err)
			}
			if err != nil && ch.first {
				done += len(plans[i][j+1:])
			}
			c.progress(Event{Backend: b.Name, Kernel: k.Name, Check: ch.name, Done: done, Total: total, Err: err})
			if err != nil && ch.first {
				break
			}
		}
	}
	return errs
}

// TestBackend runs Check's checks as subtests of t, one per kernel and check.
// Kernels that are not compiled in, or are for the other byte order, have none;
// that of a kernel for which the CPU lacks a feature is skipped.
func TestBackend(t *testing.T, b *registry.Backend, opts ...Option) {
	c := newConfig(opts)
	for i := range b.Kernels {
		k := &b.Kernels[i]
		if !c.wants(k) || c.built(k) != "" {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			for _, feature := range c.missing(k.Features) {
				needFeature(t, feature)
			}
			for _, ch := range checksFor(k) {
				t.Run(ch.name, func(t *testing.T) {
					if err := runCheck(c, b, k, ch); err != nil {
						t.Error(err)
					}
				})
				if t.Failed() && ch.first {
					return
				}
			}
		})
	}
}

func (c *config) wants(k *registry.Kernel) bool {
	return len(c.kernels) == 0 || slices.Contains(c.kernels, k.Name)
}

// needFeature ends the test of a kernel for want of a CPU feature. Where the
// continuous integration of this module says which ones its machine lacks, another
// one is a failure; elsewhere the machine is what it is.
func needFeature(t *testing.T, feature string) {
	t.Helper()
	if _, said := os.LookupEnv(testenv.LacksVariable); said && !testenv.Lacks(feature) {
		t.Fatalf("missing CPU feature: %s, which %s does not list", feature, testenv.LacksVariable)
	}
	t.Skipf("missing CPU feature: %s", feature)
}

// skipReason says why the kernel cannot run here, or returns "".
func (c *config) skipReason(k *registry.Kernel) string {
	if reason := c.built(k); reason != "" {
		return reason
	}
	if missing := c.missing(k.Features); len(missing) > 0 {
		return fmt.Sprintf("missing CPU features: %v", missing)
	}
	return ""
}

// built says why the kernel cannot run in this program on any CPU, or returns "".
func (c *config) built(k *registry.Kernel) string {
	if !compiled(k) {
		return "not compiled for GOARCH=" + runtime.GOARCH
	}
	if k.ByteOrder != "" && k.ByteOrder != hostByteOrder() {
		return "only right in " + k.ByteOrder + "-endian byte order"
	}
	return ""
}

// compiled reports whether the kernel has the functions of its kind.
func compiled(k *registry.Kernel) bool {
	switch k.Kind {
	case registry.KindStream:
		return k.XOR != nil
	case registry.KindMAC:
		return k.Absorb != nil
	case registry.KindFused:
		return k.Seal != nil && k.Open != nil
	}
	return false
}
