package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/registry"
)

// TestCounts checks that no assembly kernel executes more instructions than
// were recorded, by more than a hundredth.
func TestCounts(t *testing.T) {
	recorded := readRecord(t)
	l := needLab(t, mustOptions(t, "^[a-z0-9]+/", ""))
	for i := range l.routines {
		r := l.routines[i]
		if !r.asm {
			continue
		}
		name := r.arch.Name + " " + r.name
		t.Run(name, func(t *testing.T) {
			want, ok := recorded[name]
			if !ok {
				testenv.Missing(t, "a line in "+recordFile+": go run ./cyclemodel -record")
			}
			got, err := l.recorded(r)
			if err != nil {
				t.Fatal(err)
			}
			if got > want+want/100 {
				t.Errorf("executes %d instructions for %d bytes, recorded are %d", got, recordLength, want)
			}
		})
	}
}

// readRecord reads recordFile.
func readRecord(t *testing.T) map[string]int {
	t.Helper()
	f, err := os.Open(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	recorded := map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var arch, name string
		var n int
		if _, err := fmt.Fscan(strings.NewReader(s.Text()), &arch, &name, &n); err != nil {
			t.Fatalf("%s: %q: %v", recordFile, s.Text(), err)
		}
		recorded[arch+" "+name] = n
	}
	return recorded
}

// TestLimits holds what is portable or around the kernels to limits in executed
// instructions a byte.
func TestLimits(t *testing.T) {
	const seal, open = "quarterround/chacha20poly1305", "quarterround/chacha20poly1305-open"
	portable := strings.ReplaceAll("A=generic/chacha,A=poly32/go", "A", "chacha20poly1305")
	l := needLab(t, mustOptions(t, "^[a-z0-9]+/", ""))
	for _, limit := range []struct {
		arch, name, override string
		bytes                int
		perByte              float64
	}{
		{"arm", "generic/chacha", "", 16384, 28.2},
		{"arm", "generic/salsa", "", 16384, 27},
		{"arm", "poly32/go", "", 16384, 13},
		{"arm", seal, portable, 16384, 43},
		{"arm", open, portable, 16384, 43},
		{"arm", seal, "", 64, 40},
		{"arm", open, "", 64, 40},
		{"arm64", seal, "", 64, 22},
		{"arm64", open, "", 64, 22},
	} {
		t.Run(fmt.Sprintf("%s/%s/%d", limit.arch, limit.name, limit.bytes), func(t *testing.T) {
			t.Setenv(registry.EnvironmentVariable, limit.override)
			i := slices.IndexFunc(l.routines, func(r routine) bool { return r.arch.Name == limit.arch && r.name == limit.name })
			r := &l.routines[i]
			tr, err := l.tracer.Run(r.prog, r.name, "count", strconv.Itoa(limit.bytes), "1")
			if err != nil {
				t.Fatal(err)
			}
			if got := float64(len(tr.Order)) / float64(limit.bytes); got > limit.perByte {
				t.Errorf("executes %.2f instructions a byte, at most %.1f are allowed", got, limit.perByte)
			}
		})
	}
}
