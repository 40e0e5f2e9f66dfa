package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

// An inspectedFunction is what was found out of a plugin's whole messages.
type inspectedFunction struct {
	Plugin   string `json:"plugin"`
	Function string `json:"function"`
	// Failure says what is wrong with it, and is empty if it passed its self-test.
	Failure string          `json:"failure,omitempty"`
	Costs   []*plugin.Costs `json:"costs,omitempty"`
	// BreakEven is the least of the lengths at which a message costs less through
	// the wire, in a call of its own or in a batch, than in this process; -1 if it
	// never does.
	BreakEven int `json:"break_even"`
}

// messageLengths are those of the messages that are timed.
var messageLengths = []int{64, 1 << 10, 64 << 10, 1 << 20}

// inspectFunctions tests and times all functions of a plugin.
func inspectFunctions(p *plugin.Plugin) (all []inspectedFunction, failed error) {
	selection, err := registry.Select(registry.WithOverride("mode=prior,profile=off"))
	if err != nil {
		return nil, err
	}
	for _, f := range p.Functions() {
		result := inspectedFunction{Plugin: p.Backend().Name, Function: f.String(), BreakEven: -1}
		if err := result.measure(p, f, selection); err != nil {
			result.Failure, failed = err.Error(), err
		}
		all = append(all, result)
	}
	return all, failed
}

func (r *inspectedFunction) measure(p *plugin.Plugin, f plugin.Function, selection *registry.Selection) error {
	for _, n := range messageLengths {
		c, err := p.Costs(context.Background(), f, n, selection)
		if err != nil {
			return err
		}
		r.Costs = append(r.Costs, c)
		faster := c.Single < c.Here || c.Batch > 0 && c.Batch < c.Here
		if faster && r.BreakEven < 0 {
			r.BreakEven = n
		}
	}
	return nil
}

// printFunctions prints a table for all functions of a plugin, times by message.
func printFunctions(w io.Writer, all []inspectedFunction) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s: whole messages, time of one\n", all[0].Plugin)
	t := newTable(w)
	t.AppendHeader(table.Row{"", "length", "alone", "batched", "no wire", "here", "faster"})
	t.SetColumnConfigs([]table.ColumnConfig{wrapped("", 22)})
	for _, r := range all {
		for i, c := range r.Costs {
			name, when := "", ""
			if i == 0 {
				name, when = r.Function, breakEvenText(r.BreakEven)
			}
			t.AppendRow(table.Row{name, formatLength(c.Length), timeText(c.Single), timeText(c.Batch), timeText(c.Inside), timeText(c.Here), when})
		}
	}
	t.Render()
	for _, r := range all {
		if r.Failure != "" {
			fmt.Fprintf(w, "%s: %s\n", r.Function, r.Failure)
		}
	}
}

func breakEvenText(n int) string {
	if n < 0 {
		return "never"
	}
	return "from " + formatLength(n)
}

// timeText formats a time to three digits.
func timeText(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// writeManifest prints the manifest of programs that are plugins.
func writeManifest(w io.Writer, all []*plugin.Plugin) error {
	manifest, err := plugin.NewManifest(all)
	if err != nil {
		return err
	}
	return writeJSON(w, manifest)
}
