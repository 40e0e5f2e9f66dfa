package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/published"
	"github.com/quarterround/quarterround/internal/testenv"
)

func testReport() *Report {
	return &Report{
		Schema: Schema, Board: "a board", Date: "2026-11-30",
		Host: Host{CPU: cpu.Identity{GOOS: "linux", GOARCH: "arm", ByteOrder: "little", Model: "cortex-a7", Governor: "performance"},
			Features: []string{"neon"}, GoVersion: "go1.26", ClockHz: 1.4e9, ClockSource: "-f"},
		Warnings: []string{"busy"},
		Points: []Point{
			{Algorithm: "chacha20", Mode: Encrypt, Length: 64, Candidate: "auto", Kind: Plan, Nanoseconds: 150, Spread: 0.01, Rounds: 10, Cycles: 210},
			{Algorithm: "poly1305", Mode: Call, Candidate: "generic", Kind: Backend, Nanoseconds: 9.5, Rounds: 10},
		},
		Choices: []Choice{{Algorithm: "chacha20", Length: 64, Steps: "generic/chacha x1", Provenance: "measured"}},
	}
}

func TestRoundTrip(t *testing.T) {
	file := filepath.Join(t.TempDir(), "board.json")
	if err := os.WriteFile(file, []byte("what was there before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Save(file, testReport()); err != nil {
		t.Fatal(err)
	}
	got, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := testReport(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if left, _ := filepath.Glob(file + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSaveRefusesWhatLoadWould(t *testing.T) {
	file := filepath.Join(t.TempDir(), "board.json")
	r := testReport()
	r.Points[1].Nanoseconds = math.Inf(1)
	if err := Save(file, r); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file: %v", err)
	}
}

// TestWrongFiles checks that each fault is told by kind and place.
func TestWrongFiles(t *testing.T) {
	whole, err := json.MarshalIndent(testReport(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	with := func(old, new string) string {
		if !bytes.Contains(whole, []byte(old)) {
			t.Fatalf("no %s in %s", old, whole)
		}
		return strings.Replace(string(whole), old, new, 1)
	}
	for _, test := range []struct {
		name, text string
		kind       error
		place      string
	}{
		{"empty", " \n", ErrDamaged, ""},
		{"cut", string(whole[:len(whole)/2]), ErrDamaged, "line "},
		{"garbage", "{\n \"schema\": 1,\n  x", ErrDamaged, "line 3, column 3"},
		{"more behind", string(whole) + "{}", ErrDamaged, "line "},
		{"list", "[1, 2]", ErrForeign, "line 1"},
		{"profile", `{"schema": 1, "key": {}, "costs": {}}`, ErrForeign, ""},
		{"newer", `{"schema": 99, "points": {"other": 1}}`, ErrNewer, "schema"},
		{"negative schema", `{"schema": -1, "points": []}`, ErrDamaged, "schema"},
		{"no title", with(`"a board"`, `""`), ErrDamaged, "board"},
		{"type", with(`"ns": 150`, `"ns": "150"`), ErrDamaged, "points.ns"},
		{"negative", with(`"ns": 150`, `"ns": -150`), ErrDamaged, "points[0].ns"},
		{"no figure", with(`"ns": 9.5`, `"ns": 0`), ErrDamaged, "points[1]"},
		{"mode", with(`"call"`, `"cook"`), ErrDamaged, "points[1].mode"},
		{"kind", with(`"plan"`, `"plane"`), ErrDamaged, "points[0].kind"},
		{"length", with(`"length": 64`, `"length": -64`), ErrDamaged, "points[0].length"},
		{"clock", with(`1400000000`, `-4`), ErrDamaged, "host.clock_hz"},
		{"escape", with(`"auto"`, `"\u001b[2J"`), ErrDamaged, "points[0].candidate"},
		{"escape in the governor", with(`"performance"`, `"\u009b2J"`), ErrDamaged, "host.cpu.governor"},
		{"long", with(`"busy"`, `"`+strings.Repeat("x", 2000)+`"`), ErrDamaged, "warnings[0]"},
		{"line break in steps", with(`chacha x1`, `chacha\nx1`), ErrDamaged, "choices[0].steps"},
	} {
		_, err := Decode("FILE", []byte(test.text))
		var wrong *FileError
		if !errors.As(err, &wrong) || wrong.File != "FILE" || !errors.Is(err, test.kind) || !strings.Contains(wrong.Place, test.place) {
			t.Errorf("%s: got %v", test.name, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "FILE: ") {
			t.Errorf("%s: the error begins without the file: %v", test.name, err)
		}
	}
	twice := testReport()
	twice.Points = append(twice.Points, twice.Points[0])
	if err := twice.validate(); err == nil || err.Place != "points[2]" {
		t.Errorf("a point that is there twice: %v", err)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load(dir); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder: %v", err)
	}
	huge := filepath.Join(dir, "huge")
	if err := os.WriteFile(huge, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 1<<40); err != nil {
		testenv.Missing(t, fmt.Sprintf("sparse files: %v", err))
	}
	if _, err := Load(huge); !errors.Is(err, ErrHuge) {
		t.Errorf("a terabyte: %v", err)
	}
}

// TestUnknownFields are of later versions that did not have to raise the schema.
func TestUnknownFields(t *testing.T) {
	if _, err := Decode("f", []byte(`{"schema": 1, "board": "b", "points": [], "later": 1, "host": {"cpu": {"later": 2}}}`)); err != nil {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	whole, err := json.Marshal(testReport())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"schema": 1, "points": [{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Decode("f", text)
		if err != nil {
			var wrong *FileError
			if !errors.As(err, &wrong) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode("f", again); err != nil {
			t.Errorf("read once but not twice: %v", err)
		}
	})
}

// TestBuiltIn converts every built-in board, and each of its groups by name.
func TestBuiltIn(t *testing.T) {
	for _, name := range BuiltInNames() {
		b, err := published.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{name}
		for _, g := range b.Groups {
			names = append(names, name+"@"+g.Name)
		}
		for _, name := range names {
			r, err := BuiltIn(name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if wrong := r.validate(); wrong != nil || len(r.Points) == 0 || !r.Published || r.Emulated() {
				t.Errorf("%s: %d points, %v", name, len(r.Points), wrong)
			}
		}
	}
	var unknown *published.UnknownError
	for _, name := range []string{"cortex-a6", "cortex-a9@none"} {
		if _, err := BuiltIn(name); !errors.As(err, &unknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBuiltInFigure(t *testing.T) {
	r, err := BuiltIn("Cortex-A9")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, p := range r.Points {
		if p.Algorithm == "chacha20" {
			found[p.Technique] = p.Cycles * 64
		}
	}
	if found["generic/chacha"] != 1290.57 || found["neon1way/chacha"] != 1137.44 || len(found) != 2 {
		t.Errorf("cycles a block: %v", found)
	}
}
