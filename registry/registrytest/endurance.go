package registrytest

import (
	"io"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"
)

// Stress sets for how long each kernel is called from many goroutines at once
// while the garbage collector runs, the CPU profiler sends its signals, and
// stacks grow and shrink. Without it that is a tenth of a second.
func Stress(d time.Duration) Option { return func(c *config) { c.stress = d } }

// defaultStress is how long checkStress takes for a kernel unless told otherwise.
const defaultStress = 100 * time.Millisecond

// stressDepth is the greatest number of frames, of some 10 KiB each, that the
// stack of a stressed call lies under.
const stressDepth = 24

// checkStress calls the kernel from all workers, with arguments on the heap and
// deep down on stacks, for as long as the options say.
func checkStress(s *subject) {
	// A kernel that keeps pointers to a stack could bring the process down.
	checkRetention(s)
	// Another profile under way sends the same signals.
	if profilable && pprof.StartCPUProfile(io.Discard) == nil {
		defer pprof.StopCPUProfile()
	}
	for i := range s.routines {
		s.stressRoutine(&s.routines[i], s.stress/time.Duration(len(s.routines)))
	}
}

func (s *subject) stressRoutine(r *routine, d time.Duration) {
	short := max(1, stackBuffer/s.unit()) * s.unit()
	long := max(1, stressPiece/s.unit()) * s.unit()
	small, large := make([]*trial, workers), make([]*trial, workers)
	next := map[*trial]*trial{}
	for w := range workers {
		small[w], large[w] = s.newTrial(r, short, false), s.newTrial(r, long, w%2 == 1)
		next[small[w]] = large[w]
	}
	var stop atomic.Bool
	var collector sync.WaitGroup
	collector.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	defer collector.Wait()
	defer stop.Store(true)
	end := time.Now().Add(d)
	s.together(small, func(t *trial) string {
		for depth := 0; ; depth = (depth + 7) % stressDepth {
			if result := t.stress(next[t], depth, short <= stackBuffer); result != "" {
				return result
			}
			if time.Now().After(end) || s.ctx.Err() != nil {
				return ""
			}
		}
	})
	s.poll()
}

// stressPiece is the length in bytes of the calls with arguments on the heap:
// long enough for signals to arrive in them.
const stressPiece = 16384

// stress calls once on the heap, in new memory, and at each level of a stack of
// this depth.
func (t *trial) stress(large *trial, depth int, stack bool) string {
	large.allocate(len(large.args.dst) > 0 && &large.args.dst[0] == &large.args.src[0])
	large.r.call(&large.args)
	if d := large.difference(); d != "" {
		return "under stress: " + d
	}
	if !stack {
		return ""
	}
	return t.grow(depth)
}
