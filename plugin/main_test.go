package plugin

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"golang.org/x/crypto/chacha20"

	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// The test program is its own plugin, and its own host where the host has to
// die: roleVariable says as what it was started.
const roleVariable = "QUARTERROUND_TEST_ROLE"

// atWork is the length of calls at which the bad kernels show what they are: no
// self-test makes one as long.
const atWork = 8 << 10

func init() {
	if os.Getenv(roleVariable) == "prints" {
		fmt.Println("printed before main")
	}
}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" && startedByHost() {
		playPlugin(role)
		os.Exit(0)
	} else if role != "" {
		playHost(role)
		os.Exit(0)
	}
	code := m.Run()
	Cleanup()
	os.Exit(code)
}

// playPlugin is main of the plugins.
func playPlugin(role string) {
	switch role {
	case "exits":
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Minute)
	case "writes":
		os.NewFile(1, "stdout").WriteString("hello from a plugin\n")
		time.Sleep(time.Minute)
	case "cookie":
		goplugin.Serve(&goplugin.ServeConfig{
			HandshakeConfig: goplugin.HandshakeConfig{ProtocolVersion: 1, MagicCookieKey: "OTHER", MagicCookieValue: "other"},
		})
	case "version":
		serve(role, map[int]goplugin.PluginSet{protocolVersion + 1: pluginSets(newTestServer(role))[protocolVersion]})
	case "short", "long":
		serve(role, pluginSets(newTestServer(role)))
	case "library":
		ServeLibrary(wrongLibrary())
	case "fast":
		Serve(fastBackend())
	default:
		Serve(testBackend(role))
	}
}

func serve(role string, sets map[int]goplugin.PluginSet) {
	exitWithHost()
	os.Stdout = handshakeOutput
	goplugin.Serve(&goplugin.ServeConfig{HandshakeConfig: Handshake, VersionedPlugins: sets, GRPCServer: newGRPCServer,
		Logger: hclog.NewNullLogger()})
}

// testServer answers with the wrong length when at work.
type testServer struct {
	*server
	extra int
}

func newTestServer(role string) *testServer {
	s, err := newServer(testBackend(role))
	if err != nil {
		panic(err)
	}
	if role == "short" {
		return &testServer{s, -1}
	}
	return &testServer{s, 1}
}

func (s *testServer) RunStream(ctx context.Context, c *proto.StreamCall) (*proto.StreamResult, error) {
	result, err := s.server.RunStream(ctx, c)
	if err == nil && len(result.Data) >= atWork {
		result.Data = append(result.Data, 0)[:len(result.Data)+s.extra]
	}
	return result, err
}

// testBackend is the generic routines under another name, with a fault.
func testBackend(role string) *registry.Backend {
	var calls atomic.Int64
	fault := func(dst []byte) {
		calls.Add(1)
		switch {
		case role == "wrong" && len(dst) > 513:
			dst[513] ^= 1
		case len(dst) < atWork:
		case role == "crashes":
			os.Exit(2)
		case role == "panics":
			panic("a bug")
		case role == "slow":
			time.Sleep(20 * time.Second)
		}
	}
	b := &registry.Backend{Name: "tested", Doc: "generic routines in another process", Kernels: []registry.Kernel{
		{Name: "chacha", Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 4,
			XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
				reference.XORChaCha(dst, src, state, rounds)
				fault(dst)
			}},
		{Name: "poly1305", Kind: registry.KindMAC, Blocks: 1,
			Absorb: func(state *registry.MACState, _ *registry.Powers, msg []byte) {
				reference.Poly1305(&state.H, &state.R, msg)
			}},
	}}
	if role == "feature" {
		for i := range b.Kernels {
			b.Kernels[i].Features = []string{"neon", "avx512f"} // no CPU has both
		}
	}
	return b
}

// wrongLibrary is ChaCha20 that is wrong past 513 bytes.
func wrongLibrary() *Library {
	return &Library{Name: "wrong", Functions: map[Function]NewMessage{
		{registry.ChaCha20, OperationXOR}: func(key *[32]byte) (MessageFunc, func(), error) {
			return func(dst, src, nonce []byte, times int) bool {
				for range times {
					c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce)
					if err != nil {
						return false
					}
					c.XORKeyStream(dst, src)
				}
				if len(dst) > 513 {
					dst[513] ^= 1
				}
				return true
			}, func() {}, nil
		},
	}}
}

// fastBackend has all kernels of this program, so that it is the wire that takes
// the time.
func fastBackend() *registry.Backend {
	fast := &registry.Backend{Name: "fast"}
	for _, b := range registry.Backends() {
		for _, k := range b.Kernels {
			k.Name = b.Name + "-" + k.Name
			fast.Kernels = append(fast.Kernels, k)
		}
	}
	return fast
}

// patient is a configuration that a busy machine does not break.
func patient() *Config {
	return &Config{StartTimeout: 30 * time.Second, CallTimeout: 30 * time.Second, Environment: []string{roleVariable},
		Logger: hclog.NewNullLogger()}
}

// program returns the path of this program.
func program(t testing.TB) string {
	t.Helper()
	if !inheritsFiles {
		testenv.Missing(t, "Unix, where processes are tested")
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// open starts this program as a plugin in a role.
func open(t testing.TB, role string, config *Config) *Plugin {
	t.Helper()
	t.Setenv(roleVariable, role)
	p, err := Open(context.Background(), program(t), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// startWatching starts this program as a child that has no pipe to watch its host
// by, passes on what it prints first, and ends.
func startWatching() {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), roleVariable+"=watches")
	out, err := child.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := child.Start(); err != nil {
		panic(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		panic(err)
	}
	fmt.Println(pid)
}

// playHost is main of the hosts that are to die.
func playHost(role string) {
	switch role {
	case "watches":
		exitWithHost()
		fmt.Println(os.Getpid())
		time.Sleep(time.Minute)
		return
	case "starts-watching":
		startWatching()
		return
	}
	os.Setenv(roleVariable, "good")
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	p, err := Open(context.Background(), path, patient())
	if err != nil {
		panic(err)
	}
	fmt.Println(p.command.Process.Pid, p.folder)
	if role == "host-panics" {
		panic("a bug of the host")
	}
	time.Sleep(time.Minute)
}
