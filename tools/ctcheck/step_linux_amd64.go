package ctcheck

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Stepped is the tracer that single-steps the victim from breakpoint to
// breakpoint.
func Stepped(victim, kernel string, n, count int) ([]Record, error) {
	// Only the thread that started the process may trace it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command(victim, kernel, strconv.Itoa(n), strconv.Itoa(count), "trap")
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	pid := cmd.Process.Pid
	var frozen []int
	defer func() {
		_ = unix.Kill(pid, unix.SIGKILL)
		// The process is not over before its tracer has seen each thread end.
		for _, tid := range frozen {
			_, _ = stopped(tid)
		}
		_ = cmd.Wait()
	}()
	if _, err := stopped(pid); err != nil { // by its own start
		return nil, err
	}
	var records []Record
	for len(records) < 1+count {
		if err := runToTrap(pid); err != nil {
			return nil, err
		}
		if len(records) == 0 {
			var err error
			if frozen, err = freezeOtherThreads(pid); err != nil {
				return nil, err
			}
		}
		r, err := stepToTrap(pid)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records[1:], nil
}

// runToTrap continues the main thread up to the next breakpoint.
func runToTrap(pid int) error {
	signal := 0
	for {
		if err := unix.PtraceCont(pid, signal); err != nil {
			return err
		}
		s, err := stopped(pid)
		if err != nil {
			return err
		}
		if s == unix.SIGTRAP {
			return nil
		}
		signal = int(s)
	}
}

// stepToTrap steps the main thread, which has just executed a breakpoint
// instruction, until it has executed the same one again.
func stepToTrap(pid int) (Record, error) {
	start, err := programCounter(pid)
	if err != nil {
		return Record{}, err
	}
	r := Record{Path: hashBasis}
	for {
		if err := unix.PtraceSingleStep(pid); err != nil {
			return r, err
		}
		s, err := stopped(pid)
		if err != nil {
			return r, err
		}
		if s != unix.SIGTRAP {
			return r, fmt.Errorf("the traced thread got signal %v", s)
		}
		pc, err := programCounter(pid)
		if err != nil {
			return r, err
		}
		if pc == start {
			return r, nil
		}
		r.Count++
		r.Path = hash(r.Path, pc)
	}
}

// programCounter returns the address of the next instruction.
func programCounter(pid int) (uint64, error) {
	var regs unix.PtraceRegs
	err := unix.PtraceGetRegs(pid, &regs)
	return regs.Rip, err
}

// stopped waits until the thread stops and returns the signal it stopped with.
func stopped(tid int) (syscall.Signal, error) {
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(tid, &status, unix.WALL, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return 0, err
		}
		if !status.Stopped() {
			return 0, fmt.Errorf("the traced program has ended: status %#x", status)
		}
		return status.StopSignal(), nil
	}
}

// freezeOtherThreads stops the threads of the Go runtime for good, and returns
// them: one of them would ask the traced one to yield every 10 ms.
func freezeOtherThreads(pid int) (frozen []int, err error) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		tid, err := strconv.Atoi(t.Name())
		if err != nil || tid == pid {
			continue
		}
		if err := unix.PtraceAttach(tid); err != nil {
			return frozen, err
		}
		frozen = append(frozen, tid)
		if _, err := stopped(tid); err != nil {
			return frozen, err
		}
	}
	return frozen, nil
}
