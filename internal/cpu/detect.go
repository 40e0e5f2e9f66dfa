package cpu

import (
	"math/bits"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"
)

// A Detection is what is known about the features of this CPU.
type Detection struct {
	// Features are those that all kernels may rely on: present, supported by
	// the operating system, not switched off, and so with all they build on.
	Features Set
	// FeaturesUnknown says that nothing could be learned, so that Features is
	// empty for want of knowledge. Only portable code may run then.
	FeaturesUnknown bool
	// SwitchedOff are the words X of GODEBUG=cpu.X=off, sorted; "all" is one of
	// them. The CPU may lack them anyway.
	SwitchedOff []string
	// Dropped are the features that were announced but lost something they
	// build on, such as avx2 under GODEBUG=cpu.avx=off; sorted.
	Dropped []string
}

// A Raw record is what the machine said, before anything is made of it.
type Raw struct {
	// GOARCH is the architecture of the program, and GOARM, on arm, the version
	// (5, 6 or 7) it was compiled for and therefore runs on.
	GOARCH string
	GOARM  int
	// Announced are the features found, GODEBUG perhaps applied.
	Announced Set
	// Answered says that the source of Announced could be read.
	Answered bool
	// GODEBUG is the environment variable.
	GODEBUG string
}

// Detect returns the features of this CPU. It looks once and remembers.
var Detect = sync.OnceValue(func() Detection { return Resolve(raw()) })

// raw asks golang.org/x/sys/cpu.
func raw() Raw {
	r := Raw{
		GOARCH:  runtime.GOARCH,
		GOARM:   goarm,
		GODEBUG: os.Getenv("GODEBUG"),
	}
	for _, f := range announced {
		if *f.has {
			r.Announced.bits |= bit(f.name)
		}
	}
	// x/sys does not set cpu.Initialized on linux/arm64, which Resolve allows for.
	r.Answered = cpu.Initialized
	if hwcap, ok := armHWCAP(); ok && !r.Answered {
		r.Announced, r.Answered = armFeatures(hwcap), true
	}
	return r
}

// announced joins our names to the flags of golang.org/x/sys/cpu. Those of other
// architectures than the program's are always false.
var announced = [...]struct {
	name string
	has  *bool
}{
	{"sse2", &cpu.X86.HasSSE2},
	{"sse3", &cpu.X86.HasSSE3},
	{"ssse3", &cpu.X86.HasSSSE3},
	{"sse41", &cpu.X86.HasSSE41},
	{"sse42", &cpu.X86.HasSSE42},
	{"avx", &cpu.X86.HasAVX},
	{"avx2", &cpu.X86.HasAVX2},
	{"avxifma", &cpu.X86.HasAVXIFMA},
	{"fma", &cpu.X86.HasFMA},
	{"bmi1", &cpu.X86.HasBMI1},
	{"bmi2", &cpu.X86.HasBMI2},
	{"adx", &cpu.X86.HasADX},
	{"avx512f", &cpu.X86.HasAVX512F},
	{"avx512bw", &cpu.X86.HasAVX512BW},
	{"avx512cd", &cpu.X86.HasAVX512CD},
	{"avx512dq", &cpu.X86.HasAVX512DQ},
	{"avx512vl", &cpu.X86.HasAVX512VL},
	{"avx512ifma", &cpu.X86.HasAVX512IFMA},
	{"avx512vbmi", &cpu.X86.HasAVX512VBMI},
	{"avx512vbmi2", &cpu.X86.HasAVX512VBMI2},

	{"edsp", &cpu.ARM.HasEDSP},
	{"armv6", &cpu.ARM.HasTLS}, // the thread register came with ARMv6K
	{"armv7", &cpu.ARM.HasTHUMBEE},
	{"armv7", &cpu.ARM.HasLPAE},
	{"armv7", &cpu.ARM.HasVFPv3},
	{"armv7", &cpu.ARM.HasNEON},
	{"vfpv3", &cpu.ARM.HasVFPv3},
	{"vfpv4", &cpu.ARM.HasVFPv4},
	{"neon", &cpu.ARM.HasNEON},
	{"idiva", &cpu.ARM.HasIDIVA},

	{"asimd", &cpu.ARM64.HasASIMD},
	{"asimddp", &cpu.ARM64.HasASIMDDP},
	{"sha3", &cpu.ARM64.HasSHA3},
	{"sve", &cpu.ARM64.HasSVE},
	{"sve2", &cpu.ARM64.HasSVE2},

	{"power8", &cpu.PPC64.IsPOWER8},
	{"power9", &cpu.PPC64.IsPOWER9},
	{"power10", &cpu.PPC64.IsPOWER10},
	{"vx", &cpu.S390X.HasVX},
	{"vxe", &cpu.S390X.HasVXE},
	{"lsx", &cpu.Loong64.HasLSX},
	{"lasx", &cpu.Loong64.HasLASX},
	{"msa", &cpu.MIPS64X.HasMSA},
	{"v", &cpu.RISCV64.HasV},
	{"zba", &cpu.RISCV64.HasZba},
	{"zbb", &cpu.RISCV64.HasZbb},
	{"zbs", &cpu.RISCV64.HasZbs},
	{"zvbb", &cpu.RISCV64.HasZvbb},
	{"zvkb", &cpu.RISCV64.HasZvkb},
	{"zvkt", &cpu.RISCV64.HasZvkt},
}

// Resolve makes of a record what kernels may rely on.
func Resolve(r Raw) Detection {
	off := parseGODEBUG(r.GODEBUG)
	d := Detection{SwitchedOff: off.words()}

	present := Set{r.Announced.bits | baseline(r).bits}
	kept := off.mask(present, r)
	d.Features = kept.closed()
	d.Dropped = Set{kept.bits &^ d.Features.bits}.Names()
	d.FeaturesUnknown = !r.Answered && present == Set{} && hasFeatures(r.GOARCH)
	return d
}

// baseline returns the features that every CPU has on which the program can have
// been started at all.
func baseline(r Raw) Set {
	switch r.GOARCH {
	case "amd64":
		return SetOf("sse2")
	case "arm64":
		// x/sys leaves it out where it cannot ask the operating system.
		return SetOf("asimd")
	case "arm":
		switch {
		case r.GOARM >= 7:
			return SetOf("armv6", "armv7")
		case r.GOARM == 6:
			return SetOf("armv6")
		}
	}
	return Set{}
}

// hasFeatures reports whether any of the names belongs to the architecture, so
// that an empty set can mean ignorance.
func hasFeatures(goarch string) bool {
	switch goarch {
	case "386", "amd64", "arm", "arm64", "loong64", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64", "s390x":
		return true
	}
	return false
}

// needs lists what a feature directly builds on. The architecture manuals
// promise it of hardware; hypervisors and GODEBUG do not.
var needs = [...]struct {
	name string
	on   []string
}{
	{"sse3", []string{"sse2"}},
	{"ssse3", []string{"sse3"}},
	{"sse41", []string{"ssse3"}},
	{"sse42", []string{"sse41"}},
	{"avx", []string{"sse42"}},
	{"fma", []string{"avx"}},
	{"avx2", []string{"avx"}},
	{"avxifma", []string{"avx2"}},
	{"avx512f", []string{"avx2", "fma"}},
	{"avx512bw", []string{"avx512f"}},
	{"avx512cd", []string{"avx512f"}},
	{"avx512dq", []string{"avx512f"}},
	{"avx512vl", []string{"avx512f"}},
	{"avx512ifma", []string{"avx512f"}},
	{"avx512vbmi", []string{"avx512bw"}},
	{"avx512vbmi2", []string{"avx512bw"}},
	{"asimddp", []string{"asimd"}},
	{"sha3", []string{"asimd"}},
	{"sve", []string{"asimd"}},
	{"sve2", []string{"sve"}},
	{"vfpv4", []string{"vfpv3"}},
	{"power9", []string{"power8"}},
	{"power10", []string{"power9"}},
	{"vxe", []string{"vx"}},
	{"lasx", []string{"lsx"}},
	{"zvbb", []string{"zvkb"}},
	{"zvkb", []string{"v"}},
	{"zvkt", []string{"v"}},
}

// needBits is needs by bit number, as bits.
var needBits = sync.OnceValue(func() (n [len(names)]uint64) {
	for _, need := range needs {
		n[bits.TrailingZeros64(bit(need.name))] = SetOf(need.on...).bits
	}
	return n
})

// closed drops every feature that lacks something it builds on.
func (s Set) closed() Set {
	n := needBits()
	for before := ^s.bits; before != s.bits; {
		before = s.bits
		for i, need := range n {
			if s.bits&need != need {
				s.bits &^= 1 << i
			}
		}
	}
	return s
}

// switches are the settings of GODEBUG=cpu.*, true for off.
type switches map[string]bool

// parseGODEBUG reads the variable as golang.org/x/sys/cpu does: the last of
// several settings wins, and what is not understood is skipped (x/sys has
// complained about it).
func parseGODEBUG(env string) switches {
	off := switches{}
	for field := range strings.SplitSeq(env, ",") {
		field, ok := strings.CutPrefix(field, "cpu.")
		if !ok {
			continue
		}
		word, value, _ := strings.Cut(field, "=")
		if value != "on" && value != "off" {
			continue
		}
		if word == "all" {
			clear(off)
		}
		off[word] = value == "off"
	}
	return off
}

// words returns what is off, sorted.
func (off switches) words() []string {
	var list []string
	for word, isOff := range off {
		if isOff {
			list = append(list, word)
		}
	}
	slices.Sort(list)
	return list
}

// mask takes away what is off. x/sys has done so for the features it found
// itself, not for those that baseline adds.
func (off switches) mask(s Set, r Raw) Set {
	if len(off) == 0 {
		return s
	}
	for _, name := range s.Names() {
		isOff, set := off[name]
		if !set {
			isOff = off["all"]
		}
		if name == "avx512f" && off["avx512"] {
			isOff = true // x/sys has a switch of that name which leaves avx512f on
		}
		if isOff && !required(name, r) {
			s.bits &^= bit(name)
		}
	}
	return s
}

// required reports whether the Go port cannot do without the feature, so that
// GODEBUG cannot switch it off. The level of an ARM program is no feature.
func required(name string, r Raw) bool {
	switch name {
	case "sse2":
		return r.GOARCH == "amd64"
	case "armv6":
		return r.GOARM >= 6
	case "armv7":
		return r.GOARM >= 7
	}
	return false
}

// The bits of AT_HWCAP on 32-bit ARM, from Linux's arch/arm/include/uapi/asm/hwcap.h.
const (
	hwcapEDSP    = 1 << 7
	hwcapTHUMBEE = 1 << 11
	hwcapNEON    = 1 << 12
	hwcapVFPv3   = 1 << 13
	hwcapTLS     = 1 << 15
	hwcapVFPv4   = 1 << 16
	hwcapIDIVA   = 1 << 17
	hwcapLPAE    = 1 << 20
)

// armFeatures reads an AT_HWCAP of 32-bit ARM.
func armFeatures(hwcap uintptr) Set {
	var s Set
	for _, f := range [...]struct {
		mask uintptr
		name string
	}{
		{hwcapEDSP, "edsp"},
		{hwcapTLS, "armv6"},
		{hwcapTHUMBEE | hwcapNEON | hwcapVFPv3 | hwcapLPAE, "armv7"},
		{hwcapNEON, "neon"},
		{hwcapVFPv3, "vfpv3"},
		{hwcapVFPv4, "vfpv4"},
		{hwcapIDIVA, "idiva"},
	} {
		if hwcap&f.mask != 0 {
			s.bits |= bit(f.name)
		}
	}
	return s
}
