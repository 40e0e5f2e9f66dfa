//go:build !linux

package measure

import "time"

// ThreadNow returns the CPU time of the calling thread, so that what other
// programs take from it does not count. The goroutine must be locked to its
// thread. Where threads have no such clock it is Now.
func ThreadNow() time.Duration { return Now() }
