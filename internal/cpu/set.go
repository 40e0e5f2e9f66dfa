package cpu

import (
	"math/bits"
	"slices"
	"strings"
)

// names are all features there are, sorted. A feature's place is its bit in a
// Set. The spelling is that of golang.org/x/sys/cpu and GODEBUG.
var names = [...]string{
	"adx",         // x86: ADCX, ADOX
	"armv6",       // arm: ARMv6 (REV, UMAAL)
	"armv7",       // arm: ARMv7-A (MOVW, MOVT)
	"asimd",       // arm64: NEON, part of the base architecture
	"asimddp",     // arm64: SDOT, UDOT
	"avx",         // x86
	"avx2",        // x86
	"avx512bw",    // x86
	"avx512cd",    // x86
	"avx512dq",    // x86
	"avx512f",     // x86
	"avx512ifma",  // x86: VPMADD52
	"avx512vbmi",  // x86: VPERMB
	"avx512vbmi2", // x86: VPSHLD
	"avx512vl",    // x86
	"avxifma",     // x86: VPMADD52 in VEX encoding
	"bmi1",        // x86
	"bmi2",        // x86: MULX, RORX
	"edsp",        // arm: ARMv5TE
	"fma",         // x86
	"idiva",       // arm: SDIV, UDIV in ARM state
	"lasx",        // loong64: 256-bit vectors
	"lsx",         // loong64: 128-bit vectors
	"msa",         // mips64, mips64le: 128-bit vectors
	"neon",        // arm
	"power10",     // ppc64, ppc64le: ISA 3.1
	"power8",      // ppc64, ppc64le: ISA 2.07
	"power9",      // ppc64, ppc64le: ISA 3.0
	"sha3",        // arm64: EOR3, BCAX, XAR
	"sse2",        // x86
	"sse3",        // x86
	"sse41",       // x86
	"sse42",       // x86
	"ssse3",       // x86: PSHUFB
	"sve",         // arm64
	"sve2",        // arm64
	"v",           // riscv64: vectors 1.0
	"vfpv3",       // arm
	"vfpv4",       // arm
	"vx",          // s390x: vector facility
	"vxe",         // s390x: vector-enhancements facility 1
	"zba",         // riscv64
	"zbb",         // riscv64: rotates, byte reversal
	"zbs",         // riscv64
	"zvbb",        // riscv64: vector rotates, byte reversal
	"zvkb",        // riscv64: the part of zvbb that ciphers need
	"zvkt",        // riscv64: vector timing independent of data
}

// Known reports whether name is a feature of the closed list that kernels may
// name.
func Known(name string) bool { return bit(name) != 0 }

// Names returns all features that kernels may name, sorted.
func Names() []string { return slices.Clone(names[:]) }

// bit returns the bit of a feature, 0 if there is none of that name.
func bit(name string) uint64 {
	if i, ok := slices.BinarySearch(names[:], name); ok {
		return 1 << i
	}
	return 0
}

// A Set is a set of features. The zero value is empty; sets can be compared
// with ==.
type Set struct{ bits uint64 }

// SetOf returns the set of the given features. Names that are not [Known] are
// left out.
func SetOf(features ...string) Set {
	var s Set
	for _, name := range features {
		s.bits |= bit(name)
	}
	return s
}

// Has reports whether the feature is in the set.
func (s Set) Has(name string) bool { return s.bits&bit(name) != 0 }

// Missing returns those of the given features that are not in the set, in the
// order given. Names that are not [Known] are missing from every set.
func (s Set) Missing(features []string) []string {
	var missing []string
	for _, name := range features {
		if !s.Has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// Without returns the set less the given features and less what needs them.
func (s Set) Without(features ...string) Set {
	return Set{s.bits &^ SetOf(features...).bits}.closed()
}

// Names returns the features in the set, sorted.
func (s Set) Names() []string {
	var list []string
	for rest := s.bits; rest != 0; rest &= rest - 1 {
		list = append(list, names[bits.TrailingZeros64(rest)])
	}
	return list
}

// String returns the features in the set, sorted, with spaces between.
func (s Set) String() string { return strings.Join(s.Names(), " ") }
