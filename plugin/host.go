package plugin

import (
	"context"
	"crypto/tls"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"

	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// A Config changes how a plugin is started. The zero value is right for most.
type Config struct {
	// SHA256 is the checksum that the file must have, 32 bytes; nil for none.
	// The file must not be writable by others: it is checked, then executed.
	SHA256 []byte
	// StartTimeout bounds the time to the handshake, 2 s if zero, and
	// CallTimeout that of each call, of at most 1 MiB, 2 s if zero.
	StartTimeout, CallTimeout time.Duration
	// Arguments are those of the program.
	Arguments []string
	// Environment lists the names of variables that the plugin gets besides
	// PATH, TMPDIR, XDG_RUNTIME_DIR and GODEBUG.
	Environment []string
	// TLS is used on the socket in place of certificates made for each start.
	// NoTLS leaves encryption out; the socket is in a folder of mode 0700.
	TLS   *tls.Config
	NoTLS bool
	// Logger gets what go-plugin and the plugin log; nil is standard error, from
	// level Warn up.
	Logger hclog.Logger
}

func (c *Config) withDefaults() *Config {
	full := Config{}
	if c != nil {
		full = *c
	}
	if full.StartTimeout == 0 {
		full.StartTimeout = 2 * time.Second
	}
	if full.CallTimeout == 0 {
		full.CallTimeout = 2 * time.Second
	}
	if full.Logger == nil {
		full.Logger = defaultLogger()
	}
	return &full
}

// defaultLogger leaves out what go-plugin says of the end of processes, which is
// in errors and in the report of a selection.
func defaultLogger() hclog.Logger {
	var noise hclog.ExcludeByMessage
	noise.Add("plugin failed to exit gracefully")
	noise.Add("plugin process exited")
	noise.Add("error closing client during Kill")
	return hclog.New(&hclog.LoggerOptions{Name: "plugin", Level: hclog.Warn, Output: os.Stderr, Exclude: noise.Exclude})
}

// A Plugin is a plugin at work. It is safe for concurrent use.
type Plugin struct {
	path        string
	config      *Config
	client      *goplugin.Client
	command     *exec.Cmd
	pipe        *os.File // its closing tells the plugin that the host is gone
	folder      string
	stderr      stderrLines
	calls       proto.BackendClient
	description *proto.Description
	process     registry.Process
	backend     *registry.Backend

	testing sync.Mutex
	passed  map[registry.Algorithm]bool // their self-test
}

// Open starts the program at path as a plugin and asks it what it can do. Errors
// are *Error. The plugin runs until Close or [Cleanup], or until this process
// ends.
func Open(ctx context.Context, path string, config *Config) (*Plugin, error) {
	p := &Plugin{path: path, config: config.withDefaults()}
	if err := p.open(ctx); err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

func (p *Plugin) open(ctx context.Context) error {
	if err := p.checkFile(); err != nil {
		return err
	}
	if err := p.start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, p.config.CallTimeout/2)
	defer cancel()
	description, err := p.calls.Describe(ctx, &proto.DescribeRequest{})
	if err != nil {
		stage, reason := explain(err)
		return p.errorf(stage, err, "Describe: %s", reason)
	}
	p.description = description
	return p.describe()
}

// start runs the program up to the handshake.
func (p *Plugin) start() error {
	folder, err := makeSocketFolder()
	p.folder = folder
	if err != nil {
		return p.errorf(StageStart, err, "%v", err)
	}
	program, err := filepath.Abs(p.path) // a bare name would be looked up in PATH
	if err != nil {
		return p.errorf(StageFile, err, "%v", err)
	}
	p.command = exec.Command(program, p.config.Arguments...)
	p.command.Env = p.environment()
	if err := p.holdPipe(); err != nil {
		return p.errorf(StageStart, err, "%v", err)
	}
	p.client = goplugin.NewClient(p.clientConfig())
	protocol, err := p.client.Client()
	p.closePluginEnd()
	if err != nil {
		p.client.Kill() // and read all that it wrote
		return p.explainStart(err)
	}
	raw, err := protocol.Dispense(serviceName)
	if err != nil {
		return p.errorf(StageStart, err, "%v", err)
	}
	p.calls = raw.(proto.BackendClient)
	return nil
}

func (p *Plugin) clientConfig() *goplugin.ClientConfig {
	config := &goplugin.ClientConfig{
		HandshakeConfig:  Handshake,
		VersionedPlugins: pluginSets(nil),
		Cmd:              p.command,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:         !p.config.NoTLS && p.config.TLS == nil,
		TLSConfig:        p.config.TLS,
		SkipHostEnv:      true,
		StartTimeout:     p.config.StartTimeout,
		Managed:          true,
		Logger:           p.config.Logger,
		Stderr:           &p.stderr,
		GRPCDialOptions:  dialOptions(),
	}
	if p.config.SHA256 != nil {
		config.SecureConfig = secureConfig(p.config.SHA256)
	}
	return config
}

// allowed are the variables that every plugin gets.
var allowed = []string{"PATH", "TMPDIR", "XDG_RUNTIME_DIR", "GODEBUG", "SYSTEMROOT"}

// environment returns the variables that the plugin gets. go-plugin adds its own.
func (p *Plugin) environment() []string {
	env := []string{socketVariable + "=" + p.folder}
	for _, names := range [][]string{allowed, p.config.Environment} {
		for _, name := range names {
			if value, ok := os.LookupEnv(name); ok {
				env = append(env, name+"="+value)
			}
		}
	}
	return env
}

// holdPipe gives the plugin one end of a pipe whose other end closes with this
// process, however it ends.
func (p *Plugin) holdPipe() error {
	if !inheritsFiles {
		return nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	p.pipe = write
	p.command.ExtraFiles = []*os.File{read}
	p.command.Env = append(p.command.Env, hostPipeVariable+"="+strconv.Itoa(3))
	return nil
}

// closePluginEnd closes this process's copy of the plugin's end.
func (p *Plugin) closePluginEnd() {
	for _, f := range p.command.ExtraFiles {
		f.Close()
	}
}

// Close ends the plugin. Kernels of it that are still called compute in this
// process.
func (p *Plugin) Close() {
	if p.process.Stage() == "" {
		p.process.Down(string(StageClosed))
		p.client.Kill() // asks it to end first
	}
	p.kill()
}

// kill ends the process, if it runs, without waiting for it, and removes its
// folder.
func (p *Plugin) kill() {
	if p.folder != "" {
		// The socket is connected to; what ends this process now leaves no file.
		os.RemoveAll(p.folder)
	}
	if p.client != nil {
		if p.command.Process != nil {
			p.command.Process.Kill()
		}
		p.client.Kill()
	}
	if p.pipe != nil {
		p.pipe.Close()
	}
	if p.folder != "" {
		os.RemoveAll(p.folder)
	}
}

// down takes the plugin out of use after a failure.
func (p *Plugin) down(stage Stage, reason string) {
	if p.process.Stage() == "" {
		if reason == reasonGone {
			reason += p.lastWords()
		}
		p.config.Logger.Warn("plugin is down", "path", p.path, "stage", stage, "reason", reason)
	}
	p.process.Down(string(stage) + ": " + reason)
	if p.command.Process != nil {
		p.command.Process.Kill()
	}
}

// lastWords waits for a process that is ending to be gone, no longer than a call
// may take, and returns what the Go runtime or a signal said of it, after a colon, if
// anything.
func (p *Plugin) lastWords() string {
	for begin := time.Now(); !p.client.Exited() && time.Since(begin) < p.config.CallTimeout; {
		time.Sleep(5 * time.Millisecond)
	}
	if _, line := p.stderr.fatalError(); line != "" {
		return ": " + oneLine(line)
	}
	return ""
}

// Backend returns the plugin's kernels, for registry.WithBackends.
func (p *Plugin) Backend() *registry.Backend { return p.backend }

// Stage returns at which stage the plugin failed, or the empty string while it is
// up.
func (p *Plugin) Stage() string { return p.process.Stage() }

// Path returns the program.
func (p *Plugin) Path() string { return p.path }

// Algorithms returns the names of the algorithms that NewKey takes.
func (p *Plugin) Algorithms() []string { return p.description.Algorithms }

// offers returns an error if a is none of Algorithms.
func (p *Plugin) offers(a registry.Algorithm) error {
	if slices.Contains(p.description.Algorithms, a.String()) {
		return nil
	}
	return p.errorf(StageCall, nil, "%v is not offered, or not allowed by the manifest; there is %s", a, strings.Join(p.description.Algorithms, ", "))
}

// algorithms returns those of them that this host knows.
func (p *Plugin) algorithms() []registry.Algorithm {
	var all []registry.Algorithm
	for _, name := range p.description.Algorithms {
		if a, ok := registry.ParseAlgorithm(name); ok {
			all = append(all, a)
		}
	}
	return all
}

// Cleanup ends all plugins. A program may defer it in main; plugins end without
// it too, as soon as they see that their host is gone.
func Cleanup() { closeAll(); goplugin.CleanupClients() }
