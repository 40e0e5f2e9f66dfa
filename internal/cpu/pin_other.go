//go:build !linux

package cpu

import "errors"

// PinThread fails: this operating system cannot bind threads to CPUs.
func PinThread(cpus []int) (restore func(), err error) {
	return nil, &PinError{CPUs: cpus, Err: errors.ErrUnsupported}
}
