package plugin

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/quarterround/quarterround/registry"
)

func init() { registry.SetPluginHost(openNamed) }

// opened are the plugins that the word plugins= of an override started. They
// live as long as the process, once for each path.
var opened struct {
	sync.Mutex
	byPath map[string]*Plugin
}

// namedStart is the StartTimeout of a plugin that is asked for by name: who does that
// would rather wait on a busy machine than go without.
const namedStart = 10 * time.Second

// openNamed is the registry.PluginHost of this package.
func openNamed(paths []string) (backends []*registry.Backend, failures []string) {
	for _, path := range paths {
		plugins, errs := OpenAll(context.Background(), path, &Config{StartTimeout: namedStart})
		for _, err := range errs {
			failures = append(failures, err.Error())
		}
		for _, p := range plugins {
			if len(p.backend.Kernels) == 0 {
				failures = append(failures, p.errorf(StageDescribe, nil, "it does whole messages only, which no selection can use").Error())
				continue
			}
			backends = append(backends, p.backend)
		}
	}
	return backends, failures
}

// OpenAll starts the plugins at path: one program, or the folder of a manifest,
// whose names, checksums and algorithms must fit. One that fails does not keep
// the others from being started. A plugin that is open already is not started
// again.
func OpenAll(ctx context.Context, path string, config *Config) (plugins []*Plugin, errs []error) {
	entries, err := targets(path)
	if err != nil {
		return nil, []error{err}
	}
	for i := range entries {
		p, err := openEntry(ctx, &entries[i], config)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		plugins = append(plugins, p)
	}
	return plugins, errs
}

// openEntry starts one plugin, or returns the one that runs already.
func openEntry(ctx context.Context, e *ManifestEntry, config *Config) (*Plugin, error) {
	opened.Lock()
	defer opened.Unlock()
	if p := opened.byPath[e.File]; p != nil && p.Stage() == "" {
		return p, nil
	}
	full := *config.withDefaults()
	if e.SHA256 != "" {
		full.SHA256, _ = hex.DecodeString(e.SHA256) // the manifest has been checked
	}
	p, err := Open(ctx, e.File, &full)
	if err != nil {
		return nil, err
	}
	if err := p.restrict(e); err != nil {
		p.Close()
		return nil, err
	}
	if opened.byPath == nil {
		opened.byPath = map[string]*Plugin{}
	}
	opened.byPath[e.File] = p
	return p, nil
}

// restrict holds the plugin to its entry: the name, and the algorithms.
func (p *Plugin) restrict(e *ManifestEntry) error {
	if e.Name != "" && e.Name != p.backend.Name {
		return p.errorf(StageManifest, nil, "the manifest calls it %q, it calls itself %q", e.Name, p.backend.Name)
	}
	for _, name := range e.Algorithms {
		if !slices.Contains(p.description.Algorithms, name) {
			return p.errorf(StageManifest, nil, "the manifest promises %s, which it does not offer", name)
		}
	}
	if len(e.Algorithms) > 0 {
		p.description.Algorithms = slices.Clone(e.Algorithms)
		p.backend.Algorithms = p.algorithms()
	}
	return nil
}

// closeAll ends what openEntry started.
func closeAll() {
	opened.Lock()
	defer opened.Unlock()
	for path, p := range opened.byPath {
		p.Close()
		delete(opened.byPath, path)
	}
}

// String returns name and path.
func (p *Plugin) String() string { return fmt.Sprintf("%s (%s)", p.backend.Name, p.path) }
