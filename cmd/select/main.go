// Command select prints which kernels Quarterround chooses on this machine for
// each algorithm and message length, and why; and it tests them.
//
// Exit status: 0 fine, 1 wrong usage or another error, 2 the override in the
// environment cannot be honoured, 3 a self-test failed, 4 a plugin failed.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/plugin"
	"github.com/quarterround/quarterround/registry"
)

// The exit statuses.
const (
	exitFine     = 0
	exitUsage    = 1
	exitOverride = 2
	exitSelfTest = 3
	exitPlugin   = 4
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run executes the command and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	printed := &printer{w: stdout}
	root.SetOut(printed)
	root.SetErr(stderr)
	defer plugin.Cleanup()
	err := cmp.Or(root.Execute(), printed.err)
	if err != nil {
		fmt.Fprintf(stderr, "select: %v\n", err)
	}
	return exitStatus(err)
}

// A printer is standard output, and keeps the first error of writing to it: most of
// what prints has no other use for one.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) Write(text []byte) (int, error) {
	n, err := p.w.Write(text)
	p.err = cmp.Or(p.err, err)
	return n, err
}

// errSelfTest is returned when a kernel fails its tests.
var errSelfTest = errors.New("a kernel failed its self-test")

// exitStatus returns the status that err stands for.
func exitStatus(err error) int {
	var override *registry.OverrideError
	var failed *plugin.Error
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &override):
		return exitOverride
	case errors.As(err, &failed) || errors.Is(err, errPlugin):
		return exitPlugin
	case errors.Is(err, errSelfTest):
		return exitSelfTest
	}
	return exitUsage
}

// flags are what all subcommands share.
type flags struct {
	json   bool
	cpu    string // a board of internal/published, empty for this machine
	regret bool
	why    bool
}

func newRoot() *cobra.Command {
	f := &flags{}
	root := &cobra.Command{
		Use:   "select",
		Short: "Show which kernels are chosen on this machine, and why",
		Long: "Shows which kernels are chosen on this machine for each algorithm and message\n" +
			"length, and why. The environment variable " + registry.EnvironmentVariable + " chooses something else.",
		Args:          subcommandsOnly,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(notTogether(cmd, "cpu", "regret"), notTogether(cmd, "why", "regret")); err != nil {
				return err
			}
			switch {
			case cmd.Flags().Changed("cpu"):
				noteOverride(cmd.ErrOrStderr())
				return showReplay(cmd.OutOrStdout(), f, "")
			case f.regret:
				return showRegret(cmd.OutOrStdout(), f)
			}
			return showSelection(cmd.OutOrStdout(), f)
		},
	}
	root.Flags().BoolVar(&f.regret, "regret", false, "compare with the widest features and with each\nbackend alone")
	root.Flags().BoolVar(&f.why, "why", false, "say of every kernel that lost by how much, or why it\ncannot run")
	addCPU(root, f)
	root.SetFlagErrorFunc(wrongFlag)
	root.PersistentFlags().BoolVar(&f.json, "json", false, "print JSON")
	root.AddCommand(newList(f), newExplain(f), newVerify(f), newCalibrate(f), newBench(f), newStability(f), newPlugins(f), newServeBackend(), newCompare(f), newChart(f), newReport(f))
	return root
}
