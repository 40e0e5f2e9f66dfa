package plugin

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// A key is what a handle stands for.
type key struct {
	keyed
	algorithm registry.Algorithm
}

// NewKey implements the service.
func (s *server) NewKey(_ context.Context, r *proto.NewKeyRequest) (*proto.KeyHandle, error) {
	a, ok := registry.ParseAlgorithm(r.Algorithm)
	if !ok {
		return nil, status.Errorf(codes.InvalidArgument, "no algorithm %q", r.Algorithm)
	}
	if !s.ciphers.offers(a) {
		return nil, status.Errorf(codes.Unimplemented, "%v is not offered", a)
	}
	if len(r.Key) != cipher.KeySize {
		return nil, status.Errorf(codes.InvalidArgument, "a key of %d bytes", len(r.Key))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.keys) >= maxKeys {
		return nil, status.Errorf(codes.ResourceExhausted, "%d keys are held", maxKeys)
	}
	under, err := s.ciphers.under(a, (*[cipher.KeySize]byte)(r.Key))
	if err != nil {
		return nil, status.Errorf(codes.Internal, "%v: %v", a, err)
	}
	s.lastID++
	s.keys[s.lastID] = &key{under, a}
	return &proto.KeyHandle{Id: s.lastID}, nil
}

// DropKey implements the service.
func (s *server) DropKey(_ context.Context, h *proto.KeyHandle) (*proto.Empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.keys[h.Id]; k != nil {
		k.drop()
		delete(s.keys, h.Id)
	}
	return &proto.Empty{}, nil
}

// whole is a message that has arrived in full.
type whole struct {
	header           *proto.Header
	additional, data []byte
}

// collect reads a message. The server holds all of it, so that nothing is sent
// back before it is known to be right.
func collect(next func() (*proto.MessageChunk, error)) (*whole, error) {
	w := &whole{}
	for {
		chunk, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if chunk.Header != nil {
			w.header = chunk.Header
		}
		w.additional = append(w.additional, chunk.Additional...)
		w.data = append(w.data, chunk.Data...)
		if len(w.additional)+len(w.data) > maxWhole {
			return nil, status.Errorf(codes.ResourceExhausted, "a message is longer than %d bytes", maxWhole)
		}
	}
	if w.header == nil {
		return nil, status.Error(codes.InvalidArgument, "a message without header")
	}
	return w, nil
}

// reply receives a message, runs an operation on it and sends the result in
// chunks, one at least.
func (s *server) reply(op proto.Operation, stream grpc.BidiStreamingServer[proto.MessageChunk, proto.Chunk]) error {
	w, err := collect(stream.Recv)
	if err != nil {
		return err
	}
	out, err := s.do(nil, op, w)
	if err != nil {
		return err
	}
	for {
		n := min(len(out), maxChunk)
		if err := stream.Send(&proto.Chunk{Data: out[:n]}); err != nil {
			return err
		}
		if out = out[n:]; len(out) == 0 {
			return nil
		}
	}
}

// XOR implements the service.
func (s *server) XOR(stream grpc.BidiStreamingServer[proto.MessageChunk, proto.Chunk]) error {
	return s.reply(proto.Operation_OPERATION_XOR, stream)
}

// Seal implements the service.
func (s *server) Seal(stream grpc.BidiStreamingServer[proto.MessageChunk, proto.Chunk]) error {
	return s.reply(proto.Operation_OPERATION_SEAL, stream)
}

// Open implements the service.
func (s *server) Open(stream grpc.BidiStreamingServer[proto.MessageChunk, proto.Chunk]) error {
	return s.reply(proto.Operation_OPERATION_OPEN, stream)
}

// MAC implements the service.
func (s *server) MAC(stream grpc.BidiStreamingServer[proto.MessageChunk, proto.Chunk]) error {
	return s.reply(proto.Operation_OPERATION_MAC, stream)
}

// Batch implements the service.
func (s *server) Batch(_ context.Context, r *proto.BatchRequest) (*proto.BatchReply, error) {
	n := len(r.Operations)
	if n > maxBatch {
		return nil, status.Errorf(codes.ResourceExhausted, "%d messages in a batch, %d are possible", n, maxBatch)
	}
	if len(r.Keys) != n || len(r.Lengths) != 3*n {
		return nil, status.Errorf(codes.InvalidArgument, "%d operations, %d keys, %d lengths", n, len(r.Keys), len(r.Lengths))
	}
	reply := &proto.BatchReply{Lengths: make([]uint32, n), Content: make([]byte, 0, len(r.Content)+n*cipher.TagSize)}
	header := new(proto.Header)
	w := whole{header: header}
	rest := r.Content
	for i := range n {
		for part, into := range [3]*[]byte{&header.Nonce, &w.additional, &w.data} {
			length := r.Lengths[3*i+part]
			if uint64(length) > uint64(len(rest)) {
				return nil, status.Errorf(codes.InvalidArgument, "the content ends in message %d", i)
			}
			*into, rest = rest[:length:length], rest[length:]
		}
		header.Key = r.Keys[i]
		out, err := s.do(reply.Content, r.Operations[i], &w)
		if err != nil {
			reply.Failures = append(reply.Failures, &proto.BatchFailure{
				Index: uint32(i), Code: uint32(status.Code(err)), Text: status.Convert(err).Message()})
			continue
		}
		reply.Lengths[i] = uint32(len(out) - len(reply.Content))
		reply.Content = out
	}
	if len(rest) > 0 {
		return nil, status.Errorf(codes.InvalidArgument, "%d bytes of content too many", len(rest))
	}
	return reply, nil
}

// do runs an operation on a whole message and appends the result to dst.
func (s *server) do(dst []byte, op proto.Operation, w *whole) ([]byte, error) {
	s.mu.Lock()
	k := s.keys[w.header.GetKey()]
	s.mu.Unlock()
	if k == nil {
		return nil, status.Error(codes.NotFound, "no such key")
	}
	f := Function{k.algorithm, operationOf(op)}
	if !f.valid() {
		return nil, status.Errorf(codes.InvalidArgument, "%v is not an operation of %v", f.Operation, k.algorithm)
	}
	return k.do(dst, f, w)
}
