package bench

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/cpu"
)

// hostOf returns what a report says about the machine, the clock excepted.
func hostOf(id cpu.Identity, override string) board.Host {
	return board.Host{
		CPU: id, Features: cpu.Detect().Features.Names(), Kernel: kernelRelease(os.DirFS("/")),
		GoVersion: runtime.Version(), Override: override,
	}
}

// kernelRelease returns the release of Linux, empty elsewhere.
func kernelRelease(root fs.FS) string {
	text, err := fs.ReadFile(root, "proc/sys/kernel/osrelease")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// Limits above which the user is warned.
const (
	movingClock = 0.05 // of the spins between their ends, tenths cut off
	busyShare   = 0.9  // of a CPU that this thread gets
)

// warnings says what may have spoiled the figures.
func (b *Bench) warnings(id cpu.Identity) []string {
	all := slices.Clone(b.Notes)
	warn := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if id.Emulator != "" {
		warn("emulated by %s: the times say nothing about the CPU that it plays", id.Emulator)
	}
	if id.Governor != "" && id.Governor != "performance" {
		warn("the frequency governor is %q; with \"performance\" figures are steadier", id.Governor)
	}
	if share := float64(b.worked) / float64(max(1, b.spinning)); b.spinning > 0 && share < busyShare {
		warn("the machine was busy: this program got %.0f %% of a CPU", 100*share)
	}
	if moved := movement(b.spins); moved > movingClock {
		warn("the clock moved: the same work took up to %.0f %% longer", 100*moved)
	}
	if b.late {
		warn("out of time after %v: some figures have fewer rounds or are missing", b.Budget)
	}
	if b.interrupted {
		warn("interrupted: some figures have fewer rounds or are missing")
	}
	for _, f := range b.failures {
		if f.cells == 1 {
			warn("%s failed, %s", f.candidate, f.text)
		} else {
			warn("%s failed in %d cells, first %s", f.candidate, f.cells, f.text)
		}
	}
	return all
}

// movement returns by how much work took longer at the slow end than at the fast
// one, without the tenth at each end.
func movement(spins []float64) float64 {
	if len(spins) < 2 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(spins))
	tenth := len(sorted) / 10
	return sorted[len(sorted)-1-tenth]/sorted[tenth] - 1
}
