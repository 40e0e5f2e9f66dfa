package cpu

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// PinThread locks the calling goroutine to its thread and the thread to those of
// the given CPUs on which it may run already. The function it returns undoes
// both, and must be called by the same goroutine. An error means that nothing
// was changed; its type is [*PinError].
func PinThread(cpus []int) (restore func(), err error) {
	runtime.LockOSThread()
	old, err := bind(cpus)
	if err != nil {
		runtime.UnlockOSThread()
		return nil, &PinError{CPUs: cpus, Err: err}
	}
	return func() {
		if unix.SchedSetaffinity(0, &old) != nil {
			return // a thread left locked ends with its goroutine and harms nobody
		}
		runtime.UnlockOSThread()
	}, nil
}

// bind narrows the CPUs of this thread and returns those it had.
func bind(cpus []int) (old unix.CPUSet, err error) {
	if err := unix.SchedGetaffinity(0, &old); err != nil {
		return old, err
	}
	var narrowed unix.CPUSet
	for _, cpu := range cpus {
		if cpu >= 0 && old.IsSet(cpu) {
			narrowed.Set(cpu)
		}
	}
	if narrowed.Count() == 0 {
		return old, errors.New("this process may run on none of them")
	}
	return old, unix.SchedSetaffinity(0, &narrowed)
}
