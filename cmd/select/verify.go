package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/quarterround/quarterround/registry"
	"github.com/quarterround/quarterround/registry/registrytest"
)

// A verification is the result of testing one backend.
type verification struct {
	Backend  string   `json:"backend"`
	Result   string   `json:"result"` // "passed", "failed" or "not run"
	Failures []string `json:"failures,omitempty"`
	// NotRun says for each kernel that cannot run here why.
	NotRun map[string]registry.Outcome `json:"not_run,omitempty"`
}

func newVerify(f *flags) *cobra.Command {
	var long bool
	c := &cobra.Command{
		Use:   "verify [BACKEND...]",
		Short: "Test every kernel that can run on this machine thoroughly",
		Long: "Runs the conformance suite that is meant for authors of backends over every\n" +
			"kernel that this CPU can run, or over the named backends.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return verify(cmd.OutOrStdout(), cmd.ErrOrStderr(), f, args, long)
		},
	}
	c.Flags().BoolVar(&long, "long", false, "all splits and more rounds: minutes instead of seconds")
	return c
}

func verify(w, progress io.Writer, f *flags, names []string, long bool) error {
	backends, err := chosenBackends(names)
	if err != nil {
		return err
	}
	sel, err := registry.Select()
	if err != nil {
		return err
	}
	states := statesOf(sel)
	var results []verification
	failed := false
	for _, b := range backends {
		v := verifyBackend(b, states, progressTo(progress), long)
		failed = failed || v.Result == "failed"
		results = append(results, v)
		if !f.json {
			printVerification(w, &v)
		}
	}
	if f.json {
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
			return nil, fmt.Errorf("there is no backend %q; select list shows what there is", name)
		}
	}
	return chosen, nil
}

// progressTo returns a function that shows progress on w if it is a terminal.
func progressTo(w io.Writer) func(registrytest.Event) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func(registrytest.Event) {}
	}
	return func(e registrytest.Event) {
		fmt.Fprintf(file, "\r\x1b[K%s/%s: %s", e.Backend, e.Kernel, e.Check)
	}
}

// verifyBackend tests what can run of b.
func verifyBackend(b *registry.Backend, states map[string]map[string]registry.Outcome, progress func(registrytest.Event), long bool) verification {
	v := verification{Backend: b.Name, Result: "not run", NotRun: map[string]registry.Outcome{}}
	var runnable []string
	for i := range b.Kernels {
		k := &b.Kernels[i]
		if o, out := cannotRun(states[b.Name+"/"+k.Name]); out {
			v.NotRun[k.Name] = o
		} else {
			runnable = append(runnable, k.Name)
		}
	}
	if len(runnable) == 0 {
		return v
	}
	options := []registrytest.Option{registrytest.Kernels(runnable...), registrytest.Progress(progress)}
	if long {
		options = append(options, registrytest.Long())
	}
	v.Result = "passed"
	for _, err := range registrytest.Check(b, options...) {
		v.Result = "failed"
		v.Failures = append(v.Failures, err.Error())
	}
	return v
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
	for kernel, o := range v.NotRun {
		fmt.Fprintf(w, "  %s: %v\n", kernel, o)
	}
}
