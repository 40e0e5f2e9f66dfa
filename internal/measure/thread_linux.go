package measure

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadNow returns the CPU time of the calling thread, so that what other
// programs take from it does not count. The goroutine must be locked to its
// thread. Where threads have no such clock it is Now.
func ThreadNow() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return Now()
	}
	return time.Duration(t.Nano())
}
