package plugin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/plugin/proto"
)

// A Timing says what Measure is to time.
type Timing struct {
	Function Function
	// Length is that of the plaintext of each message, in bytes, up to 64 MiB.
	Length int
	// Messages is how many are done in a round, one after the other, under one key
	// and nonce.
	Messages int
	// Rounds is how many samples to take.
	Rounds int
}

// Measure has the plugin time a function in its own process, where neither the
// wire nor the way from Go to C counts, and returns how long each round took, all
// its messages together: CPU time of the thread on Linux, time elsewhere. What is
// timed has given the right result before. One round that is not counted goes
// before the others in every call.
//
// A comparison that is fair to all takes turns: in each of its rounds it times
// its own candidates, by the same clock ([internal/measure.ThreadNow], locked to
// its thread), and calls Measure with Rounds: 1 for each plugin. Then it compares
// within the rounds, and takes the median:
//
//	timing := plugin.Timing{Function: plugin.Function{Algorithm: registry.ChaCha20, Operation: plugin.OperationXOR}, Length: 1350, Messages: 1, Rounds: 5}
//	first, err := p.Measure(ctx, timing)
//	timing.Messages, timing.Rounds = int(60*time.Microsecond/slices.Min(first))+1, 1
//	for range 101 {
//		mine := timeMine()
//		theirs, err := p.Measure(ctx, timing)
//		ratios = append(ratios, float64(theirs[0])/float64(timing.Messages)/mine)
//	}
//
// All of a call must be done within Config.CallTimeout. A plugin inherits the set
// of CPUs of the thread that calls [Open]; lock and pin that thread to measure on
// one kind of core. Errors are *Error; errors.ErrUnsupported is
// the cause of that of a plugin which does not measure.
func (p *Plugin) Measure(ctx context.Context, t Timing) ([]time.Duration, error) {
	if !t.Function.valid() || t.Length < 0 || t.Messages < 1 || t.Rounds < 1 || t.Length > maxMeasured || t.Messages > maxTimes || t.Rounds > maxRounds {
		return nil, p.errorf(StageCall, nil, "there is no timing of %d rounds of %d messages, %v of %d bytes", t.Rounds, t.Messages, t.Function, t.Length)
	}
	if err := p.offers(t.Function.Algorithm); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.config.CallTimeout)
	defer cancel()
	reply, err := p.calls.Measure(ctx, &proto.MeasureRequest{
		Algorithm: t.Function.Algorithm.String(), Operation: t.Function.Operation.wire(),
		Length: uint64(t.Length), Messages: uint32(t.Messages), Rounds: uint32(t.Rounds),
	})
	if status.Code(err) == codes.Unimplemented {
		return nil, p.errorf(StageCall, errors.ErrUnsupported, "it does not measure")
	} else if err != nil {
		return nil, p.failed(err)
	}
	if len(reply.Nanoseconds) != t.Rounds {
		return nil, p.failed(fmt.Errorf("an answer of %d rounds; %d were due", len(reply.Nanoseconds), t.Rounds))
	}
	times := make([]time.Duration, t.Rounds)
	for i, ns := range reply.Nanoseconds {
		times[i] = time.Duration(ns)
	}
	return times, nil
}

// Functions returns what Measure can time, and what keys can do.
func (p *Plugin) Functions() []Function {
	var all []Function
	for _, a := range p.algorithms() {
		all = append(all, FunctionsOf(a)...)
	}
	return all
}
