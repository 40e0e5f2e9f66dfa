package published

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/cpu"
)

func load(t *testing.T, name string) *Board {
	t.Helper()
	b, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestAll loads every file and walks through it as a user would.
func TestAll(t *testing.T) {
	names := Names()
	if len(names) < 35 || !slices.IsSorted(names) {
		t.Fatalf("%d boards: %q", len(names), names)
	}
	for _, name := range names {
		b := load(t, name)
		for _, algorithm := range b.Algorithms() {
			for _, g := range append(b.GroupsOf(algorithm), Group{}) {
				figures, err := b.Select(algorithm, g.Name)
				if err != nil {
					t.Errorf("%s %s: %v", name, algorithm, err)
				}
				for _, f := range figures {
					if fixed, perStep := f.Cost(); fixed != 0 || perStep <= 0 {
						t.Errorf("%s: %s costs %v + %v", name, f.Label(), fixed, perStep)
					}
					if !strings.Contains(f.Label(), "not ours") {
						t.Errorf("%s: label %q", name, f.Label())
					}
				}
			}
		}
	}
}

// TestModelsAreKnown asks internal/cpu for the model names of some boards, so
// that the two packages spell them alike.
func TestModelsAreKnown(t *testing.T) {
	for model, midr := range map[string]string{
		"cortex-a5": "410fc051", "cortex-a7": "410fc074", "cortex-a8": "413fc082", "cortex-a9": "412fc09a", "cortex-a15": "412fc0f3",
		"krait": "510f06f1", "arm1176": "410fb767", "cortex-a53": "410fd034", "cortex-a55": "412fd050", "cortex-a57": "411fd070",
		"cortex-a72": "410fd083", "cortex-a76": "414fd0b1", "cortex-x2": "410fd480", "denver": "4e0f0000", "apple-m1": "611f0231",
		"xgene": "500f0000", "mongoose": "531f0010", "kryo": "510f2113", "thunderx2": "431f0af1", "neoverse-v2": "410fd4f0",
	} {
		id := cpu.Identify(cpu.Machine{GOOS: "freebsd", GOARCH: "arm64", Sysctl: func(string) (string, bool) {
			return "(midr: " + midr + ")", true
		}})
		if id.Model != model {
			t.Errorf("internal/cpu calls %s %q, not %q", midr, id.Model, model)
		}
		isBoard := func(name string) bool { return load(t, name).CPU == model }
		if !slices.ContainsFunc(Names(), isBoard) {
			t.Errorf("no board has a %s", model)
		}
	}
}

// TestFigures compares numbers with the tables they stand in.
func TestFigures(t *testing.T) {
	for _, tt := range []struct {
		board, algorithm, group, implementation string
		perStep                                 float64
	}{
		{"cortex-a7", "chacha20", "", "nettle, C", 2005.82},
		{"cortex-a7", "chacha20", "", "nettle, three-block NEON (vldm, vstm)", 3 * 967.83},
		{"cortex-a7", "salsa20r12", "nettle-2020-vld1", "nettle, two-block NEON (vld1.32, vst1.8)", 2 * 664.30},
		{"cortex-a7-be", "chacha20", "", "nettle, three-block NEON (vld1.32, vst1.8)", 3 * 975.69},
		{"cortex-a9", "salsa20", "", "nettle 3.6, single-block NEON", 1148.38},
		{"cortex-a9", "poly1305", "", "poly1305-opt (A. Moon), NEON base 2^26", 64 * 2.25},
		{"cortex-a5", "poly1305", "", "OpenSSL C, gcc 4.4", 16 * 14.49},
		{"denver", "poly1305", "", "OpenSSL, base 2^64 assembly", 16 * 1.45},
		{"denver", "poly1305", "cryptogams", "OpenSSL, base 2^64 assembly", 16 * 1.64},
		{"cortex-a53", "chacha20", "", "OpenSSL, six NEON blocks and two scalar", 512 * 4.45},
		{"cortex-a72", "chacha20", "", "OpenSSL, six NEON blocks and two scalar", 512 * 1.043},
		{"skylake-x", "chacha20", "", "cryptogams, sixteen-block AVX-512F", 1024 * 0.57},
		{"zen1", "poly1305", "", "cryptogams, AVX2 base 2^26", 64 * 1.18},
	} {
		figures, err := load(t, tt.board).Select(tt.algorithm, tt.group)
		if err != nil {
			t.Error(err)
			continue
		}
		i := slices.IndexFunc(figures, func(f Figure) bool { return f.Implementation == tt.implementation })
		if i < 0 {
			t.Errorf("%s has no %s", tt.board, tt.implementation)
			continue
		}
		if _, got := figures[i].Cost(); got < tt.perStep*0.9999 || got > tt.perStep*1.0001 {
			t.Errorf("%s, %s: %v cycles a step, want %v", tt.board, tt.implementation, got, tt.perStep)
		}
	}
}

// ranking returns the techniques of a default group from the cheapest per byte
// on, less those that are excluded.
func ranking(t *testing.T, board, algorithm string, excluded ...string) []Figure {
	t.Helper()
	figures, err := load(t, board).Select(algorithm, "")
	if err != nil {
		t.Fatal(err)
	}
	figures = slices.DeleteFunc(figures, func(f Figure) bool { return slices.Contains(excluded, f.Technique) })
	slices.SortStableFunc(figures, func(a, b Figure) int {
		if perByte(a) < perByte(b) {
			return -1
		}
		return 1
	})
	return figures
}

func perByte(f Figure) float64 {
	_, perStep := f.Cost()
	return perStep / float64(f.StepBytes())
}

// TestRanking holds the stories that the figures tell: which technique wins for
// long messages, by more than the noise of 3 %, or within it.
func TestRanking(t *testing.T) {
	const noise = 0.03
	for _, tt := range []struct {
		board, algorithm string
		excluded         []string
		want             string // the technique that wins
		implementation   string // part of its description
		close            bool   // the lead is within noise
	}{
		{board: "cortex-a7", algorithm: "chacha20", want: "neon3core/chacha"},
		{board: "cortex-a7", algorithm: "chacha20", excluded: []string{"neon2core/chacha", "neon3core/chacha"}, want: "neon1way/chacha", close: true},
		{board: "cortex-a7", algorithm: "salsa20", want: "neon2core/salsa"},
		{board: "cortex-a7", algorithm: "salsa20", excluded: []string{"neon2core/salsa"}, want: "generic/salsa"},
		{board: "cortex-a9", algorithm: "chacha20", want: "neon1way/chacha"},
		{board: "cortex-a9", algorithm: "salsa20", want: "generic/salsa"},
		{board: "cortex-a9", algorithm: "salsa20r12", want: "neon1way/salsa", close: true},
		{board: "cortex-a9", algorithm: "poly1305", want: "poly26/neon", implementation: "Moon"},
		{board: "snapdragon-s4", algorithm: "poly1305", want: "poly26/neon", implementation: "OpenSSL"},
		{board: "cortex-a53", algorithm: "poly1305", want: "poly26/neon", implementation: "OpenSSL"},
		{board: "cortex-a57", algorithm: "poly1305", want: "poly26/neon", implementation: "OpenSSL"},
		{board: "denver", algorithm: "poly1305", want: "poly26/neon", implementation: "Moon"},
		{board: "xgene", algorithm: "poly1305", want: "poly64/asm"},
		{board: "thunderx2", algorithm: "poly1305", want: "poly64/asm"},
		{board: "cortex-a53", algorithm: "chacha20", want: "neonmixed/chacha-x4s1"},
		{board: "cortex-a57", algorithm: "chacha20", want: "neonmixed/chacha-x4s1"},
		{board: "cortex-a72", algorithm: "chacha20", want: "neonmixed/chacha-x4s1"},
		{board: "cortex-a76", algorithm: "chacha20", want: "neonmixed/chacha-x6s2"},
		{board: "cortex-x2", algorithm: "chacha20", want: "neonmixed/chacha-x6s2"},
		{board: "apple-m1", algorithm: "chacha20", want: "neonmixed/chacha-x6s2"},
	} {
		figures := ranking(t, tt.board, tt.algorithm, tt.excluded...)
		first, second := figures[0], figures[1]
		if first.Technique != tt.want || !strings.Contains(first.Implementation, tt.implementation) {
			t.Errorf("%s %s: %s first, want %s of %s", tt.board, tt.algorithm, first.Label(), tt.want, tt.implementation)
		}
		if gain := 1 - perByte(first)/perByte(second); gain < noise != tt.close {
			t.Errorf("%s %s: %s leads %s by %.2f %%", tt.board, tt.algorithm, first.Label(), second.Label(), 100*gain)
		}
	}
	scalar := ranking(t, "denver", "poly1305", "poly64/go")
	if len(scalar) != 3 || scalar[1].Technique != "poly64/asm" {
		t.Errorf("Denver: base 2^64 is not between the two NEON codes: %v", scalar)
	}
}

func TestUnknown(t *testing.T) {
	_, err := Load("cortex-a99")
	var unknown *UnknownError
	if !errors.As(err, &unknown) || unknown.What != "board" || !slices.Contains(unknown.Valid, "cortex-a9") {
		t.Errorf("Load: %v", err)
	}
	if _, err := Load("../published"); !errors.As(err, &unknown) {
		t.Errorf("Load of a path: %v", err)
	}
	b := load(t, "denver")
	if _, err := b.Select("salsa20", ""); !errors.As(err, &unknown) || unknown.What != "algorithm" {
		t.Errorf("Select: %v", err)
	}
	if _, err := b.Select("poly1305", "nosuch"); !errors.As(err, &unknown) || !slices.Equal(unknown.Valid, []string{"openssl-3615", "cryptogams"}) {
		t.Errorf("Select: %v", err)
	}
}

func TestValidate(t *testing.T) {
	good, err := data.ReadFile("data/denver.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{`"name": "denver"`, `"name": "denver2"`, "call themselves"},
		{`"cpu": "denver"`, `"cpu": ""`, "missing"},
		{`"byte_order": "little"`, `"byte_order": "middle"`, "byte order"},
		{`"goarch"`, `"gaorch"`, "unknown field"},
		{`"figures": [`, `"figures": {`, "denver"},
		{`"poly1305": "openssl-3615"`, `"poly1305": "nosuch"`, "default"},
		{`"poly1305": "openssl-3615"`, `"salsa20": "openssl-3615"`, "default"},
		{`"cycles_per_byte": 1.45`, `"cycles_per_byte": -1.45`, "believable"},
		{`"cycles_per_byte": 1.45`, `"cycles_per_byte": 1450`, "believable"},
		{`"cycles_per_byte": 1.45`, `"cycles_per_byte": 1.45, "cycles_per_block": 99`, "does not fit"},
		{`"cycles_per_byte": 1.45`, `"cycles_per_byte": 1.45, "relative": 1`, "believable"},
		{`"cycles_per_byte": 1.45, "single_figure": true`, `"cycles_per_byte": 1.45`, "single_figure"},
		{`"cycles_per_byte": 1.45, "single_figure": true`, `"cycles_per_byte": 1.45, "length": 64, "single_figure": true`, "single_figure"},
		{`"blocks": 1`, `"blocks": 0`, "blocks"},
		{`"algorithm": "poly1305"`, `"algorithm": "poly1306"`, "unknown algorithm"},
		{`"technique": "poly64/asm"`, `"technique": "poly64"`, "technique"},
		{`"date": "2014/2015"`, `"date": "lately"`, "date"},
		{`"source": "openssl-dev, ticket 3615, A. Polyakov"`, `"source": ""`, "source"},
		{`"groups": ["openssl-3615"]`, `"groups": []`, "no group"},
		{`"groups": ["openssl-3615"]`, `"groups": ["nosuch"]`, "not declared"},
		{`"implementation": "OpenSSL C base 2^64, gcc 4.9"`, `"implementation": "OpenSSL C base 2^64, gcc 4.7"`, "twice"},
		{`{"name": "cryptogams"`, `{"name": "openssl-3615"`, "twice"},
	} {
		bad := strings.Replace(string(good), tt.old, tt.new, 1)
		if bad == string(good) {
			t.Errorf("%q is not in the file", tt.old)
		}
		if _, err := decode("denver", []byte(bad)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("with %s: error %v, want one with %q", tt.new, err, tt.want)
		}
	}
}
