package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

// errPlugin is returned when one plugin of several cannot be used.
var errPlugin = errors.New("a plugin cannot be used")

func newPlugins(f *flags) *cobra.Command {
	plugins := &cobra.Command{
		Use:   "plugins",
		Short: "Inspect backends in other processes",
		Long: "Inspects backends in other processes. PATH is a program, or a folder with\n" +
			plugin.ManifestName + ".",
		Args: subcommandsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	plugins.AddCommand(&cobra.Command{
		Use:   "list PATH...",
		Short: "Start plugins and list what they offer",
		Args:  arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlugins(cmd, args, func(all []*plugin.Plugin) error { return listPlugins(cmd.OutOrStdout(), all, f) })
		},
	}, &cobra.Command{
		Use:   "inspect PATH",
		Short: "Test and time a plugin, and say from which length on it pays",
		Long: "Says what a plugin offers, runs the self-test of its kernels and of its whole\n" +
			"messages through the wire and the conformance suite in the plugin, and times\n" +
			"them: alone, in a batch of 64, in the plugin without the wire, and here by this\n" +
			"program's own kernels.",
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlugins(cmd, args, func(all []*plugin.Plugin) error { return inspectPlugins(cmd.OutOrStdout(), all, f) })
		},
	}, &cobra.Command{
		Use:   "manifest PATH...",
		Short: "Print a manifest that allows these programs as they are",
		Args:  arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlugins(cmd, args, func(all []*plugin.Plugin) error { return writeManifest(cmd.OutOrStdout(), all) })
		},
	}, &cobra.Command{
		Use:   "run PATH ALGORITHM",
		Short: "Encrypt standard input under a key and nonce of zeros",
		Args:  arguments(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.json {
				return errors.New("--json: what comes out is the ciphertext itself")
			}
			return withPlugins(cmd, args[:1], func(all []*plugin.Plugin) error {
				return runPlugin(cmd.OutOrStdout(), cmd.InOrStdin(), all[0], args[1])
			})
		},
	})
	return plugins
}

// slowPlugins has room for starts and calls that take long on small boards and busy
// machines.
var slowPlugins = &plugin.Config{StartTimeout: 10 * time.Second, CallTimeout: 20 * time.Second}

// withPlugins starts the plugins at paths, does what is to be done with those
// that work, and ends them. Those that fail are told of, one line each.
func withPlugins(cmd *cobra.Command, paths []string, do func([]*plugin.Plugin) error) error {
	defer plugin.Cleanup()
	var good []*plugin.Plugin
	var failures []error
	for _, path := range paths {
		plugins, errs := plugin.OpenAll(context.Background(), path, slowPlugins)
		good = append(good, plugins...)
		failures = append(failures, errs...)
	}
	if len(good) > 0 {
		if err := do(good); err != nil {
			return err
		}
	}
	if len(failures) == 0 {
		return nil
	}
	for _, err := range failures[1:] {
		fmt.Fprintf(cmd.ErrOrStderr(), "select: %v\n", err)
	}
	return failures[0]
}

// pluginFailures returns an error if a plugin that the override names cannot be
// used. What there is to print has been printed.
func pluginFailures(sel *registry.Selection) error {
	failures := sel.PluginFailures()
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", errPlugin, strings.Join(failures, "; "))
}

// A listedPlugin is a plugin in the output of list.
type listedPlugin struct {
	Name       string   `json:"name"`
	Path       string   `json:"path"`
	Doc        string   `json:"doc"`
	Algorithms []string `json:"algorithms"`
	Kernels    []string `json:"kernels"`
}

func listPlugins(w io.Writer, all []*plugin.Plugin, f *flags) error {
	var listed []listedPlugin
	for _, p := range all {
		b := p.Backend()
		l := listedPlugin{Name: b.Name, Path: p.Path(), Doc: b.Doc, Algorithms: p.Algorithms()}
		for i := range b.Kernels {
			l.Kernels = append(l.Kernels, b.Kernels[i].Name)
		}
		listed = append(listed, l)
	}
	if f.json {
		return writeJSON(w, struct {
			Schema  int            `json:"schema"`
			Plugins []listedPlugin `json:"plugins"`
		}{schemaVersion, listed})
	}
	for _, l := range listed {
		kernels := cmp.Or(strings.Join(l.Kernels, " "), "none, whole messages only")
		fmt.Fprintf(w, "%s: %s\n  %s\n  kernels:    %s\n  algorithms: %s\n", l.Name, l.Doc, l.Path,
			indented(kernels), indented(strings.Join(l.Algorithms, " ")))
	}
	return nil
}

// indented breaks a text of words that stands 14 columns from the margin.
func indented(words string) string {
	return strings.ReplaceAll(text.WrapSoft(words, 64), "\n", "\n"+strings.Repeat(" ", 14))
}

// An inspectedKernel is what was found out of one kernel of a plugin.
type inspectedKernel struct {
	Kernel  string           `json:"kernel"`
	Outcome registry.Outcome `json:"outcome"`
	// Checks is how many checks of the conformance suite it passed inside the plugin,
	// and Failures says which it did not pass.
	Checks   int      `json:"checks"`
	Failures []string `json:"failures,omitempty"`
	// Nanoseconds are of one call of so many bytes.
	Nanoseconds map[int]float64 `json:"nanoseconds,omitempty"`
	// BreakEven is the length in bytes from which on a call takes less time than
	// the generic kernel, 0 if it never does.
	BreakEven int `json:"break_even"`
}

// inspectPlugins tests and times every kernel that can run.
func inspectPlugins(w io.Writer, all []*plugin.Plugin, f *flags) error {
	var failed error
	var inspected []inspectedKernel
	var functions [][]inspectedFunction
	for _, p := range all {
		kernels, err := inspect(p)
		failed = errors.Join(failed, err)
		inspected = append(inspected, kernels...)
		if p.Stage() != "" {
			continue
		}
		whole, err := inspectFunctions(p)
		failed = errors.Join(failed, err)
		functions = append(functions, whole)
	}
	if f.json {
		err := writeJSON(w, struct {
			Schema    int                 `json:"schema"`
			Kernels   []inspectedKernel   `json:"kernels"`
			Functions []inspectedFunction `json:"functions"`
		}{schemaVersion, inspected, slices.Concat(functions...)})
		return errors.Join(err, failed)
	}
	if err := listPlugins(w, all, f); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for i := range inspected {
		inspected[i].print(w)
	}
	for _, whole := range functions {
		printFunctions(w, whole)
	}
	return failed
}

// print prints what was found out of a kernel.
func (r *inspectedKernel) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", r.Kernel, outcomeText(r.Outcome))
	if r.Checks+len(r.Failures) > 0 {
		fmt.Fprintf(w, "  passes %d of %d checks of the conformance suite\n", r.Checks, r.Checks+len(r.Failures))
	}
	for _, failure := range r.Failures {
		fmt.Fprintf(w, "  %s\n", failure)
	}
	if len(r.Nanoseconds) == 0 {
		return
	}
	for _, n := range inspectedLengths {
		if ns, ok := r.Nanoseconds[n]; ok {
			fmt.Fprintf(w, "  %8d bytes  %12.0f ns\n", n, ns)
		}
	}
	if r.BreakEven > 0 {
		fmt.Fprintf(w, "  faster than generic from %d bytes on\n", r.BreakEven)
	} else {
		fmt.Fprintln(w, "  never faster than generic")
	}
}

// outcomeText says what became of a kernel that inspect has forced.
func outcomeText(o registry.Outcome) string {
	if o.State == registry.Forced {
		return "passes its self-test through the wire"
	}
	return o.String()
}

// inspectedLengths are multiples of every step.
var inspectedLengths = []int{2048, 16 << 10, 64 << 10, 1 << 20}

// inspect forces each kernel of p in turn, which self-tests it.
func inspect(p *plugin.Plugin) ([]inspectedKernel, error) {
	b := p.Backend()
	var all []inspectedKernel
	var failed error
	for i := range b.Kernels {
		k := &b.Kernels[i]
		name := b.Name + "/" + k.Name
		result := inspectedKernel{Kernel: name}
		sel, err := registry.Select(registry.WithBackends(b), registry.WithOverride("mode=prior,profile=off,?"+name))
		if err != nil {
			return all, err
		}
		result.Outcome = outcomeOf(sel, name)
		if result.Outcome.State == registry.Forced {
			result.measure(k)
			if err := result.check(p, k.Name); err != nil {
				failed = fmt.Errorf("%w: %s: %v", errPlugin, name, err)
			}
		}
		if stage := p.Stage(); stage != "" {
			// What was timed may have been computed here.
			result.Outcome, result.Nanoseconds = registry.Outcome{State: registry.PluginDown, Detail: stage}, nil
		}
		switch result.Outcome.State {
		case registry.SelfTestFailed, registry.Crashed, registry.PluginDown:
			failed = fmt.Errorf("%w: %s: %v", errPlugin, name, result.Outcome)
		}
		all = append(all, result)
	}
	return all, failed
}

// check puts a kernel through the conformance suite inside the plugin. Plugins in
// other languages may not have it.
func (r *inspectedKernel) check(p *plugin.Plugin, kernel string) error {
	err := p.Check(context.Background(), kernel, plugin.Suite, checkTimeout, func(e plugin.CheckEvent) {
		if e.Failure != "" {
			r.Failures = append(r.Failures, e.Failure)
		} else if e.Skipped == "" {
			r.Checks++
		}
	})
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err == nil && len(r.Failures) > 0 {
		err = errors.New(r.Failures[0])
	}
	return err
}

// checkTimeout is what a check may take before it counts as hanging.
const checkTimeout = 2 * time.Minute

// outcomeOf returns what became of a kernel in the first algorithm it works for.
func outcomeOf(sel *registry.Selection, name string) registry.Outcome {
	for _, a := range registry.Algorithms() {
		for _, c := range sel.Candidates(a) {
			if c.Name() == name {
				return c.Outcome
			}
		}
	}
	return registry.Outcome{State: registry.NotTested}
}

// measure times calls of k and of the generic kernel.
func (r *inspectedKernel) measure(k *registry.Kernel) {
	r.Nanoseconds = map[int]float64{}
	for _, n := range inspectedLengths {
		if n%k.Step() != 0 {
			continue
		}
		r.Nanoseconds[n] = fastest(k, n)
		if local := genericKernel(k); local != nil && r.BreakEven == 0 && r.Nanoseconds[n] < fastest(local, n) {
			r.BreakEven = n
		}
	}
}

// genericKernel returns the generic kernel that does the work of k, nil for
// fused kernels, of which there is none.
func genericKernel(k *registry.Kernel) *registry.Kernel {
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			if g := &b.Kernels[i]; b.Name == "generic" && g.Kind == k.Kind && g.Cipher == k.Cipher {
				return g
			}
		}
	}
	return nil
}

// fastest returns the nanoseconds of the fastest of a few calls.
func fastest(k *registry.Kernel, n int) float64 {
	data := make([]byte, n)
	var state [16]uint32
	var mac registry.MACState
	var powers registry.Powers
	if k.Setup != nil {
		k.Setup(&powers, &mac.R)
	}
	best := math.Inf(1)
	for range 5 {
		start := time.Now()
		switch k.Kind {
		case registry.KindStream:
			k.XOR(data, data, &state, 20)
		case registry.KindMAC:
			k.Absorb(&mac, &powers, data)
		case registry.KindFused:
			k.Seal(data, data, &state, &mac, &powers)
		}
		best = min(best, float64(time.Since(start).Nanoseconds()))
	}
	return best
}

// runPlugin encrypts with a stream cipher.
func runPlugin(w io.Writer, r io.Reader, p *plugin.Plugin, name string) error {
	a, ok := registry.ParseAlgorithm(name)
	if !ok || a.Cipher() == registry.NoCipher || a.IsAEAD() {
		return fmt.Errorf("%q is not a stream cipher", name)
	}
	ctx := context.Background()
	key, err := p.NewKey(ctx, a, make([]byte, 32))
	if err != nil {
		return err
	}
	size := plugin.Function{Algorithm: a, Operation: plugin.OperationXOR}.NonceSize()
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	out, err := key.XOR(ctx, make([]byte, size), 0, data)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}
