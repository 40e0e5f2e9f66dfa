package registry

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/quarterround/quarterround/internal/cpu"
)

// A Backend is a named set of kernels.
type Backend struct {
	// Name is unique in the program: lower-case letters and digits.
	Name string
	// Doc is one line that says what the backend is.
	Doc string
	// Kernels are the routines, also those this program did not compile.
	Kernels []Kernel
	// Algorithms are what the kernels may be used for; empty means all that they can
	// do.
	Algorithms []Algorithm
	// Process is not nil if the kernels run in another process.
	Process *Process
}

// genericName is the backend that is always there, always eligible and cannot
// be excluded.
const genericName = "generic"

// table is the registered backends. Those that came after the first selection
// are late: later selections use them, and earlier ones say so.
var table struct {
	sync.Mutex
	backends []*Backend
	late     []*Backend
	selected bool
}

// Register makes a backend known to selections made from then on. It is meant
// to be called from the init function of the backend's package. It panics,
// naming the backend, if the name is taken or the description is malformed, as
// [database/sql.Register] does.
//
// After the first selection of the process Register still succeeds, but that
// selection, and the ones Auto and the drop-in packages use, stay as they are;
// they list the backend as registered-late.
func Register(b *Backend) {
	if err := validate(b); err != nil {
		panic("registry: " + err.Error())
	}
	table.Lock()
	defer table.Unlock()
	for _, other := range slices.Concat(table.backends, table.late) {
		if other.Name == b.Name {
			panic(fmt.Sprintf("registry: backend %q is registered twice", b.Name))
		}
	}
	if table.selected {
		table.late = append(table.late, b)
		return
	}
	table.backends = append(table.backends, b)
}

// Backends returns all registered backends by name, also those registered late.
func Backends() []*Backend {
	table.Lock()
	defer table.Unlock()
	return sortedByName(slices.Concat(table.backends, table.late))
}

// snapshot returns the backends that a selection made now is made from. The
// first call ends the time of early registration.
func snapshot(includeLate bool) (backends, late []*Backend) {
	table.Lock()
	defer table.Unlock()
	table.selected = true
	if includeLate {
		return sortedByName(slices.Concat(table.backends, table.late)), nil
	}
	return sortedByName(slices.Clone(table.backends)), slices.Clone(table.late)
}

// sortedByName sorts in place, so that the order of registration, which is the
// order of imports, changes nothing.
func sortedByName(backends []*Backend) []*Backend {
	slices.SortFunc(backends, func(a, b *Backend) int { return cmp.Compare(a.Name, b.Name) })
	return backends
}

var (
	backendName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	kernelName  = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
)

// validate returns an error that names what is wrong with b.
func validate(b *Backend) error {
	if b == nil {
		return fmt.Errorf("Register of a nil backend")
	}
	if !backendName.MatchString(b.Name) {
		return fmt.Errorf("backend %q: the name is not lower-case letters and digits", b.Name)
	}
	if _, taken := ParseAlgorithm(b.Name); taken {
		return fmt.Errorf("backend %q has the name of an algorithm", b.Name)
	}
	seen := map[string]bool{}
	for i := range b.Kernels {
		k := &b.Kernels[i]
		if err := validateKernel(k); err != nil {
			return fmt.Errorf("backend %q: kernel %q: %w", b.Name, k.Name, err)
		}
		if seen[k.Name] {
			return fmt.Errorf("backend %q has two kernels named %q", b.Name, k.Name)
		}
		seen[k.Name] = true
	}
	return nil
}

// validateKernel returns an error that says what is wrong with k.
func validateKernel(k *Kernel) error {
	if !kernelName.MatchString(k.Name) {
		return fmt.Errorf("the name is not lower-case letters, digits and dashes")
	}
	if k.Kind < KindStream || k.Kind > KindFused {
		return fmt.Errorf("no kind")
	}
	if (k.Kind == KindMAC) != (k.Cipher == NoCipher) || k.Cipher > Salsa {
		return fmt.Errorf("a %v kernel cannot have cipher %v", k.Kind, k.Cipher)
	}
	most := maxStreamBlocks
	if k.Kind == KindMAC {
		most = maxMACBlocks
	}
	if k.Blocks < 1 || k.Blocks > most {
		return fmt.Errorf("%d blocks per step; 1 to %d are possible", k.Blocks, most)
	}
	if k.ByteOrder != "" && k.ByteOrder != "little" && k.ByteOrder != "big" {
		return fmt.Errorf("byte order %q", k.ByteOrder)
	}
	for _, f := range k.Features {
		if !cpu.Known(f) {
			return fmt.Errorf("unknown CPU feature %q", f)
		}
	}
	return validateFunctions(k)
}

// validateFunctions checks that only the functions of the kernel's kind are set,
// and Setup exactly with a layout of powers.
func validateFunctions(k *Kernel) error {
	wrong := (k.XOR != nil || k.Lead.XOR != nil) && k.Kind != KindStream ||
		k.Absorb != nil && k.Kind != KindMAC ||
		(k.Seal != nil || k.Open != nil) && k.Kind != KindFused
	if wrong {
		return fmt.Errorf("a function of another kind than %v is set", k.Kind)
	}
	if (k.Seal == nil) != (k.Open == nil) {
		return fmt.Errorf("only one of Seal and Open is set")
	}
	if k.Lead.XOR != nil && (k.XOR == nil || k.Cipher != ChaCha) {
		return fmt.Errorf("a Lead is for stream kernels of ChaCha that have XOR")
	}
	if most := (k.Blocks - 1) * BlockSize; k.Lead.XOR != nil && (k.Lead.From < 1 || k.Lead.From > most) {
		return fmt.Errorf("a Lead from %d bytes on, of a kernel that leads %d at most", k.Lead.From, most)
	}
	if k.Kind == KindStream && k.Powers != "" {
		return fmt.Errorf("a stream kernel has no powers")
	}
	if k.OpenSaves < 0 || k.OpenSaves > 0 && k.Kind != KindFused {
		return fmt.Errorf("OpenSaves is %v, of a kernel that is %v", k.OpenSaves, k.Kind)
	}
	if k.compiled() && (k.Setup != nil) != (k.Powers != "") {
		return fmt.Errorf("only one of Setup and Powers is set")
	}
	return nil
}
