package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

// A verification is the result of testing one backend.
type verification struct {
	Backend  string   `json:"backend"`
	Result   string   `json:"result"` // "passed", "failed" or "not run"
	Failures []string `json:"failures,omitempty"`
	// Crashed are the kernels that ended the process they were tested in.
	Crashed map[string]registry.Outcome `json:"crashed,omitempty"`
	// NotRun says for each kernel that cannot run here why.
	NotRun map[string]registry.Outcome `json:"not_run,omitempty"`
}

func newVerify(f *flags) *cobra.Command {
	v := &verifier{f: f}
	c := &cobra.Command{
		Use:   "verify [BACKEND...]",
		Short: "Test every kernel that can run on this machine thoroughly",
		Long: "Runs the conformance suite that is meant for authors of backends over every\n" +
			"kernel that this CPU can run, or over the named backends, in processes of their\n" +
			"own: a kernel that crashes or hangs keeps no other from being tested.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if v.timeout <= 0 {
				return errNoTime
			}
			v.warnings = cmd.ErrOrStderr()
			v.progress = progressTo(cmd.ErrOrStderr())
			return v.verify(cmd.OutOrStdout(), args)
		},
	}
	c.Flags().BoolVar(&v.long, "long", false, "all splits and more rounds, which takes minutes")
	c.Flags().DurationVar(&v.timeout, "timeout", 2*time.Minute, "what a check may take before it counts as hanging;\nten times as much with --long")
	return c
}

// errNoTime is the error for a check that could only fail.
var errNoTime = errors.New("--timeout must be above 0, such as 30s or 2m")

// A verifier is one run of verify.
type verifier struct {
	f        *flags
	long     bool
	timeout  time.Duration
	warnings io.Writer
	progress func(registrytest.Event)
}

func (r *verifier) verify(w io.Writer, names []string) error {
	backends, err := chosenBackends(names)
	if err != nil {
		return err
	}
	states, err := untested()
	if err != nil {
		return err
	}
	var results []verification
	failed := false
	for _, b := range backends {
		v := r.backend(b, states)
		failed = failed || v.Result == "failed"
		results = append(results, v)
		if !r.f.json {
			printVerification(w, &v)
		}
	}
	if r.f.json {
		err := writeJSON(w, struct {
			Schema   int            `json:"schema"`
			Backends []verification `json:"backends"`
		}{schemaVersion, results})
		if err != nil {
			return err
		}
	}
	if failed {
		return errSelfTest
	}
	return nil
}

// chosenBackends returns the backends of these names, or all.
func chosenBackends(names []string) ([]*registry.Backend, error) {
	all := registry.Backends()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []*registry.Backend
	for _, name := range names {
		found := false
		for _, b := range all {
			if b.Name == name {
				chosen, found = append(chosen, b), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no backend %q; there are %s", name, strings.Join(backendNames(all), ", "))
		}
	}
	return chosen, nil
}

func backendNames(backends []*registry.Backend) []string {
	var names []string
	for _, b := range backends {
		names = append(names, b.Name)
	}
	return names
}

// progressTo returns a function that shows progress on w if it is a terminal.
func progressTo(w io.Writer) func(registrytest.Event) {
	file, ok := w.(*os.File)
	if !ok || !redraws(file) {
		return func(registrytest.Event) {}
	}
	return func(e registrytest.Event) {
		fmt.Fprintf(file, "\r\x1b[K%s/%s: %s", e.Backend, e.Kernel, e.Check)
	}
}

// backend tests what can run of b, in this process where no other can be started.
func (r *verifier) backend(b *registry.Backend, states map[string]map[string]registry.Outcome) verification {
	v := verification{Backend: b.Name, Result: "not run"}
	runnable, not := runnableKernels(b, states)
	v.NotRun = not
	if len(runnable) == 0 {
		return v
	}
	depth, patience := plugin.Suite, r.timeout
	if r.long {
		depth, patience = plugin.Long, 10*r.timeout
	}
	p := &probe{backend: b, depth: depth, patience: patience, event: func(kernel string, e plugin.CheckEvent) {
		r.progress(registrytest.Event{Backend: b.Name, Kernel: kernel, Check: e.Check})
		if e.Failure != "" {
			v.Failures = append(v.Failures, e.Failure)
		}
	}}
	var err error
	if v.Crashed, err = p.run(runnable); err != nil {
		fmt.Fprintf(r.warnings, "select: %s is tested in this process: %v\n", b.Name, err)
		v.Failures = r.here(b, runnable)
	}
	v.Result = "passed"
	if len(v.Failures)+len(v.Crashed) > 0 {
		v.Result = "failed"
	}
	return v
}

// here tests kernels in this process.
func (r *verifier) here(b *registry.Backend, kernels []string) (failures []string) {
	options := []registrytest.Option{registrytest.Kernels(kernels...), registrytest.Progress(r.progress)}
	if r.long {
		options = append(options, registrytest.Long())
	}
	for _, err := range registrytest.Check(b, options...) {
		failures = append(failures, err.Error())
	}
	return failures
}

// cannotRun reports whether a kernel is not compiled in or lacks what it needs.
func cannotRun(states map[string]registry.Outcome) (registry.Outcome, bool) {
	for _, o := range states {
		switch o.State {
		case registry.NotCompiled, registry.MissingFeature, registry.FeaturesUnknown, registry.WrongByteOrder:
			return o, true
		}
	}
	return registry.Outcome{}, false
}

func printVerification(w io.Writer, v *verification) {
	fmt.Fprintf(w, "%-14s %s\n", v.Backend, v.Result)
	for _, failure := range v.Failures {
		fmt.Fprintf(w, "  %s\n", failure)
	}
	for _, outcomes := range []map[string]registry.Outcome{v.Crashed, v.NotRun} {
		for _, kernel := range slices.Sorted(maps.Keys(outcomes)) {
			fmt.Fprintf(w, "  %s: %v\n", kernel, outcomes[kernel])
		}
	}
}
