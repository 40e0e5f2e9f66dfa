package main

import (
	"github.com/quarterround/quarterround/tools/cyclemodel/inorder"
	"github.com/quarterround/quarterround/tools/cyclemodel/mca"
	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// A cpuModel is one core and what models it.
type cpuModel struct {
	name   string
	model  string // "inorder" or llvm-mca's version and model
	trust  string // how far off, and what for
	arch   *trace.Arch
	cycles func(*trace.Trace) (float64, error)
	// priorsFor are the names of internal/cpu for which the figures are taken:
	// the core itself, near relatives without a model of their own, and the
	// architecture for the core that stands for all others.
	priorsFor []string
}

// trust says by CPU how far the model is from published figures.
var trust = map[string]string{
	"cortex-a5":   "0–8 % off; order right",
	"cortex-a7":   "1–15 % off; order right but for near ties",
	"cortex-a8":   "1–15 % off; order right but for near ties",
	"cortex-a53":  "0–3 % off; order right",
	"cortex-a9":   "5–27 % fast; NEON kernels ordered right, scalar ones not",
	"cortex-a57":  "NEON 12–29 % fast; NEON against scalar right, ChaCha 6+2 against 4+1 wrong; multiplications charged by the published scalar Poly1305",
	"neoverse-n1": "3–11 % fast; stands for Cortex-A76",
	"neoverse-v1": "6–17 % fast; stands for Cortex-X1 and X2",
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
	return cpuModel{name: name, model: model, trust: trust[name], arch: arch, cycles: cycles, priorsFor: priorsFor[name]}
}
