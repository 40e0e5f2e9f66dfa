package registry

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestParseOverride(t *testing.T) {
	for _, text := range []string{"", " ", "\t"} {
		if words, err := parseOverride(text); err != nil || len(words) != 0 {
			t.Errorf("%q: %v, %v, want no words", text, words, err)
		}
	}
	words, err := parseOverride(" AVX2 ,chacha20 = Neon1way, chacha20@>1024=poly26/neon,salsa20@<=256=x,poly1305@<5=y,poly1305@>=7=z," +
		"-ssse3,?neon3core,mode=Prior,profile=/A/b=c.json,budget=2ms,plugins=/x:/y")
	if err != nil {
		t.Fatal(err)
	}
	want := []word{
		{verb: verbForce, everywhere: true, name: "avx2", lengths: allLengths},
		{verb: verbForce, algorithm: ChaCha20, name: "neon1way", lengths: allLengths},
		{verb: verbForce, algorithm: ChaCha20, name: "poly26/neon", lengths: lengthRange{1025, math.MaxInt}},
		{verb: verbForce, algorithm: Salsa20, name: "x", lengths: lengthRange{0, 256}},
		{verb: verbForce, algorithm: Poly1305, name: "y", lengths: lengthRange{0, 4}},
		{verb: verbForce, algorithm: Poly1305, name: "z", lengths: lengthRange{7, math.MaxInt}},
		{verb: verbExclude, everywhere: true, name: "ssse3", lengths: allLengths},
		{verb: verbPrefer, everywhere: true, name: "neon3core", lengths: allLengths},
		{verb: verbMode, value: "prior", lengths: allLengths},
		{verb: verbProfile, value: "/A/b=c.json", lengths: allLengths},
		{verb: verbBudget, budget: 2 * time.Millisecond, lengths: allLengths},
		{verb: verbPlugins, lengths: allLengths},
	}
	if len(words) != len(want) {
		t.Fatalf("%d words, want %d", len(words), len(want))
	}
	for i, w := range words {
		x := want[i]
		if w.place != i+1 || w.verb != x.verb || w.everywhere != x.everywhere || w.algorithm != x.algorithm ||
			w.name != x.name || w.lengths != x.lengths || w.value != x.value || w.budget != x.budget {
			t.Errorf("word %d: %+v, want %+v", i+1, w, x)
		}
	}
	if got := strings.Join(words[11].pluginsPaths, " "); got != "/x /y" {
		t.Errorf("plugins %q", got)
	}
}

func TestParseOverrideErrors(t *testing.T) {
	tests := []struct {
		text  string
		place int
		kind  error
	}{
		{"generic,,avx2", 2, ErrSyntax},
		{",", 1, ErrSyntax},
		{"-", 1, ErrSyntax},
		{"?", 1, ErrSyntax},
		{"generic/", 1, ErrSyntax},
		{"/chacha", 1, ErrSyntax},
		{"chacha20=", 1, ErrSyntax},
		{"mode=fast", 1, ErrUnknownName},
		{"budget=10", 1, ErrSyntax},
		{"budget=-1ms", 1, ErrSyntax},
		{"chacha21=generic", 1, ErrUnknownName},
		{"chacha20@=generic", 1, ErrSyntax},
		{"chacha20@256=generic", 1, ErrSyntax},
		{"chacha20@>=generic", 1, ErrSyntax},
		{"chacha20@>1k=generic", 1, ErrSyntax},
		{"chacha20@<0=generic", 1, ErrSyntax},
		{"chacha20@>-5=generic", 1, ErrSyntax},
		{"chacha20@>99999999999999999999=generic", 1, ErrSyntax},
		{"generic,chacha20@>1024=", 2, ErrSyntax},
	}
	for _, tt := range tests {
		_, err := parseOverride(tt.text)
		var override *OverrideError
		if !errors.As(err, &override) {
			t.Errorf("%q: %v, want an OverrideError", tt.text, err)
			continue
		}
		if override.Place != tt.place || !errors.Is(err, tt.kind) {
			t.Errorf("%q: place %d, %v; want %d, %v", tt.text, override.Place, err, tt.place, tt.kind)
		}
	}
}

func TestNearestFirst(t *testing.T) {
	got := nearestFirst("chaha20", []string{"salsa20", "chacha8", "chacha20", "chacha20"})
	if got[0] != "chacha20" || len(got) != 3 {
		t.Errorf("%v", got)
	}
}
