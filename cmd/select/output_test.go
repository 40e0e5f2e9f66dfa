package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// A fullDisk takes no output.
type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestOutputLost: what could not be printed is an error, whatever prints it.
func TestOutputLost(t *testing.T) {
	t.Setenv("QUARTERROUND", "mode=prior")
	for _, args := range []string{"", "--json", "--help", "list", "explain chacha20 64", "chart cortex-a7", "compare cortex-a7", "--regret", "--cpu cortex-a7"} {
		var stderr strings.Builder
		if status := run(strings.Fields(args), fullDisk{}, &stderr); status != exitUsage || !strings.Contains(stderr.String(), errFull.Error()) {
			t.Errorf("select %s: exit status %d: %s", args, status, stderr.String())
		}
	}
	if status := run(nil, io.Discard, io.Discard); status != exitFine {
		t.Errorf("exit status %d", status)
	}
}
