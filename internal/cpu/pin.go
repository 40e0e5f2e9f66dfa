package cpu

import "fmt"

// A PinError says why a thread was not bound to CPUs. Where the operating
// system cannot do it, errors.Is(err, errors.ErrUnsupported) holds.
type PinError struct {
	CPUs []int
	Err  error
}

func (e *PinError) Error() string {
	return fmt.Sprintf("cpu: cannot bind a thread to CPUs %s: %v", formatList(e.CPUs), e.Err)
}

func (e *PinError) Unwrap() error { return e.Err }
