package plugin

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// Costs are the time of one message by the way it takes: medians over rounds in
// which all ways take turns.
type Costs struct {
	// Length is that of the plaintext in bytes.
	Length int `json:"length"`
	// Single is a call of its own through the wire, Batch one message of a batch of
	// 64; that is 0 where there are no batches: of streams and MACs, and of messages
	// of 1 MiB.
	Single time.Duration `json:"single_ns"`
	Batch  time.Duration `json:"batch_ns,omitempty"`
	// Inside is the time in the plugin without the wire, 0 if the plugin cannot tell,
	// Here that of a selection in this process.
	Inside time.Duration `json:"inside_ns"`
	Here   time.Duration `json:"here_ns"`
}

const (
	costRounds = 5
	costBatch  = 64
	costTimes  = 16 // messages in a sample without the wire
)

// Costs measures what a function costs at a length, and compares with selection.
func (p *Plugin) Costs(ctx context.Context, f Function, length int, selection *registry.Selection) (*Costs, error) {
	secret, nonce, plaintext := new([cipher.KeySize]byte), make([]byte, f.NonceSize()), make([]byte, length)
	rand.Read(secret[:])
	src, dst, err := expected(f, secret, nonce, plaintext)
	if err != nil {
		return nil, p.errorf(StageCall, err, "%v", err)
	}
	key, err := p.NewKey(ctx, f.Algorithm, secret[:])
	if err != nil {
		return nil, err
	}
	defer key.Drop(ctx)
	here, err := kernelCiphers{selection: selection}.under(f.Algorithm, secret)
	if err != nil {
		return nil, p.errorf(StageCall, err, "%v", err)
	}
	local := here.message(f)
	out := make([]byte, len(dst))
	ways := []way{
		{1, func() (time.Duration, error) {
			return timeOf(func() error { _, err := key.do(ctx, f.Operation, nonce, src); return err })
		}},
		{costTimes, func() (time.Duration, error) { return p.timeInside(ctx, f, length) }},
		{costTimes, func() (time.Duration, error) {
			return timeOf(func() error { local(out, src, nonce, costTimes); return nil })
		}},
	}
	if f.Algorithm.IsAEAD() && length+cipher.NonceSizeX+2*cipher.TagSize <= maxChunk {
		messages := make([]Message, costBatch)
		for i := range messages {
			messages[i] = Message{Key: key, Nonce: nonce, Data: src, Open: f.Operation == OperationOpen}
		}
		ways = append(ways, way{costBatch, func() (time.Duration, error) {
			return timeOf(func() error { return p.Batch(ctx, messages) })
		}})
	}
	medians, err := takeTurns(ways)
	if err != nil {
		return nil, err
	}
	c := &Costs{Length: length, Single: medians[0], Inside: medians[1], Here: medians[2]}
	if len(medians) > 3 {
		c.Batch = medians[3]
	}
	return c, nil
}

// timeInside has the plugin time costTimes messages without the wire; 0 says that it
// cannot.
func (p *Plugin) timeInside(ctx context.Context, f Function, length int) (time.Duration, error) {
	times, err := p.Measure(ctx, Timing{f, length, costTimes, 1})
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return times[0], nil
}

// A way is how messages are done, so many at a time.
type way struct {
	messages int
	run      func() (time.Duration, error)
}

// takeTurns returns the median time of a message by each way.
func takeTurns(ways []way) ([]time.Duration, error) {
	samples := make([][]time.Duration, len(ways))
	for range costRounds {
		for i, w := range ways {
			elapsed, err := w.run()
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], elapsed/time.Duration(w.messages))
		}
	}
	medians := make([]time.Duration, len(ways))
	for i, s := range samples {
		slices.Sort(s)
		medians[i] = s[len(s)/2]
	}
	return medians, nil
}

func timeOf(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}
