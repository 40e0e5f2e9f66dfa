package cpu

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesAreSortedAndFitASet(t *testing.T) {
	if !slices.IsSorted(names[:]) {
		t.Error("names are not sorted, so that bit and String fail")
	}
	if len(slices.Compact(Names())) != len(names) || len(names) > 64 {
		t.Errorf("%d names must be distinct and fit 64 bits", len(names))
	}
	for _, need := range needs {
		for _, name := range append(need.on, need.name) {
			if !Known(name) {
				t.Errorf("needs mentions unknown feature %q", name)
			}
		}
	}
	for _, f := range announced {
		if !Known(f.name) {
			t.Errorf("announced mentions unknown feature %q", f.name)
		}
	}
	for _, name := range strings.Fields("neon asimd sve sve2 sse2 ssse3 sse41 avx avx2 bmi2 adx avx512f avx512vl " +
		"avx512bw avx512dq avx512ifma avx512vbmi vfpv4 lsx vx v") {
		if !Known(name) {
			t.Errorf("%q is not known", name)
		}
	}
	if Known("") || Known("AVX2") || Known("avx3") {
		t.Error("a name outside the list is known")
	}
}

func TestSet(t *testing.T) {
	s := SetOf("sse2", "avx", "nosuch", "adx")
	if got, want := s.String(), "adx avx sse2"; got != want {
		t.Errorf("String = %q, want %q", got, want)
	}
	if !s.Has("avx") || s.Has("avx2") || s.Has("nosuch") {
		t.Error("Has is wrong")
	}
	if got := s.Missing([]string{"sse2", "nosuch", "avx2"}); !slices.Equal(got, []string{"nosuch", "avx2"}) {
		t.Errorf("Missing = %q", got)
	}
	if s.Missing(nil) != nil || s.Missing([]string{"avx"}) != nil {
		t.Error("Missing finds what is there")
	}
	if SetOf("v", "zvkb", "zvbb", "zba").Without("v") != SetOf("zba") {
		t.Error("Without leaves what needs the removed feature")
	}
}

func TestResolve(t *testing.T) {
	full := SetOf("sse2", "sse3", "ssse3", "sse41", "sse42", "avx", "avx2", "fma", "bmi1", "bmi2", "adx",
		"avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512ifma", "avx512vbmi")
	tests := []struct {
		name    string
		raw     Raw
		want    string
		unknown bool
		off     string
		dropped string
	}{
		{
			name: "Zen 5",
			raw:  Raw{GOARCH: "amd64", Answered: true, Announced: full},
			want: full.String(),
		}, {
			name:    "avx off takes avx2 and avx512 along",
			raw:     Raw{GOARCH: "amd64", Answered: true, Announced: full.minus("avx"), GODEBUG: "gctrace=1,cpu.avx=off"},
			want:    "adx bmi1 bmi2 sse2 sse3 sse41 sse42 ssse3",
			off:     "avx",
			dropped: "avx2 avx512bw avx512dq avx512f avx512ifma avx512vbmi avx512vl fma",
		}, {
			name:    "avx2 off takes avx512 along",
			raw:     Raw{GOARCH: "amd64", Answered: true, Announced: full, GODEBUG: "cpu.avx2=off"},
			want:    "adx avx bmi1 bmi2 fma sse2 sse3 sse41 sse42 ssse3",
			off:     "avx2",
			dropped: "avx512bw avx512dq avx512f avx512ifma avx512vbmi avx512vl",
		}, {
			name:    "avx512 is a word of x/sys",
			raw:     Raw{GOARCH: "amd64", Answered: true, Announced: SetOf("sse2", "avx512f", "avx512vl"), GODEBUG: "cpu.avx512=off"},
			want:    "sse2",
			off:     "avx512",
			dropped: "avx512vl",
		}, {
			name: "all off but one, in order",
			raw:  Raw{GOARCH: "amd64", Answered: true, Announced: full, GODEBUG: "cpu.bmi2=off,cpu.all=off,cpu.bmi2=on"},
			want: "bmi2 sse2",
			off:  "all",
		}, {
			name: "sse2 cannot be switched off on amd64",
			raw:  Raw{GOARCH: "amd64", Answered: true, Announced: SetOf("sse2"), GODEBUG: "cpu.sse2=off"},
			want: "sse2",
			off:  "sse2",
		}, {
			name:    "but on 386",
			raw:     Raw{GOARCH: "386", Answered: true, Announced: SetOf("sse2", "sse3"), GODEBUG: "cpu.sse2=off"},
			off:     "sse2",
			dropped: "sse3",
		}, {
			name: "garbage in GODEBUG",
			raw:  Raw{GOARCH: "amd64", Answered: true, Announced: SetOf("avx2"), GODEBUG: ",,cpu.,cpu.=,cpu.x,cpu.avx2=maybe,=,cpu"},
			want: "sse2", dropped: "avx2",
		}, {
			name:    "a hypervisor hides avx and forgets avx2",
			raw:     Raw{GOARCH: "amd64", Answered: true, Announced: full.minus("avx")},
			want:    "adx bmi1 bmi2 sse2 sse3 sse41 sse42 ssse3",
			dropped: "avx2 avx512bw avx512dq avx512f avx512ifma avx512vbmi avx512vl fma",
		}, {
			name: "switching on does not add",
			raw:  Raw{GOARCH: "amd64", Answered: true, GODEBUG: "cpu.avx2=on"},
			want: "sse2",
		}, {
			name: "arm64 has asimd on every system, whatever was answered",
			raw:  Raw{GOARCH: "arm64"},
			want: "asimd",
		}, {
			name: "unless it is switched off",
			raw:  Raw{GOARCH: "arm64", Announced: SetOf("sve", "sve2"), GODEBUG: "cpu.asimd=off"},
			off:  "asimd", dropped: "sve sve2",
		}, {
			name: "linux/arm64 is never Initialized",
			raw:  Raw{GOARCH: "arm64", Announced: SetOf("asimd", "asimddp", "sve", "sve2")},
			want: "asimd asimddp sve sve2",
		}, {
			name:    "arm without an answer",
			raw:     Raw{GOARCH: "arm", GOARM: 5},
			unknown: true,
		}, {
			name: "arm without an answer, but compiled for ARMv7",
			raw:  Raw{GOARCH: "arm", GOARM: 7},
			want: "armv6 armv7",
		}, {
			name: "arm, all off",
			raw:  Raw{GOARCH: "arm", GOARM: 6, Answered: true, Announced: armFeatures(0x1fb8d7), GODEBUG: "cpu.all=off"},
			want: "armv6",
			off:  "all",
		}, {
			name:    "386 unknown",
			raw:     Raw{GOARCH: "386"},
			unknown: true,
		}, {
			name: "riscv64 without vectors is known",
			raw:  Raw{GOARCH: "riscv64", Answered: true},
		}, {
			name:    "s390x unknown",
			raw:     Raw{GOARCH: "s390x"},
			unknown: true,
		}, {
			name: "wasm has no features to know",
			raw:  Raw{GOARCH: "wasm"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Resolve(tt.raw)
			if got := d.Features.String(); got != tt.want {
				t.Errorf("Features = %q, want %q", got, tt.want)
			}
			if d.FeaturesUnknown != tt.unknown {
				t.Errorf("FeaturesUnknown = %v", d.FeaturesUnknown)
			}
			if got := strings.Join(d.SwitchedOff, " "); got != tt.off {
				t.Errorf("SwitchedOff = %q, want %q", got, tt.off)
			}
			if got := strings.Join(d.Dropped, " "); got != tt.dropped {
				t.Errorf("Dropped = %q, want %q", got, tt.dropped)
			}
		})
	}
}

// minus takes away features but leaves those that need them.
func (s Set) minus(features ...string) Set { return Set{s.bits &^ SetOf(features...).bits} }

func TestARMFeatures(t *testing.T) {
	tests := []struct {
		cpu   string
		hwcap uintptr
		want  string
	}{
		{"arm926", 0xd7, "edsp"},
		{"arm1176", 0x80d7, "armv6 edsp"},
		{"cortex-a9", 0x8b8d7, "armv6 armv7 edsp neon vfpv3"},
		{"cortex-a7", 0x1fb8d7, "armv6 armv7 edsp idiva neon vfpv3 vfpv4"},
		{"cortex-a7 without NEON", 0x1fa8d7, "armv6 armv7 edsp idiva vfpv3 vfpv4"},
	}
	for _, tt := range tests {
		if got := armFeatures(tt.hwcap).String(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.cpu, got, tt.want)
		}
	}
}

// TestDetect checks that detecting this machine gives a closed set that the
// flags of this architecture allow.
func TestDetect(t *testing.T) {
	d := Detect()
	if d.Features != d.Features.closed() {
		t.Errorf("%v is not closed", d.Features)
	}
	if d.FeaturesUnknown && d.Features != (Set{}) {
		t.Errorf("unknown, yet %v", d.Features)
	}
	t.Logf("features %v; unknown %v; off %v; dropped %v", d.Features, d.FeaturesUnknown, d.SwitchedOff, d.Dropped)
}

func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		Resolve(raw())
	}
}
