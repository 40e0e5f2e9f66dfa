package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/quarterround/quarterround/internal/bench"
	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

// inProcess is the value of --peers without a folder.
const inProcess = "x/crypto"

// peerPlugins are the programs that module peers builds, golang.org/x/crypto left
// out, which is in this process.
var peerPlugins = []string{"openssl", "libsodium", "nettle", "libgcrypt"}

// peersFrom returns the peers that --peers asks for: golang.org/x/crypto, and the
// plugins in a folder, which are built first if it is that of their source. What
// is missing is said on stderr.
func peersFrom(ctx context.Context, folder string, clock measure.Clock, stderr io.Writer) ([]*bench.Peer, error) {
	if folder == "" {
		return nil, nil
	}
	xcrypto := bench.XCrypto(clock)
	xcrypto.Source = versionOf("golang.org/x/crypto")
	peers := []*bench.Peer{xcrypto}
	if folder == inProcess {
		fmt.Fprintln(stderr, "peers: golang.org/x/crypto alone; --peers=FOLDER has OpenSSL, libsodium, nettle\n"+
			"and libgcrypt as well, from plugins, or from their source in the folder peers")
		return peers, nil
	}
	built, remove, err := buildPeers(ctx, folder, stderr)
	if err != nil {
		return nil, err
	}
	defer remove() // of programs that run already
	for _, name := range peerPlugins {
		p, err := plugin.Open(ctx, filepath.Join(built, name), slowPlugins)
		if err != nil {
			fmt.Fprintf(stderr, "peers: without %s: %v\n", name, err)
			continue
		}
		peers = append(peers, pluginPeer(name, p))
	}
	return peers, nil
}

// versionOf returns a module of this program with its version.
func versionOf(module string) string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, m := range info.Deps {
			if m.Path == module {
				return module + " " + m.Version
			}
		}
	}
	return module
}

// buildPeers builds the plugins if a folder is that of their source, and returns
// the folder in which they are.
func buildPeers(ctx context.Context, folder string, stderr io.Writer) (built string, remove func(), err error) {
	if info, err := os.Stat(folder); err != nil {
		return "", nil, fmt.Errorf("--peers: %w", err)
	} else if !info.IsDir() {
		return "", nil, fmt.Errorf("--peers: %s is not a folder", folder)
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); errors.Is(err, os.ErrNotExist) {
		return folder, func() {}, nil
	}
	built, err = os.MkdirTemp("", "quarterround-peers-")
	if err != nil {
		return "", nil, fmt.Errorf("--peers: no folder to build the plugins in: %w; TMPDIR says where to make one", err)
	}
	remove = func() { os.RemoveAll(built) }
	fmt.Fprintln(stderr, "building the plugins of", folder)
	build := exec.CommandContext(ctx, "go", "build", "-C", folder, "-o", built+string(os.PathSeparator), "./plugins/...")
	build.Stderr = stderr
	if err := build.Run(); err != nil {
		remove()
		return "", nil, fmt.Errorf("--peers: go build in %s: %w", folder, err)
	}
	return built, remove, nil
}

// pluginPeer lets a plugin be timed, in its own process.
func pluginPeer(name string, p *plugin.Plugin) *bench.Peer {
	functions := p.Functions()
	return &bench.Peer{
		Name: name, Source: p.Backend().Doc,
		Has: func(a registry.Algorithm, mode string) bool {
			return mode != board.SetUp && slices.Contains(functions, functionOf(a, mode))
		},
		Timer: func(a registry.Algorithm, mode string, in *bench.Input) (measure.Timer, error) {
			timing := plugin.Timing{Function: functionOf(a, mode), Length: in.Length, Rounds: 1}
			return func(calls int) (time.Duration, error) {
				timing.Messages = calls
				times, err := p.Measure(context.Background(), timing)
				if err != nil {
					return 0, err
				}
				return times[0], nil
			}, nil
		},
	}
}

// functionOf returns what a plugin calls an algorithm in a mode.
func functionOf(a registry.Algorithm, mode string) plugin.Function {
	all := plugin.FunctionsOf(a)
	if mode == board.Decrypt {
		return all[len(all)-1]
	}
	return all[0]
}
