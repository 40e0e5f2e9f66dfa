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
// sets their Result and Err. The keys are of this plugin. It returns an error if
// the plugin fails; then no Result is to be used.
func (p *Plugin) Batch(ctx context.Context, messages []Message) error {
	request := &proto.BatchRequest{}
	var pending []*Message
	size := 0
	flush := func() error {
		if len(pending) == 0 {
			return nil
		}
		err := p.sendBatch(ctx, request, pending)
		request, pending, size = &proto.BatchRequest{}, nil, 0
		return err
	}
	most := min(int(p.description.Limits.GetMaxBatch()), maxBatch/8)
	for i := range messages {
		m := &messages[i]
		n := len(m.Data) + len(m.Additional) + cipher.TagSize
		if m.Result, m.Err = nil, m.check(p, n); m.Err != nil {
			continue
		}
		if size+n > maxChunk || len(pending) >= most {
			if err := flush(); err != nil {
				return err
			}
		}
		request.Items = append(request.Items, m.item())
		pending = append(pending, m)
		size += n
	}
	return flush()
}

// check returns what is wrong with the arguments of m.
func (m *Message) check(p *Plugin, size int) error {
	if m.Key == nil || m.Key.plugin != p {
		return fmt.Errorf("plugin: a key of another plugin")
	}
	if err := m.Key.checkAEAD(m.Nonce, m.Additional); err != nil {
		return err
	}
	if size > maxChunk {
		return fmt.Errorf("plugin: a message of %d bytes in a batch; %d are possible", size, maxChunk)
	}
	if m.Open && len(m.Data) < cipher.TagSize {
		return ErrOpen
	}
	return nil
}

func (m *Message) item() *proto.BatchItem {
	op := proto.Operation_OPERATION_SEAL
	if m.Open {
		op = proto.Operation_OPERATION_OPEN
	}
	return &proto.BatchItem{
		Operation: op, Header: &proto.Header{Key: m.Key.handle, Nonce: m.Nonce}, Additional: m.Additional, Data: m.Data,
	}
}

// sendBatch makes one call and gives the messages their results.
func (p *Plugin) sendBatch(ctx context.Context, request *proto.BatchRequest, messages []*Message) error {
	ctx, cancel := context.WithTimeout(ctx, p.config.CallTimeout)
	defer cancel()
	reply, err := p.calls.Batch(ctx, request)
	if err != nil {
		return p.failed(err)
	}
	if len(reply.Results) != len(messages) {
		return p.failed(fmt.Errorf("an answer of %d messages; %d were due", len(reply.Results), len(messages)))
	}
	for i, m := range messages {
		if err := m.take(p, reply.Results[i]); err != nil {
			return err
		}
	}
	return nil
}

// take sets what became of m. An answer of the wrong length is the plugin's
// failure.
func (m *Message) take(p *Plugin, result *proto.BatchResult) error {
	if code := codes.Code(result.Code); code == codes.DataLoss {
		m.Err = ErrOpen
		return nil
	} else if code != codes.OK {
		m.Err = p.errorf(StageCall, nil, "%s", result.Error)
		return nil
	}
	want := len(m.Data) + cipher.TagSize
	if m.Open {
		want = len(m.Data) - cipher.TagSize
	}
	if len(result.Data) != want {
		return p.failed(errLength(len(result.Data), want))
	}
	m.Result = result.Data
	return nil
}
