package registry

import (
	"encoding/binary"
	"runtime"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/internal/cpu"
)

// A candidate is a kernel on its way through a selection.
type candidate struct {
	id      int // index among the candidates of the selection
	backend *Backend
	kernel  *Kernel
	full    string // what name returns
	// outcome is not empty once the kernel is out.
	outcome Outcome
	tested  bool // has passed its self-test
	// lostAtWork says that the kernel's process went down after this selection had
	// begun to use the backend.
	lostAtWork bool
}

// serves reports whether the kernel can do, and may be used for, some of the work
// of a.
func (c *candidate) serves(a Algorithm) bool { return c.backend.allows(a) && a.uses(c.kernel) }

// allows reports whether the kernels of b may be used for a.
func (b *Backend) allows(a Algorithm) bool {
	return len(b.Algorithms) == 0 || slices.Contains(b.Algorithms, a)
}

// name returns "backend/kernel".
func (c *candidate) name() string { return c.full }

// matches reports whether name is the candidate's backend or its full name.
func (c *candidate) matches(name string) bool { return name == c.backend.Name || name == c.name() }

// collect returns a candidate for every kernel of the backends, with those that
// cannot run here marked so.
func collect(backends []*Backend, detected cpu.Detection) []*candidate {
	var all []*candidate
	for _, b := range backends {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			c := &candidate{id: len(all), backend: b, kernel: k, full: b.Name + "/" + k.Name}
			c.outcome = eligibility(k, detected)
			all = append(all, c)
		}
	}
	return all
}

// eligibility says whether k can run in this program on this CPU: an empty
// outcome if so.
func eligibility(k *Kernel, detected cpu.Detection) Outcome {
	if !k.compiled() {
		return Outcome{NotCompiled, notCompiledDetail(k)}
	}
	if k.ByteOrder != "" && k.ByteOrder != hostByteOrder() {
		return Outcome{WrongByteOrder, "made for " + k.ByteOrder + "-endian"}
	}
	if len(k.Features) == 0 {
		return Outcome{}
	}
	if missing := detected.Features.Missing(k.Features); len(missing) > 0 {
		if detected.FeaturesUnknown {
			return Outcome{FeaturesUnknown, "needs " + strings.Join(missing, ", ")}
		}
		return Outcome{MissingFeature, strings.Join(missing, ", ")}
	}
	return Outcome{}
}

// notCompiledDetail says why a kernel is not in the program.
func notCompiledDetail(k *Kernel) string {
	if len(k.GOARCH) > 0 && !slices.Contains(k.GOARCH, runtime.GOARCH) {
		return "for " + strings.Join(k.GOARCH, " and ")
	}
	return "left out by a build tag"
}

// hostByteOrder returns "little" or "big".
func hostByteOrder() string {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return "little"
	}
	return "big"
}
