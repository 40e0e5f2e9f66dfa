package plugin

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

// Check implements the service. A kernel that crashes ends this process, which is
// what the host is there to see.
func (s *server) Check(r *proto.CheckRequest, stream grpc.ServerStreamingServer[proto.CheckEvent]) error {
	k := s.kernels[r.Kernel]
	if k == nil {
		return status.Errorf(codes.NotFound, "no kernel %q", r.Kernel)
	}
	if r.Depth == proto.Depth_DEPTH_SELF_TEST {
		outcome := registry.SelfTest(k)
		return stream.Send(&proto.CheckEvent{Check: "self-test", Failure: outcome.Detail})
	}
	var failed error
	options := []registrytest.Option{registrytest.Kernels(k.Name), registrytest.Context(stream.Context()),
		registrytest.Progress(func(e registrytest.Event) {
			event := &proto.CheckEvent{Check: e.Check, Skipped: e.Skipped}
			if e.Err != nil {
				event.Failure = e.Err.Error()
			}
			if err := stream.Send(event); err != nil {
				failed = err
			}
		})}
	if r.Depth == proto.Depth_DEPTH_LONG {
		options = append(options, registrytest.Long())
	}
	registrytest.Check(s.backend, options...)
	return failed
}
