package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/registry"
)

// A listedKernel is a kernel in the output of list.
type listedKernel struct {
	Backend string `json:"backend"`
	Kernel  string `json:"kernel"`
	Kind    string `json:"kind"`
	// Process says that the kernel runs in another process, a plugin.
	Process  bool     `json:"process,omitempty"`
	Cipher   string   `json:"cipher"`
	Blocks   int      `json:"blocks"`
	Revision int      `json:"revision"`
	GOARCH   []string `json:"goarch,omitempty"`
	Features []string `json:"features,omitempty"`
	// States says what became of the kernel in each algorithm it could serve.
	States map[string]registry.Outcome `json:"states"`
}

func newList(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List every backend and kernel, with what it needs and its state",
		Args:  arguments(0, 0),
		RunE:  func(cmd *cobra.Command, _ []string) error { return list(cmd.OutOrStdout(), f) },
	}
}

func list(w io.Writer, f *flags) error {
	sel, err := registry.Auto()
	if err != nil {
		return err
	}
	states := statesOf(sel)
	var all []listedKernel
	for _, b := range sel.Backends() {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			all = append(all, listedKernel{Backend: b.Name, Kernel: k.Name, Kind: k.Kind.String(), Process: b.Process != nil, Cipher: k.Cipher.String(),
				Blocks: k.Blocks, Revision: k.Revision, GOARCH: k.GOARCH, Features: k.Features, States: states[b.Name+"/"+k.Name]})
		}
	}
	if f.json {
		return errors.Join(writeJSON(w, struct {
			Schema  int            `json:"schema"`
			Kernels []listedKernel `json:"kernels"`
		}{schemaVersion, all}), pluginFailures(sel))
	}
	printList(w, all)
	return pluginFailures(sel)
}

// statesOf returns, for each kernel, its outcome in each algorithm.
func statesOf(sel *registry.Selection) map[string]map[string]registry.Outcome {
	states := map[string]map[string]registry.Outcome{}
	for _, a := range registry.Algorithms() {
		for _, c := range sel.Candidates(a) {
			if states[c.Name()] == nil {
				states[c.Name()] = map[string]registry.Outcome{}
			}
			states[c.Name()][a.String()] = c.Outcome
		}
	}
	return states
}

func printList(w io.Writer, all []listedKernel) {
	t := newTable(w)
	t.AppendHeader(table.Row{"kernel", "kind", "needs", "state"})
	t.SetColumnConfigs([]table.ColumnConfig{wrapped("kind", 7), wrapped("needs", 10), wrapped("state", 26)})
	for _, k := range all {
		t.AppendRow(table.Row{k.Backend + "/" + k.Kernel, kindText(&k), strings.Join(needs(&k), " "), bestState(k.States)})
	}
	t.Render()
}

// kindText returns the kind of a kernel, and where it runs if not here.
func kindText(k *listedKernel) string {
	if k.Process {
		return k.Kind + ", process"
	}
	return k.Kind
}

// needs returns the features of a kernel, or else the architectures it is for.
func needs(k *listedKernel) []string {
	if len(k.Features) > 0 {
		return k.Features
	}
	return k.GOARCH
}

// bestState sums up the states of a kernel: where it is used, or else the one
// outcome that says most.
func bestState(states map[string]registry.Outcome) string {
	var used []string
	var other registry.Outcome
	for _, a := range registry.Algorithms() {
		o, ok := states[a.String()]
		if !ok {
			continue
		}
		if o.State == registry.Selected || o.State == registry.Forced {
			used = append(used, fmt.Sprintf("%s for %v", o.State, a))
		}
		if other.State == "" {
			other = o
		}
	}
	if len(used) > 1 {
		return fmt.Sprintf("%s and %d more", used[0], len(used)-1)
	}
	if len(used) == 1 {
		return used[0]
	}
	return other.String()
}
