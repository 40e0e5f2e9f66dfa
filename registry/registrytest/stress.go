package registrytest

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
	"unsafe"

	"github.com/quarterround/quarterround/registry"
)

// checkAllocations counts heap allocations of calls.
func checkAllocations(s *subject) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for i := range s.routines {
		t := s.newTrial(&s.routines[i], s.kernel.Step(), false)
		if n := allocations(func() { t.r.call(&t.args) }); n > 0 {
			s.fail(-1, "%d heap allocations in ten calls", n)
		}
	}
	if s.kernel.Setup == nil {
		return
	}
	powers, multiplier := new(registry.Powers), &[2]uint64{clampLow, clampHigh}
	s.at.Call, s.at.Length, s.at.Rounds = "Setup", 0, 0
	if n := allocations(func() { s.kernel.Setup(powers, multiplier) }); n > 0 {
		s.fail(-1, "%d heap allocations in ten calls", n)
	}
}

// allocations returns how many heap allocations ten calls of f make. Others in
// the process may allocate as well: the least of some rounds counts.
func allocations(f func()) uint64 {
	f()
	least := ^uint64(0)
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 10 {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
		if least == 0 {
			break
		}
	}
	return least
}

// checkRetention looks for arguments that the kernel keeps: memory that it
// writes to after the call has returned or in a later call, results that
// depend on the contents an argument had in an earlier call, and memory that
// stays reachable.
func checkRetention(s *subject) {
	for i := range s.routines {
		r := &s.routines[i]
		s.sameArguments(r)
		s.laterWrites(r)
		s.reachable(r)
	}
}

// sameArguments calls with the same memory twice, and other contents.
func (s *subject) sameArguments(r *routine) {
	n := 2 * s.kernel.Step()
	first, second := s.newTrial(r, n, false), s.newTrial(r, n, false)
	first.r.call(&first.args)
	second.e.load(&first.args, &second.powers)
	first.r.call(&first.args)
	if d := second.e.difference(&first.args); d != "" {
		s.fail(-1, "with the arguments of the call before at the same address: %s", d)
	}
}

// laterWrites watches the arguments of one call during later ones.
func (s *subject) laterWrites(r *routine) {
	n := 2 * s.kernel.Step()
	old := s.newTrial(r, n, false)
	old.r.call(&old.args)
	contents := old.poison()
	for range 3 {
		later := s.newTrial(r, n, false)
		later.r.call(&later.args)
		if d := later.difference(); d != "" {
			s.fail(-1, "in a later call: %s", d)
		}
		time.Sleep(time.Millisecond)
	}
	runtime.GC()
	if what := old.touched(contents); what != "" {
		s.fail(-1, "retained %s and wrote to it after returning", what)
	}
}

// reachable drops the arguments of a call and waits for them to be collected.
func (s *subject) reachable(r *routine) {
	collected := make(chan string, 8)
	want := s.callAndDrop(r, collected)
	for tries := 0; len(collected) < len(want) && tries < 500; tries++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	for len(collected) > 0 {
		delete(want, <-collected)
	}
	for what := range want {
		s.fail(-1, "retained %s", what)
	}
}

// callAndDrop calls with fresh arguments and returns the names of those whose
// end will be sent to collected.
//
//go:noinline
func (s *subject) callAndDrop(r *routine, collected chan<- string) map[string]bool {
	t := s.newTrial(r, 2*s.kernel.Step(), false)
	t.r.call(&t.args)
	want := map[string]bool{}
	note := func(name string) string { want[name] = true; return name }
	send := func(name string) { collected <- name }
	runtime.AddCleanup(unsafe.SliceData(t.args.src), send, note("src"))
	if t.args.dst != nil {
		runtime.AddCleanup(unsafe.SliceData(t.args.dst), send, note("dst"))
		runtime.AddCleanup(t.args.state, send, note("state"))
	}
	if t.args.mac != nil {
		runtime.AddCleanup(t.args.mac, send, note("the MAC state"))
	}
	if t.args.powers != nil {
		runtime.AddCleanup(t.args.powers, send, note("powers"))
	}
	return want
}

// workers is the number of goroutines that call a kernel at once.
const workers = 8

// checkConcurrency calls the kernel from many goroutines at once, some of
// which share their source and state.
func checkConcurrency(s *subject) {
	repeat := 100
	if s.long {
		repeat = 5000
	}
	for i := range s.routines {
		r := &s.routines[i]
		trials := make([]*trial, workers)
		for w := range trials {
			trials[w] = s.newTrial(r, (1+w%4)*s.kernel.Step(), w%2 == 1)
		}
		// Workers 0, 2, 4 and 6 are apart. 4 shares what 0 reads.
		if r.encrypts() {
			trials[4].e, trials[4].powers = trials[0].e, trials[0].powers
			trials[4].allocate(false)
			trials[4].args.src, trials[4].args.state = trials[0].args.src, trials[0].args.state
		}
		s.together(trials, func(t *trial) string {
			for range repeat {
				if t != trials[4] && t != trials[0] {
					t.load()
				} else if t.args.mac != nil {
					*t.args.mac = t.e.mac
				}
				t.r.call(&t.args)
				if d := t.difference(); d != "" {
					return "with other calls under way: " + d
				}
			}
			return ""
		})
	}
}

// together runs f for each trial in a goroutine of its own and fails with the
// first of its results that is not empty.
func (s *subject) together(trials []*trial, f func(*trial) string) {
	results := make([]string, len(trials))
	var start, done sync.WaitGroup
	start.Add(1)
	for i, t := range trials {
		done.Add(1)
		go func() {
			defer done.Done()
			defer func() {
				if v := recover(); v != nil {
					results[i] = s.describePanic(v, t)
				}
			}()
			debug.SetPanicOnFault(true)
			start.Wait()
			results[i] = f(t)
		}()
	}
	start.Done()
	done.Wait()
	for i, result := range results {
		if result != "" {
			s.at.Call, s.at.Length = trials[i].r.name, len(trials[i].e.text)
			s.fail(-1, "%s", result)
		}
	}
}

// describePanic returns the detail of the failure that recovered makes of v.
func (s *subject) describePanic(v any, t *trial) string {
	one := &subject{at: s.at, args: t.args}
	if f, ok := one.recovered(v).(*Failure); ok {
		return f.Detail
	}
	return "panic"
}

// checkGarbageCollection calls the kernel with new memory each time while the
// garbage collector runs without a break.
func checkGarbageCollection(s *subject) {
	cycles := 4
	if s.long {
		cycles = 40
	}
	for i := range s.routines {
		r := &s.routines[i]
		trials := make([]*trial, workers/2)
		for w := range trials {
			trials[w] = s.newTrial(r, (1+w)*s.kernel.Step(), w%2 == 1)
		}
		stop := make(chan struct{})
		go func() {
			defer close(stop)
			for range cycles {
				runtime.GC()
			}
		}()
		s.together(trials, func(t *trial) string {
			for running := true; running; {
				select {
				case <-stop:
					running = false
				default:
				}
				t.allocate(len(t.e.text) > s.kernel.Step())
				t.r.call(&t.args)
				if d := t.difference(); d != "" {
					return "during garbage collection: " + d
				}
			}
			return ""
		})
	}
}

// stackBuffer is the size in bytes of the buffers that lie on the stack.
const stackBuffer = 4096

// checkStackGrowth calls the kernel with all arguments on the stack, in new
// goroutines whose stacks grow from call to call.
func checkStackGrowth(s *subject) {
	// A kernel that keeps pointers to a stack could bring the process down.
	checkRetention(s)
	for i := range s.routines {
		r := &s.routines[i]
		n := stackBuffer / s.unit() * s.unit()
		if n == 0 {
			continue
		}
		trials := make([]*trial, workers)
		for w := range trials {
			trials[w] = s.newTrial(r, n, false)
		}
		s.together(trials, func(t *trial) string { return t.grow(4) })
	}
}

// grow calls with arguments on the stack, at this and at deeper levels of it.
//
//go:noinline
func (t *trial) grow(depth int) string {
	var (
		dst, src [stackBuffer]byte
		state    [16]uint32
		mac      registry.MACState
		powers   registry.Powers
	)
	n := len(t.e.text)
	a := arguments{src: src[:n], rounds: t.e.rounds}
	if t.r.encrypts() {
		a.dst, a.state = dst[:n], &state
	}
	if t.r.macs {
		a.mac = &mac
		if t.args.powers != nil {
			a.powers = &powers
		}
	}
	t.e.load(hide(&a), hide(&t.powers))
	t.r.call(hide(&a))
	if d := t.e.difference(hide(&a)); d != "" {
		return "with arguments on the stack: " + d
	}
	if depth == 0 {
		return ""
	}
	result := t.grow(depth - 1)
	// After the stack has grown the arguments are elsewhere.
	if d := t.e.difference(hide(&a)); d != "" {
		return "after the stack has grown: " + d
	}
	return result
}

// hide returns p without letting escape analysis see where it goes, so that
// what it points to can stay on the stack, as in the wrapper through which the
// product calls kernels; for the same reason as there it is not inlined.
//
//go:nocheckptr
//go:nosplit
//go:noinline
func hide[T any](p *T) *T {
	address := uintptr(unsafe.Pointer(p))
	return *(**T)(unsafe.Pointer(&address))
}
