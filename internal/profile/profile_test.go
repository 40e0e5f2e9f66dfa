package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/testenv"
)

func testKey() Key {
	return Key{Key: cpu.Key{GOOS: "linux", GOARCH: "arm", ByteOrder: "little", CPU: "410fc074", Features: "neon"}, Go: "go1.26.8"}
}

func testProfile(names ...string) *Profile {
	p := &Profile{Schema: Schema, Key: testKey(), Costs: map[string]*Entry{}}
	for i, name := range names {
		p.Costs[name] = &Entry{Revision: 1, Measured: "2026-11-30T10:00:00Z", Classes: []Cost{{Fixed: 5, PerStep: float64(100 + i), Samples: 8}}}
	}
	return p
}

func mustSave(t *testing.T, path string, p *Profile) {
	t.Helper()
	if err := Save(path, p); err != nil {
		t.Fatal(err)
	}
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "dir", "p.json")
	want := testProfile(EntryName("neon3core/chacha", 20), EntryName("poly26/neon", 0))
	mustSave(t, path, want)
	got, err := Load(path, testKey())
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if !bytes.Equal(a, b) {
		t.Errorf("got %s, want %s", b, a)
	}
	first, _ := os.ReadFile(path)
	mustSave(t, path, want)
	second, _ := os.ReadFile(path)
	if !bytes.Equal(first, second) {
		t.Error("writing the same twice gives different files")
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	files, _ := os.ReadDir(filepath.Dir(path))
	if len(files) != 1 {
		t.Errorf("%d files left behind", len(files)-1)
	}
}

func TestMerge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	mustSave(t, path, testProfile("a/x@20", "b/x@20"))
	newer := testProfile("c/x@20")
	newer.Costs["a/x@20"] = &Entry{Revision: 2}
	mustSave(t, path, newer)
	got, err := Load(path, testKey())
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Costs) != 3 || got.Costs["a/x@20"].Revision != 2 || got.Costs["b/x@20"].Revision != 1 {
		t.Errorf("merged to %v", got.Costs)
	}
}

// TestEntryText: what a text says is what it is made from, to six digits, whatever the
// classes of core.
func TestEntryText(t *testing.T) {
	for _, e := range []Entry{
		{Revision: 3},
		{Revision: 1, Measured: "2026-11-30T10:00:00Z", Classes: []Cost{{1.5, 2.25, 0, 0.001, 1e-7, 200}}},
		{Revision: 1, Measured: "2026-11-30T10:00:00Z", Classes: []Cost{{0, 123456, 9, 0, 0, 3}, {1, 2, 3, 4, 5, 6}}},
	} {
		text, err := e.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got Entry
		if err := got.UnmarshalText(text); err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// TestWriters saves from many goroutines at once; no entry may be lost.
func TestWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := Save(path, testProfile(fmt.Sprintf("kernel/%d", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	p, err := Load(path, testKey())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Costs) != 8 {
		t.Errorf("%d of 8 entries are left", len(p.Costs))
	}
}

func TestAbandonedLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(path+".lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(path+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	mustSave(t, path, testProfile("a/x"))
}

// TestLockFromTheFuture has a lock that seems to be made later: the clock of the
// bubble is long past.
func TestLockFromTheFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "p.json")
		if err := os.WriteFile(path+".lock", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		mustSave(t, path, testProfile("a/x"))
		if waited := time.Since(start); waited < abandoned {
			t.Errorf("the lock was removed after %v", waited)
		}
	})
}

func TestLockThatStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	if err := os.MkdirAll(path+".lock/in-use", 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(path+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	if err := Save(path, testProfile("a/x")); err == nil {
		t.Error("saved beside a lock that cannot be removed")
	}
}

// TestDamage makes files of all the wrong kinds.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "good.json")
	mustSave(t, path, testProfile("a/x@20"))
	good, _ := os.ReadFile(path)
	change := func(from, to string) []byte {
		if !strings.Contains(string(good), from) {
			t.Fatalf("%q is not in the file", from)
		}
		return []byte(strings.Replace(string(good), from, to, 1))
	}
	for name, tt := range map[string]struct {
		text []byte
		want error
	}{
		"truncated":    {good[:len(good)/2], ErrDamaged},
		"empty":        {nil, ErrDamaged},
		"newer":        {change(`"schema": 1`, `"schema": 2`), ErrNewer},
		"newer shape":  {[]byte(`{"schema": 9, "key": [], "costs": "?"}`), ErrNewer},
		"no schema":    {change(`"schema": 1`, `"schema": 0`), ErrDamaged},
		"other cpu":    {change("410fc074", "410fc090"), ErrForeign},
		"other go":     {change("go1.26.8", "go1.25"), ErrForeign},
		"negative":     {change("| 5 100 ", "| 5 -100 "), ErrDamaged},
		"free":         {change("| 5 100 ", "| -5 100 "), ErrDamaged},
		"huge":         {change("| 5 100 ", "| 5 1e300 "), ErrDamaged},
		"no number":    {change("| 5 100 ", "| 5 hundred "), ErrDamaged},
		"one less":     {change("| 5 100 ", "| 5 "), ErrDamaged},
		"no samples":   {change(" 8\"", " \""), ErrDamaged},
		"no revision":  {change(`"1 2026`, `"one 2026`), ErrDamaged},
		"other type":   {change(`"1 2026-11-30T10:00:00Z | 5 100 0 0 0 8"`, "1"), ErrDamaged},
		"binary":       {[]byte{0xff, 0, 0xfe}, ErrDamaged},
		"long and bad": {bytes.Repeat([]byte(" "), maxSize+1), ErrDamaged},
	} {
		path := filepath.Join(dir, "bad.json")
		if err := os.WriteFile(path, tt.text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, testKey()); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", name, err, tt.want)
		}
		err := Save(path, testProfile("b/x"))
		if damaged := errors.Is(tt.want, ErrDamaged); (err == nil) != damaged {
			t.Errorf("%s: saving over it: error %v", name, err)
		}
	}
}

// TestPlaces gives paths that are no ordinary file.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		testenv.Missing(t, fmt.Sprintf("symbolic links: %v", err))
	}
	large := filepath.Join(dir, "large")
	file, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(1 << 30); err != nil { // sparse
		testenv.Missing(t, fmt.Sprintf("sparse files: %v", err))
	}
	file.Close()
	for _, path := range []string{loop, large, dir} {
		if _, err := Load(path, testKey()); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v", filepath.Base(path), err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "none", "p.json")} {
		if _, err := Load(path, testKey()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v, want one of a missing file", err)
		}
	}
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "file", "p.json") // below a file nobody can write, root included
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Save(below, testProfile("a/x")); err == nil {
		t.Error("saved below a file")
	}
	readOnly := dir
	if os.Getuid() == 0 {
		readOnly = "/proc" // where not even root makes files
		if _, err := os.Stat(readOnly); err != nil {
			testenv.Missing(t, "a directory that is read-only for root")
		}
	}
	os.Chmod(dir, 0o500)
	defer os.Chmod(dir, 0o700)
	if err := Save(filepath.Join(readOnly, "p.json"), testProfile("a/x")); err == nil {
		t.Error("saved to a read-only directory")
	}
}

func TestPath(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	a, err := Path(testKey())
	if err != nil {
		testenv.Missing(t, fmt.Sprintf("a cache directory: %v", err))
	}
	other := testKey()
	other.Features = "neon vfpv4"
	b, _ := Path(other)
	if a == b || !strings.Contains(a, "quarterround") {
		t.Errorf("paths %q and %q", a, b)
	}
}
