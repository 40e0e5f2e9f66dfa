package plugin

import (
	"fmt"
	"os"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"

	_ "github.com/quarterround/quarterround/backends/generic"
	"github.com/quarterround/quarterround/registry"
)

// Serve makes this process a plugin that offers the kernels of backend and, on
// top of them, whole algorithms. It is all that main does, and it does not
// return: the process ends when the host wants it to or is gone. A program that
// was not started by a host says so and exits with status 1.
//
// Standard output belongs to the protocol: what is printed is sent to standard
// error instead, which the host logs. Log to standard error; github.com/hashicorp/go-hclog
// with JSONFormat keeps levels. Never log keys, nonces or data.
func Serve(backend *registry.Backend) {
	serveOrExit(func() (*server, error) { return newServer(backend) })
}

// ServeKernels is like [Serve], but offers no whole algorithms and runs no kernel
// unasked: for backends that are to be examined and may crash.
func ServeKernels(backend *registry.Backend) {
	serveOrExit(func() (*server, error) { return newKernelServer(backend) })
}

// serveOrExit serves until the host is gone.
func serveOrExit(newServer func() (*server, error)) {
	logger := hclog.New(&hclog.LoggerOptions{Name: "quarterround", Level: hclog.Info, Output: os.Stderr, JSONFormat: true})
	server, err := newServer()
	if err != nil {
		logger.Error("the backend cannot be served", "error", err)
		fmt.Fprintf(os.Stderr, "plugin: %v\n", err)
		os.Exit(1)
	}
	if startedByHost() {
		exitWithHost()
	}
	os.Stdout = handshakeOutput
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  Handshake,
		VersionedPlugins: pluginSets(server),
		GRPCServer:       newGRPCServer,
		Logger:           logger,
	})
	removeSocketFolder(os.Getenv(socketVariable))
	os.Exit(0)
}
