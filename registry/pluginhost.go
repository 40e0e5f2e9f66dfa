package registry

import (
	"fmt"
	"slices"
	"sync"
)

// A PluginHost starts the plugins at paths, which come from the word plugins= of
// an override, and returns their backends, and one line for each that cannot be
// used.
type PluginHost func(paths []string) (backends []*Backend, failures []string)

var pluginHost struct {
	sync.Mutex
	open PluginHost
}

// SetPluginHost makes the word plugins= work in this program. Package plugin calls
// it when it is imported; a second call panics.
func SetPluginHost(open PluginHost) {
	pluginHost.Lock()
	defer pluginHost.Unlock()
	if pluginHost.open != nil {
		panic("registry: SetPluginHost is called twice")
	}
	pluginHost.open = open
}

// WithBackends adds backends to those that are registered, for this selection
// only: those of plugins, for instance. A malformed backend, or one with a name
// that is taken, is an error of Select.
func WithBackends(backends ...*Backend) Option {
	return func(o *options) { o.backends = append(o.backends, backends...) }
}

// addBackends returns the registered backends with those that the options and
// the words of the override bring.
func (o *options) addBackends(registered []*Backend, words []word) ([]*Backend, error) {
	all := slices.Clone(registered)
	for _, b := range o.backends {
		if err := validate(b); err != nil {
			return nil, fmt.Errorf("registry: %w", err)
		}
		if slices.Contains(all, b) {
			continue
		}
		if nameTaken(all, b.Name) {
			return nil, fmt.Errorf("registry: a backend named %q is registered already", b.Name)
		}
		all = append(all, b)
	}
	for i := len(words) - 1; i >= 0; i-- {
		if words[i].verb == verbPlugins {
			return o.addPlugins(all, &words[i])
		}
	}
	return sortedByName(all), nil
}

// addPlugins adds the backends of the plugins that w names. A plugin that cannot
// be used is a failure to report: the others, and what is built in, still work.
func (o *options) addPlugins(all []*Backend, w *word) ([]*Backend, error) {
	pluginHost.Lock()
	open := pluginHost.open
	pluginHost.Unlock()
	if open == nil {
		return nil, w.errorf(ErrNoPluginHost, nil, "plugins work only in programs that import the package plugin")
	}
	backends, failures := open(w.pluginsPaths)
	o.pluginFailures = append(o.pluginFailures, failures...)
	for _, b := range backends {
		if err := validate(b); err != nil {
			o.pluginFailures = append(o.pluginFailures, fmt.Sprintf("plugin left out: %v", err))
			continue
		}
		if nameTaken(all, b.Name) {
			o.pluginFailures = append(o.pluginFailures, fmt.Sprintf("plugin left out: a backend named %q is registered already", b.Name))
			continue
		}
		all = append(all, b)
	}
	return sortedByName(all), nil
}

// Backends returns the backends the selection was made from, by name, those of
// plugins included, and those that were registered too late for it.
func (sel *Selection) Backends() []*Backend {
	return sortedByName(slices.Concat(sel.selector.backends, sel.selector.late))
}

// PluginFailures returns one line for each plugin that the override names and
// that could not be used.
func (sel *Selection) PluginFailures() []string { return slices.Clone(sel.selector.pluginFailures) }

func nameTaken(all []*Backend, name string) bool {
	return slices.ContainsFunc(all, func(b *Backend) bool { return b.Name == name })
}

// ValidateBackend returns an error that says what is malformed in b, as Register
// would in its panic.
func ValidateBackend(b *Backend) error { return validate(b) }
