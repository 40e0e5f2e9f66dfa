package plugin

import (
	"context"
	"fmt"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/quarterround/quarterround/plugin/proto"
)

// protocolVersion is the version of quarterround.proto.
const protocolVersion = 1

// Handshake tells a plugin from other programs. It is no protection.
var Handshake = goplugin.HandshakeConfig{
	ProtocolVersion:  protocolVersion,
	MagicCookieKey:   "QUARTERROUND_PLUGIN",
	MagicCookieValue: "8a1f0c3e-quarter-round-kernels",
}

// serviceName is what the service is called in the sets of go-plugin.
const serviceName = "backend"

// Limits of one message on the wire, in bytes. gRPC itself would refuse more
// than 4 MiB.
const (
	maxChunk   = 1 << 20
	maxMessage = maxChunk + 64<<10
)

// Environment variables that the host sets besides those of go-plugin.
const (
	// hostPipeVariable is the number of the descriptor that reads end of file
	// when the host is gone.
	hostPipeVariable = "QUARTERROUND_HOST_PIPE"
	// socketVariable is go-plugin's, the folder for the socket.
	socketVariable = goplugin.EnvUnixSocketDir
)

// service makes both ends of the service for go-plugin.
type service struct {
	goplugin.NetRPCUnsupportedPlugin
	server proto.BackendServer // in the plugin
}

// GRPCServer implements go-plugin's GRPCPlugin in the plugin.
func (s *service) GRPCServer(_ *goplugin.GRPCBroker, server *grpc.Server) error {
	if s.server == nil {
		return fmt.Errorf("no backend to serve")
	}
	proto.RegisterBackendServer(server, s.server)
	return nil
}

// GRPCClient implements go-plugin's GRPCPlugin in the host.
func (s *service) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return proto.NewBackendClient(conn), nil
}

// pluginSets returns what is served or expected, by protocol version.
func pluginSets(server proto.BackendServer) map[int]goplugin.PluginSet {
	return map[int]goplugin.PluginSet{protocolVersion: {serviceName: &service{server: server}}}
}
