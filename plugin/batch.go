package plugin

import (
	"context"
	"fmt"

	"google.golang.org/grpc/codes"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/plugin/proto"
)

// A Message is one of a batch for Seal or Open.
type Message struct {
	Key        *Key
	Nonce      []byte
	Additional []byte
	// Data is the plaintext to Seal, or the ciphertext with its tag to Open.
	Data []byte
	// Open says to open, not to seal.
	Open bool
	// Result is what Batch makes, nil if Err is not.
	Result []byte
	// Err is what Seal or Open would have returned.
	Err error
}

// Batch seals and opens many messages, of at most 1 MiB each, with few calls, and
// sets their Result and Err. The keys are of this plugin. Results of one call share
// memory. It returns an error if the plugin fails; then no Result is to be used.
func (p *Plugin) Batch(ctx context.Context, messages []Message) error {
	most := min(int(p.description.Limits.GetMaxBatch()), maxBatch/8)
	b := &batch{plugin: p}
	for i := range messages {
		m := &messages[i]
		if m.Result, m.Err = nil, m.check(p); m.Err != nil {
			continue
		}
		if b.content+m.size() > maxChunk || len(b.messages) >= most {
			if err := b.run(ctx); err != nil {
				return err
			}
			b = &batch{plugin: p}
		}
		b.messages = append(b.messages, m)
		b.content += m.size()
	}
	return b.run(ctx)
}

// size returns a bound of the bytes that m takes in a request or a reply.
func (m *Message) size() int {
	return len(m.Nonce) + len(m.Additional) + len(m.Data) + cipher.TagSize
}

// check returns what is wrong with the arguments of m.
func (m *Message) check(p *Plugin) error {
	if m.Key == nil || m.Key.plugin != p {
		return fmt.Errorf("plugin: a key of another plugin")
	}
	if err := m.Key.checkAEAD(m.Nonce, m.Additional); err != nil {
		return err
	}
	if m.size() > maxChunk {
		return fmt.Errorf("plugin: a message of %d bytes in a batch; %d are possible", m.size(), maxChunk)
	}
	if m.Open && len(m.Data) < cipher.TagSize {
		return ErrOpen
	}
	return nil
}

// A batch is the messages of one call.
type batch struct {
	plugin   *Plugin
	messages []*Message
	content  int // bytes
}

// request puts the messages one behind the other.
func (b *batch) request() *proto.BatchRequest {
	n := len(b.messages)
	r := &proto.BatchRequest{
		Operations: make([]proto.Operation, n), Keys: make([]uint64, n),
		Lengths: make([]uint32, 0, 3*n), Content: make([]byte, 0, b.content),
	}
	for i, m := range b.messages {
		r.Operations[i] = proto.Operation_OPERATION_SEAL
		if m.Open {
			r.Operations[i] = proto.Operation_OPERATION_OPEN
		}
		r.Keys[i] = m.Key.handle
		for _, part := range [][]byte{m.Nonce, m.Additional, m.Data} {
			r.Lengths = append(r.Lengths, uint32(len(part)))
			r.Content = append(r.Content, part...)
		}
	}
	return r
}

// run makes the call and gives the messages their results.
func (b *batch) run(ctx context.Context) error {
	if len(b.messages) == 0 {
		return nil
	}
	p := b.plugin
	ctx, cancel := context.WithTimeout(ctx, p.config.CallTimeout)
	defer cancel()
	reply, err := p.calls.Batch(ctx, b.request())
	if err != nil {
		return p.failed(err)
	}
	if err := b.take(reply); err != nil {
		return p.failed(err)
	}
	return nil
}

// take gives the messages what became of them. The error says that the answer does
// not fit, which is the plugin's failure.
func (b *batch) take(reply *proto.BatchReply) error {
	if len(reply.Lengths) != len(b.messages) {
		return fmt.Errorf("an answer of %d messages; %d were due", len(reply.Lengths), len(b.messages))
	}
	if err := b.takeFailures(reply.Failures); err != nil {
		return err
	}
	return b.takeResults(reply)
}

// takeFailures sets the errors of messages.
func (b *batch) takeFailures(failures []*proto.BatchFailure) error {
	for _, f := range failures {
		if f.Index >= uint32(len(b.messages)) {
			return fmt.Errorf("a failure of message %d of %d", f.Index, len(b.messages))
		}
		m := b.messages[f.Index]
		if codes.Code(f.Code) == codes.DataLoss {
			m.Err = ErrOpen
		} else {
			m.Err = b.plugin.errorf(StageCall, nil, "%s", f.Text)
		}
	}
	return nil
}

// takeResults sets the results of the others.
func (b *batch) takeResults(reply *proto.BatchReply) error {
	rest := reply.Content
	for i, m := range b.messages {
		n := int(reply.Lengths[i])
		want := len(m.Data) + cipher.TagSize
		if m.Open {
			want = len(m.Data) - cipher.TagSize
		}
		if m.Err != nil {
			want = 0
		}
		if n != want || n > len(rest) {
			return errLength(n, want)
		}
		if m.Err == nil {
			m.Result = rest[:n:n]
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("an answer with %d bytes too many", len(rest))
	}
	return nil
}
