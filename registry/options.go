package registry

import (
	"os"
	"slices"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
)

// An Option changes how a selection is made.
type Option func(*options)

// options are the inputs of a selection.
type options struct {
	override    string
	includeLate bool
	notes       []string
	known       map[string]Outcome
	backends    []*Backend // besides those that are registered
	// pluginFailures says of plugins why they cannot be used.
	pluginFailures []string
	// detect and identify tell of the CPU, clock the time. Tests put others in
	// their place.
	detect   func() cpu.Detection
	identify func() cpu.Identity
	clock    measure.Clock
}

// WithOverride makes the selection follow the words of override, in the grammar
// of EnvironmentVariable. The environment is not looked at.
func WithOverride(override string) Option {
	return func(o *options) { o.override = override }
}

// newOptions applies opts to what holds without any.
func newOptions(opts []Option) *options {
	o := &options{includeLate: true, detect: detectEven, identify: cpu.ReadWithoutClocks, clock: measure.Now}
	for _, opt := range opts {
		opt(o)
	}
	return o
}

// fromEnvironment returns an option that takes the override from the
// environment. A program that runs with more rights than its user ignores it,
// because the user must not choose what runs there.
func fromEnvironment() Option {
	return func(o *options) {
		value := os.Getenv(EnvironmentVariable)
		if value != "" && cpu.Setuid() {
			o.notes = append(o.notes, EnvironmentVariable+" is ignored: the program runs with more rights than its user")
			return
		}
		o.override = value
	}
}

// detectEven returns the features that every core has.
func detectEven() cpu.Detection {
	d := cpu.Detect()
	d.Features = d.Features.Without(cpu.ReadWithoutClocks().Uneven...)
	return d
}

// modelsOf returns the models of the machine's cores by which priors are looked
// up, the strongest first. A model that is not known is left out: the priors for
// any CPU come last.
func modelsOf(id cpu.Identity) []string {
	var models []string
	if id.GOARCH != "arm" || len(id.Classes) == 0 {
		models = append(models, id.Model)
	}
	for _, class := range id.Classes {
		models = append(models, modelOf(id.GOARCH, class))
	}
	return slices.DeleteFunc(models, func(m string) bool { return m == "" })
}

// modelOf returns the model of a class of core for a program of this GOARCH. A
// 32-bit program does not run the code that the priors of a 64-bit core are for.
func modelOf(goarch string, class cpu.Class) string {
	if goarch == "arm" && class.Is64Bit() {
		return class.Model + "-arm32"
	}
	return class.Model
}
