package compat

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/quarterround/quarterround/internal/testenv"
)

// TestBenchstat reads what select bench --benchstat prints with benchstat's own
// reader: every line is understood, and the parts of the names are what benchstat
// groups by.
func TestBenchstat(t *testing.T) {
	program := filepath.Join(t.TempDir(), "select")
	build := exec.Command(testenv.NeedTool(t, "go"), "build", "-o", program, "github.com/quarterround/quarterround/cmd/select")
	build.Dir = ".."
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	bench := exec.Command(program, "bench", "chacha20", "poly1305", "--only", "auto,generic,poly64/go", "--sizes", "64,1k", "--rounds", "4", "--batch", "20us", "--benchstat")
	var stderr bytes.Buffer
	bench.Stderr = &stderr
	text, err := bench.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	results := map[string]int{}
	reader := benchfmt.NewReader(bytes.NewReader(text), "select bench")
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(record)
		case *benchfmt.Result:
			results[string(record.Name)]++
			if record.GetConfig("goarch") == "" || record.GetConfig("pkg") == "" {
				t.Errorf("no goarch or pkg with %s", record.Name)
			}
			if seconds, ok := record.Value("sec/op"); !ok || seconds <= 0 || seconds > 1 {
				t.Errorf("%s: %v sec/op", record.Name, seconds)
			}
			if _, ok := record.Value("B/s"); ok == bytes.Contains(record.Name, []byte("/len=0")) {
				t.Errorf("%s: speed %v", record.Name, ok)
			}
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"/alg=chacha20/mode=encrypt/len=64/by=auto-1",
		"/alg=chacha20/mode=encrypt/len=1024/by=generic.chacha-1",
		"/alg=poly1305/mode=update/len=64/by=poly64.go-1",
		"/alg=poly1305/mode=call/len=0/by=auto-1",
	} {
		if results[name] != 4 {
			t.Errorf("%s has %d lines, want one for each of 4 rounds; there are %v", name, results[name], results)
		}
	}
}
