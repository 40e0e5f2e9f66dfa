package cpu

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestPinThreadLinux(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, during, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Skipf("the affinity of this thread cannot be read: %v", err)
	}
	first := 0
	for !before.IsSet(first) {
		first++
	}
	restore, err := PinThread([]int{first, maxCPUs - 1})
	if err != nil {
		t.Skipf("the affinity of this thread cannot be set: %v", err)
	}
	unix.SchedGetaffinity(0, &during)
	restore()
	unix.SchedGetaffinity(0, &after)
	if during.Count() != 1 || !during.IsSet(first) {
		t.Errorf("pinned to %v, want CPU %d only", during, first)
	}
	if after != before {
		t.Errorf("mask %v after restoring, was %v", after, before)
	}
}
