package profile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// saved returns what Save writes.
func saved(t testing.TB, p *Profile) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.json")
	if err := Save(path, p); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDecodeLines: what Save writes is decoded by lines, and to what it is.
func TestDecodeLines(t *testing.T) {
	p := testProfile("a/x@8", "a/x@12", "b/y")
	p.Costs["classes/z"] = &Entry{Revision: 12, Classes: []Cost{{1.5, 2.25, 0, 0.001, 1e-7, 200}, {0, 123456, 9, 0, 0, 3}}}
	p.Costs["none/z"] = &Entry{Revision: 1}
	text := saved(t, p)
	if head, ok := header(p.Key); !ok || !strings.HasPrefix(text, head) {
		t.Errorf("a file begins\n%s\nnot\n%s", text[:len(head)], head)
	}
	got, ok := decodeLines(text, p.Key)
	if !ok || !reflect.DeepEqual(got, p) {
		t.Errorf("decoded by lines to %+v, %v", got, ok)
	}
	if got, err := decode([]byte(text)); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("decoded to %+v, %v", got, err)
	}
}

// TestDecodeEscapes: files with escapes, and such that were edited, are read as JSON.
func TestDecodeEscapes(t *testing.T) {
	p := testProfile("a/x@20", `quoted "name" \`, "<é>")
	p.Key.CPU = `the "best" & only`
	var compact strings.Builder
	if err := json.NewEncoder(&compact).Encode(p); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{saved(t, p), compact.String()} {
		path := filepath.Join(t.TempDir(), "p.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(path, p.Key); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
}

// TestDecodeChanged changes each byte of a file.
func TestDecodeChanged(t *testing.T) {
	p := testProfile("a/x@20", "b/y")
	p.Costs["c/z"] = &Entry{Revision: 2, Classes: []Cost{{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}}}
	text := saved(t, p)
	byLines := 0
	for i := range text {
		for _, by := range []string{"", "7", "z", " ", "\"", "\\", "\t", "\n", "|", ",", "{", "}", "-", "\x00", "\x7f", "\xff", "é"} {
			for _, end := range []int{i, i + 1} { // inserted, and replaced
				if sameAsJSON(t, text[:i]+by+text[end:], p.Key) {
					byLines++
				}
			}
		}
	}
	if byLines < len(text) {
		t.Errorf("only %d of the changed files were decoded by lines", byLines)
	}
}

// FuzzDecodeLines: what is decoded by lines is what encoding/json makes of it.
func FuzzDecodeLines(f *testing.F) {
	p := testProfile("a/x@20", "b/y")
	text := saved(f, p)
	for _, text := range []string{
		text,
		strings.Replace(text, "a/x", `a\/x`, 1),
		strings.Replace(text, "a/x", "b/y", 1),
		strings.Replace(text, " | ", "  |  ", 1),
		strings.Replace(text, "2026", "é", 1),
		text[:len(text)-1],
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameAsJSON(t, text, p.Key) })
}

// sameAsJSON reports whether text is decoded by lines, and fails unless to what
// encoding/json makes of it.
func sameAsJSON(t *testing.T, text string, key Key) bool {
	t.Helper()
	byLines, ok := decodeLines(text, key)
	if !ok {
		return false
	}
	if byJSON, err := decode([]byte(text)); err != nil || !equal(t, byLines, byJSON) {
		t.Errorf("%q:\n%+v\n%+v, %v", text, byLines, byJSON, err)
	}
	return true
}

// equal reports whether profiles are the same, those with figures that are none included.
func equal(t *testing.T, a, b *Profile) bool {
	t.Helper()
	if len(a.Costs) != len(b.Costs) || a.Schema != b.Schema || a.Key != b.Key {
		return false
	}
	for name, e := range a.Costs {
		other := b.Costs[name]
		if other == nil {
			return false
		}
		text, _ := e.MarshalText()
		otherText, _ := other.MarshalText()
		if string(text) != string(otherText) {
			return false
		}
	}
	return true
}

// BenchmarkLoad reads a profile of the usual size.
func BenchmarkLoad(b *testing.B) {
	var names []string
	for i := range 200 {
		names = append(names, EntryName(fmt.Sprintf("backend/kernel-x%d", i), 20))
	}
	path := filepath.Join(b.TempDir(), "p.json")
	if err := Save(path, testProfile(names...)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Load(path, testKey()); err != nil {
			b.Fatal(err)
		}
	}
}
