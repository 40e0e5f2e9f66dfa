package main

import (
	"fmt"

	"github.com/quarterround/quarterround/tools/cyclemodel/inorder"
	"github.com/quarterround/quarterround/tools/cyclemodel/mca"
	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// A cpuModel is one core and what models it.
type cpuModel struct {
	name   string
	model  string // "inorder" or llvm-mca's version and model
	trust  trust
	arch   *trace.Arch
	cycles func(*trace.Trace) (float64, error)
	// priorsFor are the names of internal/cpu for which the figures are taken:
	// the core itself, near relatives without a model of their own, and the
	// architecture for the core that stands for all others.
	priorsFor []string
}

// A trust says how far a model is off the published figures of references: from
// low to high, as parts of the published figure.
type trust struct {
	low, high float64
	note      string
}

// String returns the trust in words.
func (t trust) String() string {
	return fmt.Sprintf("%+.0f to %+.0f %%; %s", 100*t.low, 100*t.high, t.note)
}

var trusts = map[string]trust{
	"cortex-a5":   {-0.09, 0.01, "order right"},
	"cortex-a7":   {-0.11, 0.16, "order right but for near ties"},
	"cortex-a8":   {-0.14, 0.01, "order right but for near ties"},
	"cortex-a53":  {-0.03, 0.01, "order right"},
	"cortex-a9":   {-0.28, -0.12, "NEON kernels ordered right, scalar ones not; nothing to tell kernels apart that differ by less than 15 %"},
	"cortex-a57":  {-0.30, 0.01, "NEON against scalar right, ChaCha20 in 6+2 against 4+1 blocks wrong: the published order counts"},
	"neoverse-n1": {-0.12, 0, "stands for Cortex-A76, too"},
	"neoverse-v1": {-0.18, 0, "stands for Cortex-X1 and X2, too"},
}

var priorsFor = map[string][]string{
	"cortex-a5":   {"cortex-a5"},
	"cortex-a7":   {"cortex-a7", "arm"},
	"cortex-a8":   {"cortex-a8"},
	"cortex-a53":  {"cortex-a53"},
	"cortex-a9":   {"cortex-a9"},
	"cortex-a57":  {"cortex-a57", "cortex-a72"},
	"neoverse-n1": {"neoverse-n1", "cortex-a76", "arm64"},
	"neoverse-v1": {"neoverse-v1", "cortex-x1", "cortex-x2"},
}

// cpus are all models, by architecture and then from small cores to large.
var cpus = func() []cpuModel {
	var out []cpuModel
	for _, arch := range []*trace.Arch{trace.ARM, trace.ARM64} {
		for _, c := range inorder.CPUs {
			if c.Arch == arch {
				out = append(out, newCPU(c.Name, "inorder", arch, func(tr *trace.Trace) (float64, error) {
					ops, err := inorder.Decode(tr)
					return float64(c.Cycles(ops, tr.Order)), err
				}))
			}
		}
		for _, c := range mca.CPUs {
			if c.Arch == arch {
				out = append(out, newCPU(c.Name, mca.Tool, arch, c.Cycles))
			}
		}
	}
	return out
}()

func newCPU(name, model string, arch *trace.Arch, cycles func(*trace.Trace) (float64, error)) cpuModel {
	return cpuModel{name: name, model: model, trust: trusts[name], arch: arch, cycles: cycles, priorsFor: priorsFor[name]}
}
