// Package mca asks llvm-mca how many cycles an executed trace takes on
// out-of-order ARM cores.
//
// It hands llvm-mca no hand-cut loop but all executed instructions as one
// straight line, so that entry, transposition, XOR and loop control count. Loads
// hit the first level cache, branches are predicted, fetch is free.
package mca

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// Tool is the program that this package starts.
const Tool = "llvm-mca-19"

// A CPU is a core for which LLVM's scheduling model says something useful.
type CPU struct {
	Name  string // as in internal/cpu
	Arch  *trace.Arch
	Model string // what llvm-mca calls the model

	// MultiplyBusy, if not 0, is the least number of cycles that a 64-bit
	// multiplication occupies the integer multiplier, where LLVM's figure is
	// too low to be used.
	MultiplyBusy float64
}

// poly1305OnA57 is the published cost of scalar Poly1305 in base 2^64 on
// Cortex-A57 in cycles a byte (A. Polyakov, OpenSSL's poly1305-armv8), and
// multiplicationsA57 the multiplications in one block of 16 bytes of that code.
const (
	poly1305OnA57      = 2.70
	multiplicationsA57 = 10
)

// CPUs are the cores modelled by llvm-mca 19. Its models for A5, A7 and A8 do
// not exist; those of A53, A55 and Apple's cores are off by up to 250 % and not
// used; that of A15 is A9's.
//
// LLVM lets A57 and A72 start a 64-bit MUL or UMULH each cycle, which makes
// scalar Poly1305 twice as fast as it is. Here each occupies the multiplier for
// as long as reproduces the published figure: the cycles of a call are at least
// that many for each multiplication, whatever else is done meanwhile.
var CPUs = []*CPU{
	{Name: "cortex-a9", Arch: trace.ARM, Model: "cortex-a9"},
	{Name: "cortex-a57", Arch: trace.ARM64, Model: "cortex-a57", MultiplyBusy: poly1305OnA57 * 16 / multiplicationsA57},
	{Name: "neoverse-n1", Arch: trace.ARM64, Model: "neoverse-n1"},
	{Name: "neoverse-v1", Arch: trace.ARM64, Model: "neoverse-v1"},
}

var totalCycles = regexp.MustCompile(`Total Cycles:\s+(\d+)`)

// Cycles returns how long the CPU takes for the trace, from the dispatch of
// the first instruction to the retirement of the last.
func (c *CPU) Cycles(tr *trace.Trace) (float64, error) {
	text := assembly(tr)
	args := []string{"-mtriple=" + tr.Arch.Triple, "-mattr=" + tr.Arch.Attrs, "-mcpu=" + c.Model,
		"-iterations=1", "-all-views=0", "-summary-view", "-skip-unsupported-instructions=lack-sched", "-"}
	cycles, err := cached(args, text, func() (float64, error) { return run(args, text) })
	return max(cycles, c.MultiplyBusy*float64(multiplications(tr))), err
}

// run runs llvm-mca on assembly text.
func run(args []string, text []byte) (float64, error) {
	var stderr bytes.Buffer
	cmd := exec.Command(Tool, args...)
	cmd.Stdin = bytes.NewReader(text)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%.1000s", Tool, err, stderr.Bytes())
	}
	m := totalCycles.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("%s: no cycles in its output\n%.1000s", Tool, stderr.Bytes())
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// assembly writes the trace as one straight line.
func assembly(tr *trace.Trace) []byte {
	var b bytes.Buffer
	thumb := false
	for _, i := range tr.Order {
		in := &tr.Instructions[i]
		if in.Thumb != thumb {
			thumb = in.Thumb
			b.WriteString(map[bool]string{false: ".arm\n", true: ".thumb\n"}[thumb])
		}
		b.WriteString(in.Text)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// multiplications counts the executed 64-bit multiplications of a trace of
// arm64 code. A multiplication of 32-bit registers is none.
func multiplications(tr *trace.Trace) int {
	is := make([]bool, len(tr.Instructions))
	for i := range tr.Instructions {
		mnemonic, operands, _ := strings.Cut(tr.Instructions[i].Text, " ")
		switch mnemonic {
		case "mul", "madd", "msub", "mneg", "umulh", "smulh":
			is[i] = strings.HasPrefix(operands, "x")
		}
	}
	n := 0
	for _, i := range tr.Order {
		if is[i] {
			n++
		}
	}
	return n
}
