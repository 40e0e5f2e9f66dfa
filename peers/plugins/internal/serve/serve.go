// Package serve makes a program a plugin of Quarterround with the ciphers of a
// peer.
package serve

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/peers"
	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

// functions are what peers call the functions of a plugin.
var functions = map[string]plugin.Function{
	"chacha20":              {Algorithm: registry.ChaCha20, Operation: plugin.OperationXOR},
	"salsa20":               {Algorithm: registry.Salsa20, Operation: plugin.OperationXOR},
	"poly1305":              {Algorithm: registry.Poly1305, Operation: plugin.OperationMAC},
	"chacha20poly1305 seal": {Algorithm: registry.ChaCha20Poly1305, Operation: plugin.OperationSeal},
	"chacha20poly1305 open": {Algorithm: registry.ChaCha20Poly1305, Operation: plugin.OperationOpen},
	"secretbox seal":        {Algorithm: registry.XSalsa20Poly1305, Operation: plugin.OperationSeal},
	"secretbox open":        {Algorithm: registry.XSalsa20Poly1305, Operation: plugin.OperationOpen},
}

// Peer serves the library that package peers has under a name, or says what is
// missing and exits with status 1.
func Peer(name string) {
	all := append(peers.C(), peers.XCrypto())
	i := slices.IndexFunc(all, func(l *peers.Library) bool { return l.Name == name })
	if i < 0 {
		fail("there is no peer %q", name)
	}
	l := all[i]
	if l.Missing != "" {
		fail("%s is missing (Debian package %s)", l.Missing, l.Package)
	}
	plugin.ServeLibrary(library(l))
}

// library describes l to the plugin package.
func library(l *peers.Library) *plugin.Library {
	served := &plugin.Library{
		Name:      strings.ReplaceAll(strings.ToLower(l.Name), "/", ""),
		Doc:       strings.TrimSpace(l.Name + " " + strings.TrimPrefix(l.Version, l.Name+" ")),
		Functions: map[plugin.Function]plugin.NewMessage{},
	}
	for name, f := range functions {
		if !l.Has(name) {
			continue
		}
		served.Functions[f] = func(key *[32]byte) (plugin.MessageFunc, func(), error) {
			message, free, err := l.Bind(name, key)
			return plugin.MessageFunc(message), free, err
		}
	}
	return served
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}
