package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

// serveBackend is the subcommand by which this program starts itself as a plugin
// of one of its own backends.
const serveBackend = "serve-backend"

func newServeBackend() *cobra.Command {
	return &cobra.Command{
		Use:    serveBackend + " BACKEND",
		Short:  "Serve a built-in backend to another process of this program",
		Args:   arguments(1, 1),
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			backends, err := chosenBackends(args)
			if err != nil {
				return err
			}
			plugin.ServeKernels(backends[0])
			return nil
		},
	}
}

// A probe tests the kernels of a backend in child processes: what crashes there
// does no harm here. A kernel that does takes its child with it, and the next ones
// get another.
type probe struct {
	backend  *registry.Backend
	depth    plugin.Depth
	patience time.Duration
	event    func(kernel string, e plugin.CheckEvent)
	child    *plugin.Plugin
}

// run tests kernels and returns those that crashed. The error says that no child
// could be started.
func (p *probe) run(kernels []string) (crashed map[string]registry.Outcome, err error) {
	crashed = map[string]registry.Outcome{}
	defer p.end()
	for _, kernel := range kernels {
		if err := p.start(); err != nil {
			return nil, err
		}
		err := p.child.Check(context.Background(), kernel, p.depth, p.patience, func(e plugin.CheckEvent) { p.event(kernel, e) })
		var crash *plugin.CrashError
		switch {
		case errors.As(err, &crash):
			crashed[kernel] = registry.Outcome{State: registry.Crashed, Detail: crash.Detail}
			p.end()
		case err != nil:
			return nil, err
		}
	}
	return crashed, nil
}

func (p *probe) start() error {
	if p.child != nil {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p.child, err = plugin.Open(context.Background(), self, &plugin.Config{
		Arguments: []string{serveBackend, p.backend.Name}, StartTimeout: 30 * time.Second, CallTimeout: 30 * time.Second,
		Logger: hclog.NewNullLogger(),
	})
	return err
}

func (p *probe) end() {
	if p.child != nil {
		p.child.Close()
		p.child = nil
	}
}

// unusable puts all built-in kernels through their self-test in child processes
// and returns what became of those that do not pass. warn is told where that was
// not possible.
func unusable(patience time.Duration, warn func(string)) (map[string]registry.Outcome, error) {
	states, err := untested()
	if err != nil {
		return nil, err
	}
	bad := map[string]registry.Outcome{}
	for _, b := range registry.Backends() {
		runnable, _ := runnableKernels(b, states)
		p := &probe{backend: b, depth: plugin.SelfTest, patience: patience, event: func(kernel string, e plugin.CheckEvent) {
			if e.Failure != "" {
				bad[b.Name+"/"+kernel] = registry.Outcome{State: registry.SelfTestFailed, Detail: e.Failure}
			}
		}}
		crashed, err := p.run(runnable)
		if err != nil {
			warn(fmt.Sprintf("%s: not tried in a process of its own: %v", b.Name, err))
		}
		for kernel, outcome := range crashed {
			bad[b.Name+"/"+kernel] = outcome
		}
	}
	return bad, nil
}

// untested returns what is known of every kernel before any has run.
func untested() (map[string]map[string]registry.Outcome, error) {
	sel, err := registry.Select(registry.WithOverride("mode=generic,profile=off"))
	if err != nil {
		return nil, err
	}
	return statesOf(sel), nil
}

// runnableKernels returns the kernels of b that can run here, and why the others
// cannot.
func runnableKernels(b *registry.Backend, states map[string]map[string]registry.Outcome) (runnable []string, not map[string]registry.Outcome) {
	not = map[string]registry.Outcome{}
	for i := range b.Kernels {
		k := &b.Kernels[i]
		if o, out := cannotRun(states[b.Name+"/"+k.Name]); out {
			not[k.Name] = o
		} else {
			runnable = append(runnable, k.Name)
		}
	}
	return runnable, not
}
