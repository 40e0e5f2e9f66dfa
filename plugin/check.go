package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/plugin/proto"
)

// A Depth is how thoroughly a kernel is checked.
type Depth uint8

// The depths.
const (
	SelfTest Depth = iota + 1 // what a kernel passes before it is used: milliseconds
	Suite                     // the suite of registrytest: seconds
	Long                      // the suite in its long form: minutes
)

// A CheckEvent says that a check has ended.
type CheckEvent struct {
	Check string
	// Failure is empty if the kernel passed, Skipped if it could be checked.
	Failure, Skipped string
}

// A CrashError says that a kernel ended the process it ran in, or had to be ended
// with it.
type CrashError struct {
	Kernel string
	// Signal is the name of the signal that ended the process ("SIGILL"), "panic",
	// "hang", or "exit" if it ended otherwise.
	Signal string
	// Detail says what is known, in one line.
	Detail string
}

// Error implements error.
func (e *CrashError) Error() string { return fmt.Sprintf("%s crashed (%s)", e.Kernel, e.Detail) }

// Check tests a kernel inside the plugin and calls each, if it is not nil, after
// each check. Failures are events, no errors. The error is a *CrashError if the
// process ends meanwhile, or if a check takes longer than patience; then the
// plugin is gone. Other errors are *Error; errors.ErrUnsupported is the cause of
// that of a plugin which has no checks.
func (p *Plugin) Check(ctx context.Context, kernel string, depth Depth, patience time.Duration, each func(CheckEvent)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	after := "at the beginning"
	stream, err := p.calls.Check(ctx, &proto.CheckRequest{Kernel: kernel, Depth: proto.Depth(depth)})
	for err == nil {
		hung := time.AfterFunc(patience, cancel)
		var event *proto.CheckEvent
		event, err = stream.Recv()
		if !hung.Stop() && err != nil {
			p.process.Down(string(StageDeadline))
			p.kill()
			return &CrashError{kernel, "hang", fmt.Sprintf("no answer within %v, %s", patience, after)}
		}
		if err == nil {
			after = "after " + event.Check
			if each != nil {
				each(CheckEvent{event.Check, oneLine(event.Failure), oneLine(event.Skipped)})
			}
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	if status.Code(err) == codes.Unimplemented {
		return p.errorf(StageCall, errors.ErrUnsupported, "it has no checks")
	}
	gone := status.Code(err) == codes.Unavailable
	if err := p.failed(err); !gone {
		return err
	}
	signal, detail := p.death()
	return &CrashError{kernel, signal, detail + ", " + after}
}

// death waits for the end of the process and says what ended it: the signal, or
// what the Go runtime wrote, which catches signals and exits with status 2.
func (p *Plugin) death() (signal, detail string) {
	p.kill() // waits until all that it wrote is read
	if signal, detail = p.stderr.fatalError(); signal != "" {
		return signal, detail
	}
	state := p.command.ProcessState
	if name := signalOf(state); name != "" {
		return name, name
	}
	if detail == "" {
		detail = describeExit(state)
	}
	return "exit", detail
}

func describeExit(state *os.ProcessState) string {
	if state == nil {
		return "the process ended"
	}
	return state.String()
}
