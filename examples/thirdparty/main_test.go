package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// keystream is the start of the block of RFC 8439 A.1 test vector #1.
const keystream = "76b8e0ada0f13d90405d6ae55386bd28"

func TestShownAndUsed(t *testing.T) {
	program := filepath.Join(t.TempDir(), "thirdparty")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for override, want := range map[string]string{"": "rows/chacha: ", "rows": "rows/chacha: forced", "-rows": "rows/chacha: excluded"} {
		command := exec.Command(program)
		command.Env = append(os.Environ(), "QUARTERROUND="+override)
		out, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) || !strings.Contains(string(out), keystream) {
			t.Errorf("QUARTERROUND=%q: %v\n%s", override, err, out)
		}
	}
}
