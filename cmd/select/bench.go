package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quarterround/quarterround/internal/bench"
	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"
)

// benchFlags are those of select bench.
type benchFlags struct {
	*flags
	algorithm     string // one more besides the arguments
	only, without []string
	sizes         []string
	frequency     float64
	rounds        int
	batch, budget time.Duration
	all           bool
	csv, goBench  bool
	report        string
	peers         string
}

func newBench(f *flags) *cobra.Command {
	b := &benchFlags{flags: f}
	c := &cobra.Command{
		Use:   "bench [ALGORITHM...]",
		Short: "Time the plan, every backend and kernel, and other libraries",
		Long: "Times the plan (\"auto\") and every backend and kernel that can run here, at ten\n" +
			"lengths from 64 B to 1 MiB: whole messages, from the nonce on. Candidates take\n" +
			"turns in ten rounds; what is shown is the median and, as spread, half the\n" +
			"distance between the quartiles. Without ALGORITHM only the plan is printed;\n" +
			"--all prints the rest. Ctrl-C keeps what was measured.\n\n" +
			wrap("Algorithms: "+strings.Join(algorithmNames(), ", ")+".", 78),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := b.check(cmd); err != nil {
				return err
			}
			return runBench(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), b, args)
		},
	}
	c.Flags().StringSliceVar(&b.only, "only", nil, "backends, kernels or auto: what takes part;\nall if left out")
	c.Flags().StringSliceVar(&b.without, "without", nil, "backends or kernels to leave out, of plans\ntoo; 2core is short for neon2core")
	c.Flags().StringSliceVar(&b.sizes, "sizes", nil, "message lengths, in place of the usual ten:\n100 for 100 bytes, 64k, 1m")
	c.Flags().Float64VarP(&b.frequency, "frequency", "f", 0, "the CPU's clock in Hz, such as 1.4e9, to\ncount cycles by")
	c.Flags().IntVar(&b.rounds, "rounds", bench.Rounds, fmt.Sprintf("from %d to %d rounds", leastRounds, mostRounds))
	c.Flags().DurationVar(&b.batch, "batch", bench.Batch, "how long a sample lasts whose calls are\nshorter")
	c.Flags().DurationVar(&b.budget, "budget", bench.Budget, "time for everything; samples become shorter\nand fewer to keep it")
	c.Flags().BoolVar(&b.all, "all", false, "print every candidate")
	c.Flags().BoolVar(&b.csv, "csv", false, "print comma-separated values")
	c.Flags().BoolVar(&b.goBench, "benchstat", false, "print Go's benchmark format, a line a round")
	c.Flags().StringVar(&b.report, "report", "", "write the board report to this `file` as well")
	c.Flags().StringVar(&b.peers, "peers", "", "compare with golang.org/x/crypto, and with\nplugins from a `folder`, or from their source:\n--peers=peers")
	c.Flags().Lookup("peers").NoOptDefVal = inProcess
	c.Flags().BoolVar(&f.regret, "regret", false, "print by what factor the plan is slower than\nthe best kernel or pair of kernels, at forty\nlengths; takes a minute or so")
	c.Flags().StringVar(&b.algorithm, "algorithm", "", "like ALGORITHM, for one")
	return c
}

func runBench(ctx context.Context, stdout, stderr io.Writer, b *benchFlags, names []string) error {
	if b.algorithm != "" {
		names = append(names, b.algorithm)
	}
	algorithms, err := parseAlgorithms(names)
	if err != nil && b.peers == inProcess {
		return fmt.Errorf("%w; a folder of peers is named with an equals sign: --peers=FOLDER", err)
	}
	if err != nil {
		return err
	}
	if b.regret {
		return benchRegret(stdout, barOn(stderr), b.flags, algorithms)
	}
	b.all = b.all || len(names) > 0 || len(b.only) > 0
	interrupt, end := signal.NotifyContext(ctx, os.Interrupt)
	defer end()
	run, err := prepareBench(interrupt, stderr, b, algorithms)
	if err != nil {
		return err
	}
	run.Stop = func() bool { return interrupt.Err() != nil }
	run.Progress = newBar(stderr)
	cells, figures := run.Cells()
	fmt.Fprintf(stderr, "%d figures in %d cells, %d rounds: about %s\n", figures, cells, run.Rounds, formatDuration(run.Estimate()))
	run.Run()
	report := run.Report(cpu.Read(), time.Now())
	setClock(report, b.frequency)
	return errors.Join(writeBench(stdout, stderr, b, run, report), interrupted(interrupt), pluginFailures(run.Selection))
}

// newBar is barOn; tests put something else in its place.
var newBar = barOn

// errInterrupted makes the exit status tell that figures are missing.
var errInterrupted = errors.New("interrupted: only a part was measured")

func interrupted(ctx context.Context) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// parseAlgorithms returns the algorithms of these names, or all.
func parseAlgorithms(names []string) ([]registry.Algorithm, error) {
	if len(names) == 0 {
		return registry.Algorithms(), nil
	}
	var all []registry.Algorithm
	for _, name := range names {
		a, ok := registry.ParseAlgorithm(strings.ToLower(name))
		if !ok {
			return nil, fmt.Errorf("there is no algorithm %q; there are %s", name, strings.Join(algorithmNames(), ", "))
		}
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	return all, nil
}

// The numbers of rounds that can be asked for.
const leastRounds, mostRounds = 3, 1000000

// check returns an error for what cannot be asked for, and for a report that could
// not be written in the end.
func (b *benchFlags) check(cmd *cobra.Command) error {
	if b.regret {
		return onlyWith(cmd, "regret", "algorithm", "json")
	}
	if err := cmp.Or(notTogether(cmd, "csv", "benchstat", "json"), notTogether(cmd, "csv", "benchstat", "all")); err != nil {
		return err
	}
	if b.rounds < leastRounds || b.rounds > mostRounds {
		return fmt.Errorf("--rounds %d: must be from %d to %d", b.rounds, leastRounds, mostRounds)
	}
	if b.batch <= 0 {
		return fmt.Errorf("--batch %v: must be above 0, such as 500us", b.batch)
	}
	if err := checkBudget(b.budget); err != nil {
		return err
	}
	if b.report != "" {
		if err := board.CheckSave(b.report); err != nil {
			return err
		}
	}
	return checkFrequency(cmd, b.frequency)
}

func checkBudget(budget time.Duration) error {
	if budget <= 0 {
		return fmt.Errorf("--budget %v: must be above 0, such as 30s", budget)
	}
	return nil
}

// checkFrequency refuses what is no clock of a CPU in Hz, but in another unit.
func checkFrequency(cmd *cobra.Command, hz float64) error {
	if cmd.Flags().Changed("frequency") && !(hz >= 1e6 && hz <= 1e12) {
		return fmt.Errorf("--frequency %v: no clock of a CPU in Hz; 1.4e9 is 1.4 GHz", hz)
	}
	return nil
}

// selection returns the selection to measure, and the override it is made under.
func (b *benchFlags) selection() (sel *registry.Selection, override string, err error) {
	sel, err = registry.Auto()
	override = os.Getenv(registry.EnvironmentVariable)
	if err != nil || len(b.without) == 0 {
		return sel, override, err
	}
	override = strings.TrimPrefix(override+","+withoutWords(sel, b.without), ",")
	if sel, err = sel.Under(override); err != nil {
		err = fmt.Errorf("--without: %w", err)
	}
	return sel, override, err
}

// prepareBench makes the selection and lists what to measure.
func prepareBench(ctx context.Context, stderr io.Writer, b *benchFlags, algorithms []registry.Algorithm) (*bench.Bench, error) {
	lengths, err := parseSizes(b.sizes)
	if err != nil {
		return nil, err
	}
	sel, override, err := b.selection()
	if err != nil {
		return nil, err
	}
	clock := measure.Clock(measure.ThreadNow)
	if hasProcess(sel) {
		clock = measure.Now // the work is done by other processes
	}
	notes := pinStrongest(cpu.Read().Classes)
	peers, err := peersFrom(ctx, b.peers, clock, stderr)
	if err != nil {
		return nil, err
	}
	return bench.New(bench.Config{
		Peers: peers, Notes: notes,
		Selection: sel, Override: override, Algorithms: algorithms, Lengths: lengths, Only: b.only,
		Rounds: b.rounds, Batch: b.batch, Budget: b.budget, ClockHz: clockHz(b.frequency), Clock: clock,
	})
}

// withoutWords returns the words of an override that exclude backends or kernels.
// The end of a backend's name is enough.
func withoutWords(sel *registry.Selection, names []string) string {
	var words []string
	for _, name := range names {
		for _, backend := range sel.Backends() {
			if name != "" && strings.HasSuffix(backend.Name, name) {
				name = backend.Name
				break
			}
		}
		words = append(words, "-"+name)
	}
	return strings.Join(words, ",")
}

// pinStrongest binds this thread to the strongest cores where cores differ, and
// returns what to say about it. Plugins that are started afterwards inherit it.
func pinStrongest(classes []cpu.Class) (notes []string) {
	if len(classes) < 2 {
		return nil
	}
	strongest := strings.TrimSpace(classes[0].Model + " " + classes[0].CPUList())
	if _, err := cpu.PinThread(classes[0].CPUs); err != nil {
		return []string{fmt.Sprintf("the cores differ, and it is not known on which of them this ran: %v", err)}
	}
	return []string{"the cores differ; measured on the strongest: " + strongest}
}

func hasProcess(sel *registry.Selection) bool {
	return slices.ContainsFunc(sel.Backends(), func(b *registry.Backend) bool { return b.Process != nil })
}

// parseSizes returns message lengths, the usual ones if there are no words.
func parseSizes(words []string) ([]int, error) {
	if len(words) == 0 {
		return bench.Lengths, nil
	}
	var all []int
	for _, word := range words {
		n, err := parseLength(word, 1, 64<<20)
		if err != nil {
			return nil, fmt.Errorf("--sizes: %w", err)
		}
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

// clockHz returns the clock to count cycles by: that of the user, or the one that
// was found, 0 if none. A guest is told the rate of a counter, which is not it.
func clockHz(given float64) float64 {
	if id := cpu.Read(); given == 0 && id.Hypervisor == "" && id.Emulator == "" {
		return float64(id.ClockHz)
	}
	return given
}

// setClock notes in the report what cycles were counted by.
func setClock(r *board.Report, given float64) {
	r.Host.ClockHz = clockHz(given)
	switch {
	case given > 0:
		r.Host.ClockSource = "-f"
	case r.Host.ClockHz > 0:
		r.Host.ClockSource = r.Host.CPU.ClockSource
	}
}

// formatDuration formats a time to whole seconds: "35 s", "2 min 05 s".
func formatDuration(d time.Duration) string {
	seconds := int(math.Ceil(d.Seconds()))
	if seconds < 60 {
		return fmt.Sprintf("%d s", seconds)
	}
	return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
}
