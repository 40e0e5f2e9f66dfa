package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// ErrOpen is returned when a message is not authentic.
var ErrOpen = errors.New("plugin: message authentication failed")

// A Key is a key that a plugin holds. It is safe for concurrent use. Its methods
// return new memory, and nothing before the whole answer has arrived; after an
// error the same call may be made elsewhere with the same arguments. Errors are
// *Error, ErrOpen, or say which argument is wrong.
type Key struct {
	plugin    *Plugin
	algorithm registry.Algorithm
	handle    uint64
}

// NewKey gives the plugin a key, 32 bytes, for algorithm a, which must be one of
// Algorithms.
func (p *Plugin) NewKey(ctx context.Context, a registry.Algorithm, key []byte) (*Key, error) {
	if len(key) != cipher.KeySize {
		return nil, fmt.Errorf("plugin: %v: %w", a, cipher.ErrKeySize)
	}
	if err := p.offers(a); err != nil {
		return nil, err
	}
	if err := p.selfTestOnce(ctx, a); err != nil {
		return nil, err
	}
	return p.newKey(ctx, a, key)
}

// newKey is NewKey without a self-test.
func (p *Plugin) newKey(ctx context.Context, a registry.Algorithm, key []byte) (*Key, error) {
	ctx, cancel := context.WithTimeout(ctx, p.config.CallTimeout)
	defer cancel()
	handle, err := p.calls.NewKey(ctx, &proto.NewKeyRequest{Algorithm: a.String(), Key: key})
	if err != nil {
		return nil, p.failed(err)
	}
	return &Key{p, a, handle.Id}, nil
}

// Drop makes the plugin forget the key.
func (k *Key) Drop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, k.plugin.config.CallTimeout)
	defer cancel()
	if _, err := k.plugin.calls.DropKey(ctx, &proto.KeyHandle{Id: k.handle}); err != nil {
		return k.plugin.failed(err)
	}
	return nil
}

// XOR returns data XORed with keystream from byte offset on. Nonces are those of
// quarterround.Library.Stream.
func (k *Key) XOR(ctx context.Context, nonce []byte, offset uint64, data []byte) ([]byte, error) {
	if k.algorithm.Cipher() == registry.NoCipher || k.algorithm.IsAEAD() {
		return nil, fmt.Errorf("plugin: %v is not a stream cipher", k.algorithm)
	}
	if err := checkStream(k.algorithm, nonce, offset, len(data)); err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	return k.run(ctx, k.plugin.calls.XOR, &proto.Header{Key: k.handle, Nonce: nonce, Offset: offset}, nil, data, len(data))
}

// MAC returns the tag of data. The key is a one-time key.
func (k *Key) MAC(ctx context.Context, data []byte) ([]byte, error) {
	if !k.algorithm.IsMAC() {
		return nil, fmt.Errorf("plugin: %v is not a MAC", k.algorithm)
	}
	return k.run(ctx, k.plugin.calls.MAC, &proto.Header{Key: k.handle}, nil, data, cipher.TagSize)
}

// Seal returns the ciphertext of plaintext with its tag.
func (k *Key) Seal(ctx context.Context, nonce, plaintext, additional []byte) ([]byte, error) {
	if err := k.checkAEAD(nonce, additional); err != nil {
		return nil, err
	}
	header := &proto.Header{Key: k.handle, Nonce: nonce}
	return k.run(ctx, k.plugin.calls.Seal, header, additional, plaintext, len(plaintext)+cipher.TagSize)
}

// Open returns the plaintext of ciphertext, which includes the tag, or ErrOpen.
func (k *Key) Open(ctx context.Context, nonce, ciphertext, additional []byte) ([]byte, error) {
	if err := k.checkAEAD(nonce, additional); err != nil {
		return nil, err
	}
	if len(ciphertext) < cipher.TagSize {
		return nil, ErrOpen
	}
	header := &proto.Header{Key: k.handle, Nonce: nonce}
	return k.run(ctx, k.plugin.calls.Open, header, additional, ciphertext, len(ciphertext)-cipher.TagSize)
}

func (k *Key) checkAEAD(nonce, additional []byte) error {
	if !k.algorithm.IsAEAD() {
		return fmt.Errorf("plugin: %v is not an AEAD", k.algorithm)
	}
	if err := checkAEAD(k.algorithm, nonce, additional); err != nil {
		return fmt.Errorf("plugin: %w", err)
	}
	return nil
}

// A call is a method of the service that takes one message.
type call func(context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[proto.MessageChunk, proto.Chunk], error)

// run sends a message and returns the answer, which must have the length want.
// The deadline grows with the length: one CallTimeout for each 4 MiB.
func (k *Key) run(ctx context.Context, method call, header *proto.Header, additional, data []byte, want int) ([]byte, error) {
	p := k.plugin
	if n := uint64(len(additional) + len(data)); n > p.description.Limits.GetMaxMessage() {
		return nil, fmt.Errorf("plugin: a message of %d bytes; the plugin takes %d", n, p.description.Limits.GetMaxMessage())
	}
	parts := 1 + (len(additional)+len(data))/(4*maxChunk)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(parts)*p.config.CallTimeout)
	defer cancel()
	stream, err := method(ctx)
	if err != nil {
		return nil, p.failed(err)
	}
	if err := send(stream, header, additional, data); err != nil && !errors.Is(err, io.EOF) {
		return nil, p.failed(err)
	}
	answer, err := receiveAnswer(stream, want)
	if err != nil {
		return nil, p.failed(err)
	}
	return answer, nil
}

// send cuts a message into chunks. io.EOF means that the answer, an error, is
// there already.
func send(stream grpc.BidiStreamingClient[proto.MessageChunk, proto.Chunk], header *proto.Header, additional, data []byte) error {
	for header != nil || len(additional)+len(data) > 0 {
		a := min(len(additional), maxChunk)
		d := min(len(data), maxChunk-a)
		if err := stream.Send(&proto.MessageChunk{Header: header, Additional: additional[:a], Data: data[:d]}); err != nil {
			return err
		}
		header, additional, data = nil, additional[a:], data[d:]
	}
	return stream.CloseSend()
}

// receiveAnswer returns the chunks of an answer of exactly want bytes.
func receiveAnswer(stream grpc.BidiStreamingClient[proto.MessageChunk, proto.Chunk], want int) ([]byte, error) {
	answer := make([]byte, 0, want)
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(answer)+len(chunk.Data) > want {
			return nil, errLength(len(answer)+len(chunk.Data), want)
		}
		answer = append(answer, chunk.Data...)
	}
	if len(answer) != want {
		return nil, errLength(len(answer), want)
	}
	return answer, nil
}

// failed returns what a method of the API returns for an error of a call. Where
// the plugin is at fault, and not the argument, it is down.
func (p *Plugin) failed(err error) error {
	switch status.Code(err) {
	case codes.DataLoss:
		return ErrOpen
	case codes.InvalidArgument, codes.NotFound, codes.Unimplemented, codes.ResourceExhausted:
		return p.errorf(StageCall, err, "%s", status.Convert(err).Message())
	case codes.Canceled:
		return p.errorf(StageCall, err, "canceled")
	}
	stage, reason := explain(err)
	p.down(stage, reason)
	return p.errorf(stage, err, "%s", reason)
}
