package replay

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/planner"
	"github.com/quarterround/quarterround/internal/published"
)

func choose(t *testing.T, boards, algorithm string, excluded ...string) *Choice {
	t.Helper()
	var list []*published.Board
	for name := range strings.SplitSeq(boards, "+") {
		b, err := published.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	c, err := New(list, algorithm, "", excluded...)
	if err != nil {
		t.Fatalf("%s %s: %v", boards, algorithm, err)
	}
	return c
}

// techniques returns what runs for n bytes, the names without repetition.
func techniques(c *Choice, n int) string {
	var names []string
	parts, _ := c.At(n)
	for _, p := range parts {
		names = append(names, c.Figures[p.ID].Technique)
	}
	return strings.Join(slices.Compact(names), " + ")
}

// TestChoices holds what the published figures say should run, for one block and
// for long messages.
func TestChoices(t *testing.T) {
	const long = 1 << 20
	wide := []string{"neon2core/chacha", "neon3core/chacha", "neon2core/salsa"}
	for _, tt := range []struct {
		boards, algorithm string
		excluded          []string
		length            int
		want              string // technique
		whose             string // part of the implementation of the bulk
	}{
		{"cortex-a7", "chacha20", nil, 3 * 64 * 1000, "neon3core/chacha", "nettle"},
		{"cortex-a7", "chacha20", nil, 64, "generic/chacha", ""},
		{"cortex-a7", "chacha20", wide, long, "generic/chacha", ""},
		{"cortex-a7", "chacha20", wide, 64, "generic/chacha", ""},
		{"cortex-a7", "salsa20", nil, long, "neon2core/salsa", "nettle"},
		{"cortex-a7", "salsa20", wide, long, "generic/salsa", ""},
		{"cortex-a9", "chacha20", wide, long, "neon1way/chacha", "nettle"},
		{"cortex-a9", "chacha20", wide, 64, "neon1way/chacha", ""},
		{"cortex-a9", "salsa20", wide, long, "generic/salsa", ""},
		{"cortex-a9", "salsa20r12", wide, long, "generic/salsa", ""},
		{"cortex-a53", "poly1305", nil, long, "poly26/neon", "OpenSSL"},
		{"cortex-a57", "poly1305", nil, long, "poly26/neon", "OpenSSL"},
		{"denver", "poly1305", nil, long, "poly26/neon", "Moon"},
		{"denver", "poly1305", []string{"poly1305-opt (A. Moon), 32-bit NEON base 2^26"}, long, "poly64/asm", "OpenSSL"},
		{"cortex-a9", "poly1305", nil, long, "poly26/neon", "Moon"},
		{"snapdragon-s4", "poly1305", nil, long, "poly26/neon", "OpenSSL"},
		{"xgene", "poly1305", nil, long, "poly64/asm", "OpenSSL"},
		{"thunderx2", "poly1305", nil, long, "poly64/asm", ""},
		{"cortex-a53", "chacha20", nil, 320 * 1000, "neonmixed/chacha-x4s1", ""},
		{"cortex-a57", "chacha20", nil, 320 * 1000, "neonmixed/chacha-x4s1", ""},
		{"cortex-a76", "chacha20", nil, 512 * 1000, "neonmixed/chacha-x6s2", ""},
		{"cortex-x2", "chacha20", nil, 512 * 1000, "neonmixed/chacha-x6s2", ""},
		{"apple-m1", "chacha20", nil, 512 * 1000, "neonmixed/chacha-x6s2", ""},
	} {
		c := choose(t, tt.boards, tt.algorithm, tt.excluded...)
		if got := techniques(c, tt.length); got != tt.want {
			t.Errorf("%s %s, %d bytes: %s, want %s", tt.boards, tt.algorithm, tt.length, got, tt.want)
		}
		if got := c.Bulk().Implementation; !strings.Contains(got, tt.whose) {
			t.Errorf("%s %s: %s, want that of %s", tt.boards, tt.algorithm, got, tt.whose)
		}
	}
}

// stateOf returns the verdict on the first candidate of a technique whose
// implementation has the given part.
func stateOf(t *testing.T, c *Choice, technique, whose string) Verdict {
	t.Helper()
	for _, v := range c.Verdicts() {
		if v.Figure.Technique == technique && strings.Contains(v.Figure.Implementation, whose) {
			return v
		}
	}
	t.Fatalf("no %s of %s", technique, whose)
	return Verdict{}
}

// TestVerdicts holds what is said of the losers.
func TestVerdicts(t *testing.T) {
	wide := []string{"neon2core/chacha", "neon3core/chacha", "neon2core/salsa"}
	for _, tt := range []struct {
		board, algorithm, technique, whose string
		excluded                           []string
		state                              string
	}{
		{"cortex-a7", "chacha20", "neon1way/chacha", "", wide, "within-noise"},
		{"cortex-a7", "chacha20", "neon1way/chacha", "", nil, "slower"},
		{"cortex-a7", "salsa20", "neon1way/salsa", "", wide, "slower"},
		{"cortex-a9", "salsa20r12", "neon1way/salsa", "", nil, "within-noise"},
		{"cortex-a9", "salsa20", "neon1way/salsa", "", nil, "slower"},
		{"denver", "poly1305", "poly64/asm", "", nil, "slower"},
		{"cortex-a9", "poly1305", "poly26/neon", "OpenSSL", nil, "slower"},
	} {
		v := stateOf(t, choose(t, tt.board, tt.algorithm, tt.excluded...), tt.technique, tt.whose)
		if v.State != tt.state {
			t.Errorf("%s %s: %s is %s (%+.1f %%), want %s", tt.board, tt.algorithm, v.Figure.Label(), v.State, 100*v.Behind, tt.state)
		}
	}
	// On Denver scalar code comes second, before Polyakov's vectors.
	verdicts := choose(t, "denver", "poly1305", "poly64/go").Verdicts()
	if second := verdicts[1].Figure; second.Technique != "poly64/asm" {
		t.Errorf("denver: %s comes second", second.Label())
	}
	// On the Snapdragon S4 the version that may not have used NEON is last but C.
	if got := choose(t, "snapdragon-s4", "poly1305").Bulk().CyclesPerByte; got == 7.58 {
		t.Error("snapdragon-s4: the one of 7.58 was chosen")
	}
}

// TestClasses plans for machines with two kinds of core. The choice must have
// the least worst-case regret for long messages among all candidates.
func TestClasses(t *testing.T) {
	for _, boards := range []string{"cortex-a53+cortex-a72", "cortex-a53+cortex-a76", "cortex-a76+cortex-a53"} {
		c := choose(t, boards, "chacha20")
		classes := append([][]published.Figure{c.Figures}, c.Others...)
		regret := func(i int) float64 {
			worst := 0.0
			for _, figures := range classes {
				best := slices.MinFunc(figures, func(a, b published.Figure) int {
					if perByte(a) < perByte(b) {
						return -1
					}
					return 1
				})
				worst = max(worst, perByte(figures[i])/perByte(best))
			}
			return worst
		}
		chosen := c.Table.Bulk.ID
		for i, f := range c.Figures {
			if regret(i) < regret(chosen)*(1-planner.MinGain) {
				t.Errorf("%s: %s has regret %.3f, the choice %s %.3f", boards, f.Label(), regret(i), c.Bulk().Label(), regret(chosen))
			}
		}
		t.Logf("%s: %s, regret %.3f", boards, c.Bulk().Label(), regret(chosen))
	}
}

func TestDeterminism(t *testing.T) {
	for _, name := range published.Names() {
		b, err := published.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, algorithm := range b.Algorithms() {
			first, second := choose(t, name, algorithm), choose(t, name, algorithm)
			if !reflect.DeepEqual(first.Table, second.Table) {
				t.Errorf("%s %s: two plans differ", name, algorithm)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	b, err := published.Load("denver")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New([]*published.Board{b}, "salsa20", ""); err == nil {
		t.Error("no error for an algorithm without figures")
	}
	if _, err := New([]*published.Board{b}, "poly1305", "nosuch"); err == nil {
		t.Error("no error for an unknown group")
	}
	if _, err := New([]*published.Board{b}, "poly1305", "", "poly26/neon", "poly64/asm", "poly64/go"); err == nil {
		t.Error("no error when nothing is left")
	}
}
