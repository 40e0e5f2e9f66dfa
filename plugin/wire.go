package plugin

import (
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/mem"
	protobuf "google.golang.org/protobuf/proto"
)

// window is how many bytes may be under way to either side without being asked
// for: the longest message. gRPC begins with 64 KiB, and a message that is longer
// waits for an answer in its middle.
const window = 4 * maxMessage

// socketBuffer is how much is read from or written to the socket at a time.
const socketBuffer = 128 << 10

// buffers are gRPC's, in sizes that are powers of two from 256 bytes to 2 MiB.
// Those of gRPC itself jump from 32 KiB to 1 MiB, all of which is cleared for each
// message between.
var buffers = func() mem.BufferPool {
	pool, err := mem.NewBinaryTieredBufferPool(8, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)
	if err != nil {
		panic(err)
	}
	return pool
}()

// codec is that of gRPC for protocol buffers, with buffers of this package.
type codec struct{}

func (codec) Name() string { return "proto" }

func (codec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(protobuf.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", v)
	}
	size := protobuf.Size(m)
	buffer := buffers.Get(size)
	if _, err := (protobuf.MarshalOptions{UseCachedSize: true}).MarshalAppend((*buffer)[:0], m); err != nil {
		buffers.Put(buffer)
		return nil, err
	}
	return mem.BufferSlice{mem.NewBuffer(buffer, buffers)}, nil
}

func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(protobuf.Message)
	if !ok {
		return fmt.Errorf("%T is no message", v)
	}
	whole := data.MaterializeToBuffer(buffers)
	defer whole.Free()
	return protobuf.Unmarshal(whole.ReadOnlyData(), m)
}

// dialOptions are for the host's end of the socket.
func dialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window),
		grpc.WithReadBufferSize(socketBuffer), grpc.WithWriteBufferSize(socketBuffer), experimental.WithBufferPool(buffers),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{})),
	}
}

// newGRPCServer returns a server that takes messages of this protocol's size.
func newGRPCServer(options []grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(options, grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage),
		grpc.InitialWindowSize(window), grpc.InitialConnWindowSize(window),
		grpc.ReadBufferSize(socketBuffer), grpc.WriteBufferSize(socketBuffer), experimental.BufferPool(buffers),
		grpc.ForceServerCodecV2(codec{}))...)
}
