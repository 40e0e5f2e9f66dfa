package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/quarterround/quarterround/tools/cyclemodel/inorder"
	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// countLengths are the lengths in bytes for which instructions are counted.
var countLengths = []int{64, 1350, 16384}

// A count is executed instructions a byte, and of them those of NEON.
type count struct{ all, vector float64 }

// counts counts one call of the routine for each of countLengths.
func (l *lab) counts(r routine) ([]count, error) {
	var out []count
	for _, n := range countLengths {
		tr, err := l.tracer.Run(r.prog, r.name, "count", strconv.Itoa(roundUp(n, r.step)), "1")
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", r.name, r.arch.Name, err)
		}
		ops, err := inorder.Decode(tr)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", r.name, r.arch.Name, err)
		}
		vector := 0
		for _, i := range tr.Order {
			if ops[i].Vector() {
				vector++
			}
		}
		out = append(out, count{float64(len(tr.Order)) / float64(n), float64(vector) / float64(n)})
	}
	return out, nil
}

// recordFile holds the executed instructions of each assembly kernel in one
// call, as the last -record found them: what TestCounts compares with.
const recordFile = "testdata/counts.txt"

// recordLength is the length in bytes of that call, about.
const recordLength = 16384

// recorded returns the executed instructions of one call on recordLength bytes.
func (l *lab) recorded(r routine) (int, error) {
	tr, err := l.tracer.Run(r.prog, r.name, "count", strconv.Itoa(roundUp(recordLength, r.step)), "1")
	if err != nil {
		return 0, fmt.Errorf("%s on %s: %w", r.name, r.arch.Name, err)
	}
	return len(tr.Order), nil
}

// record writes recordFile below the folder of this command.
func (l *lab) record(dir string, o options) error {
	var kernels []routine
	for _, r := range l.chosen(o) {
		if r.asm {
			kernels = append(kernels, r)
		}
	}
	lines := make([]string, len(kernels))
	err := parallel(len(kernels), func(i int) error {
		n, err := l.recorded(kernels[i])
		lines[i] = fmt.Sprintf("%s %s %d\n", kernels[i].arch.Name, kernels[i].name, n)
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(lines)
	return os.WriteFile(filepath.Join(dir, recordFile), []byte(strings.Join(lines, "")), 0o666)
}

// printCounts prints executed instructions a byte. They show when a kernel got
// longer; they rank nothing: a NEON instruction is not worth a scalar one.
func (l *lab) printCounts(w io.Writer, o options) error {
	chosen := l.chosen(o)
	counts := make([][]count, len(chosen))
	err := parallel(len(chosen), func(i int) error {
		var err error
		counts[i], err = l.counts(chosen[i])
		return err
	})
	if err != nil {
		return err
	}
	for _, arch := range []*trace.Arch{trace.ARM, trace.ARM64} {
		fmt.Fprintf(w, "## %s, executed instructions per byte (of NEON)\n\n| %-34s |", archTitles[arch], "one call")
		for _, n := range countLengths {
			fmt.Fprintf(w, " %15s |", fmt.Sprintf("%d bytes", n))
		}
		fmt.Fprintf(w, "\n|:%s|%s\n", strings.Repeat("-", 35), strings.Repeat(strings.Repeat("-", 16)+":|", len(countLengths)))
		for i, r := range chosen {
			if r.arch != arch {
				continue
			}
			fmt.Fprintf(w, "| %-34s |", r.name)
			for _, c := range counts[i] {
				fmt.Fprintf(w, " %15s |", fmt.Sprintf("%.2f (%.2f)", c.all, c.vector))
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w)
	}
	return nil
}
