package cpu

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// An Identity says which CPU this is and what surrounds it. Fields that could
// not be learned are zero.
type Identity struct {
	GOOS      string `json:"goos,omitempty"`
	GOARCH    string `json:"goarch"`
	ByteOrder string `json:"byte_order"` // "little" or "big"

	// Model is the short name of the CPU: "cortex-a53", "zen5", "apple-m1". With
	// several kinds of core it is that of the strongest one, and on hybrid x86
	// that of the chip ("alderlake").
	Model string `json:"model,omitempty"`
	// Brand is what the CPU calls itself, Board what the board does.
	Brand string `json:"brand,omitempty"`
	Board string `json:"board,omitempty"`
	// Vendor is the CPUID vendor string, and Family, ModelNumber and Stepping
	// are decoded from CPUID leaf 1. x86 only.
	Vendor      string `json:"vendor,omitempty"`
	Family      int    `json:"family,omitempty"`
	ModelNumber int    `json:"model_number,omitempty"`
	Stepping    int    `json:"stepping,omitempty"`

	// Classes are the kinds of core, the strongest first.
	Classes []Class `json:"classes,omitempty"`

	// ClockHz is the highest clock of the strongest class, and ClockSource who
	// says so: "cpufreq", "cpuinfo", "cpuid" or "hypervisor". A hypervisor tells
	// the rate of the time stamp counter.
	ClockHz     uint64 `json:"clock_hz,omitempty"`
	ClockSource string `json:"clock_source,omitempty"`
	// Governor is the frequency governor of the strongest class.
	Governor string `json:"governor,omitempty"`

	// Hypervisor is set in a virtual machine ("kvm", "vmware", ..., or "unknown"),
	// Emulator where instructions are translated ("qemu-user", "rosetta", ...).
	Hypervisor string `json:"hypervisor,omitempty"`
	Emulator   string `json:"emulator,omitempty"`

	// Uneven are the features that some core lists and some other does not,
	// sorted. Kernels must not rely on them whatever the operating system says.
	Uneven []string `json:"uneven,omitempty"`
}

// A Class is a set of equal cores.
type Class struct {
	Model string `json:"model,omitempty"`
	// MIDR is the Main ID Register of ARM cores, 0 elsewhere.
	MIDR uint32 `json:"midr,omitempty"`
	// Count is the number of logical CPUs, and CPUs are their numbers, sorted, or
	// nil where the operating system does not tell.
	Count int   `json:"count,omitempty"`
	CPUs  []int `json:"cpus,omitempty"`
	// Capacity is the relative speed by which Linux schedules; the strongest
	// core of the machine has 1024.
	Capacity int `json:"capacity,omitempty"`
	// ClockHz is the highest clock.
	ClockHz  uint64 `json:"clock_hz,omitempty"`
	Governor string `json:"governor,omitempty"`
}

// CPUList returns the numbers of the CPUs in the form of Linux: "0-3,6".
func (c Class) CPUList() string { return formatList(c.CPUs) }

// A Machine is where Identify looks. Its zero value knows nothing.
type Machine struct {
	GOOS, GOARCH string
	BigEndian    bool
	// Root is the file system from "/" on.
	Root fs.FS
	// CPUID executes that instruction.
	CPUID func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)
	// Sysctl returns a string, and SysctlUint32 a number, of macOS or BSD.
	Sysctl       func(name string) (string, bool)
	SysctlUint32 func(name string) (uint32, bool)
	// Getenv reads the environment; only that of Windows is asked.
	Getenv func(name string) string
}

// Read returns the identity of this machine. It looks once and remembers.
var Read = sync.OnceValue(func() Identity { return Identify(thisMachine()) })

// ReadWithoutClocks is Read for those who need no clocks and governors, which
// take longest to learn. Cores that differ are told apart by them, so that a
// machine with several classes of core has them nevertheless.
var ReadWithoutClocks = sync.OnceValue(func() Identity { return identify(thisMachine(), false) })

// thisMachine is the real one.
func thisMachine() Machine {
	m := Machine{
		GOOS:         runtime.GOOS,
		GOARCH:       runtime.GOARCH,
		BigEndian:    nativeBigEndian(),
		Root:         root{},
		Sysctl:       sysctl,
		SysctlUint32: sysctlUint32,
		Getenv:       os.Getenv,
	}
	if haveCPUID {
		m.CPUID = cpuid
	}
	return m
}

func nativeBigEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 0
}

// noFiles is a file system without files.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) { return nil, fs.ErrNotExist }

// complete fills in the parts of a machine that are not there.
func (m Machine) complete() Machine {
	if m.Root == nil {
		m.Root = noFiles{}
	}
	if m.Sysctl == nil {
		m.Sysctl = func(string) (string, bool) { return "", false }
	}
	if m.SysctlUint32 == nil {
		m.SysctlUint32 = func(string) (uint32, bool) { return 0, false }
	}
	if m.Getenv == nil {
		m.Getenv = func(string) string { return "" }
	}
	return m
}

// Identify finds out what there is to know about a machine.
func Identify(m Machine) Identity { return identify(m, true) }

// identify is Identify, with or without the clocks of a single class of core.
func identify(m Machine, clocks bool) Identity {
	m = m.complete()
	id := Identity{GOOS: m.GOOS, GOARCH: m.GOARCH, ByteOrder: "little"}
	if m.BigEndian {
		id.ByteOrder = "big"
	}
	switch m.GOARCH {
	case "386", "amd64":
		id.readX86(m)
	case "arm", "arm64":
		id.readARM(m)
	default:
		id.readOther(m)
	}
	id.readSurroundings(m)
	if id.Emulator == "" && (clocks || len(id.Classes) > 1) {
		id.readClocks(m)
	}
	id.chooseStrongest()
	return id
}

// chooseStrongest orders the classes and lets the first speak for the machine.
func (id *Identity) chooseStrongest() {
	slices.SortStableFunc(id.Classes, func(a, b Class) int {
		if a.Capacity != b.Capacity {
			return b.Capacity - a.Capacity
		}
		if a.ClockHz != b.ClockHz {
			if a.ClockHz > b.ClockHz {
				return -1
			}
			return 1
		}
		return 0
	})
	if len(id.Classes) == 0 {
		return
	}
	first := id.Classes[0]
	if id.Model == "" {
		id.Model = first.Model
	}
	if first.ClockHz != 0 {
		id.ClockHz, id.ClockSource = first.ClockHz, "cpufreq"
	}
	id.Governor = first.Governor
}

// A Key says for which CPU measured costs hold. Two equal keys mean that they
// may be shared.
type Key struct {
	GOOS      string `json:"goos"`
	GOARCH    string `json:"goarch"`
	ByteOrder string `json:"byte_order"`
	// CPU is vendor, family, model and stepping, or the set of MIDRs, or else
	// the best name there is.
	CPU string `json:"cpu"`
	// Features are those that may be used, sorted, with spaces between.
	Features string `json:"features"`
	// Environment is the hypervisor, the emulator, or empty.
	Environment string `json:"environment"`
}

// String returns the parts of the key, each on what makes it differ.
func (k Key) String() string {
	return fmt.Sprintf("%s/%s %s-endian; cpu %s; features %s; environment %s",
		k.GOOS, k.GOARCH, k.ByteOrder, orDash(k.CPU), orDash(k.Features), orDash(k.Environment))
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Key returns the key of the machine with the given features.
func (id Identity) Key(features Set) Key {
	k := Key{
		GOOS:        id.GOOS,
		GOARCH:      id.GOARCH,
		ByteOrder:   id.ByteOrder,
		CPU:         id.cpuKey(),
		Features:    features.String(),
		Environment: id.Hypervisor,
	}
	if id.Emulator != "" {
		k.Environment = id.Emulator
	}
	return k
}

// cpuKey names the CPU as exactly as possible.
func (id Identity) cpuKey() string {
	if id.Vendor != "" {
		return fmt.Sprintf("%s family %d model %d stepping %d", id.Vendor, id.Family, id.ModelNumber, id.Stepping)
	}
	var midrs []string
	for _, c := range id.Classes {
		if c.MIDR != 0 {
			midrs = append(midrs, fmt.Sprintf("%08x", c.MIDR))
		}
	}
	if len(midrs) > 0 {
		slices.Sort(midrs)
		return strings.Join(slices.Compact(midrs), " ")
	}
	for _, name := range []string{id.Model, id.Brand, id.Board} {
		if name != "" {
			return name
		}
	}
	return ""
}
