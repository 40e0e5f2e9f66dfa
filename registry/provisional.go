package registry

import "sync/atomic"

// measureAfter is how many bytes a drop-in package's algorithm has to process
// before it is measured, so that programs that end soon do not pay for it.
const measureAfter = 1 << 20

// A provisional counts the bytes that run by a plan made before anything was
// measured. Its size keeps the counter apart from what else is hot.
type provisional struct {
	bytes   atomic.Int64
	started atomic.Bool
	// measure replaces the plan; it runs once, in a goroutine of its own.
	measure func()
}

// count adds n bytes.
func (p *provisional) count(n int) {
	if p.bytes.Add(int64(n)) >= measureAfter && p.started.CompareAndSwap(false, true) {
		go p.measure()
	}
}
