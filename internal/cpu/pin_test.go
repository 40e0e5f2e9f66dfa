package cpu

import (
	"errors"
	"runtime"
	"testing"
)

func TestPinThread(t *testing.T) {
	var pinError *PinError
	_, err := PinThread([]int{-1, maxCPUs})
	if !errors.As(err, &pinError) {
		t.Fatalf("PinThread to no CPU: %v", err)
	}
	if runtime.GOOS == "linux" {
		return // see TestPinThreadLinux
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v is not ErrUnsupported", err)
	}
}
