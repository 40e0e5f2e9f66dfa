//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestInterrupt sends what Ctrl-C sends, when the first round of all cells is done:
// what was measured is printed, and the exit status tells.
func TestInterrupt(t *testing.T) {
	t.Setenv("QUARTERROUND", "mode=prior")
	defer func(before func(io.Writer) func(float64)) { newBar = before }(newBar)
	newBar = func(io.Writer) func(float64) {
		once, calls := sync.Once{}, 0
		return func(float64) {
			if calls++; calls > 10 {
				once.Do(func() {
					if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
	var stdout, stderr bytes.Buffer
	arguments := []string{"bench", "chacha20", "--only", "auto,generic", "--sizes", "64,100", "--rounds", "1000000", "--batch", "20us", "--budget", "10m"}
	if status := run(arguments, &stdout, &stderr); status != exitUsage {
		t.Errorf("status %d", status)
	}
	if !strings.Contains(stdout.String(), "chacha20 encrypt, 100 B") || !strings.Contains(stdout.String(), "warning: interrupted") {
		t.Errorf("got %s", stdout.String())
	}
	if !strings.Contains(stderr.String(), "interrupted: only a part was measured") {
		t.Errorf("got %s", stderr.String())
	}
}
