package cpu

import (
	"github.com/quarterround/quarterround/internal/testenv"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestPinThreadLinux(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, during, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		testenv.Missing(t, "leave to read the affinity of this thread: "+err.Error())
	}
	first := 0
	for !before.IsSet(first) {
		first++
	}
	restore, err := PinThread([]int{first, maxCPUs - 1})
	if err != nil {
		testenv.Missing(t, "leave to set the affinity of this thread: "+err.Error())
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
