package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
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
