package measure

import (
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The monotonic clock of package time moves in steps of up to 15 ms on Windows;
// the performance counter moves in steps of 0.1 µs or less.
var (
	kernel32  = windows.NewLazySystemDLL("kernel32.dll")
	counter   = kernel32.NewProc("QueryPerformanceCounter")
	frequency = sync.OnceValue(func() int64 {
		return performanceValue(kernel32.NewProc("QueryPerformanceFrequency"))
	})
)

// performanceValue calls one of the two functions, which cannot fail on Windows
// XP and later.
func performanceValue(f *windows.LazyProc) int64 {
	var value int64
	syscall.SyscallN(f.Addr(), uintptr(unsafe.Pointer(&value)))
	return value
}

// Now is the finest clock of this system.
func Now() time.Duration {
	count := performanceValue(counter)
	seconds, rest := count/frequency(), count%frequency()
	return time.Duration(seconds)*time.Second + time.Duration(rest)*time.Second/time.Duration(frequency())
}
