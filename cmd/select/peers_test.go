//go:build linux

package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

// TestBenchPeers builds the plugins and measures with them: each has its line, with
// its version in the report.
func TestBenchPeers(t *testing.T) {
	testenv.NeedTool(t, "go")
	testenv.NeedTool(t, "gcc")
	if text, err := exec.Command("go", "build", "-C", "../../peers", "-o", t.TempDir(), "./plugins/...").CombinedOutput(); err != nil {
		testenv.Missing(t, "the peers' headers: "+string(text))
	}
	arguments := []string{"bench", "chacha20poly1305", "--only", "auto", "--sizes", "64", "--rounds", "3", "--batch", "20us", "--peers=../../peers"}
	var stdout, stderr bytes.Buffer
	if status := run(append(arguments, "--csv"), &stdout, &stderr); status != exitFine {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	for _, name := range append([]string{"x/crypto"}, peerPlugins...) {
		if strings.Contains(stderr.String(), "without "+name) {
			testenv.Missing(t, stderr.String())
		}
		for _, mode := range []string{"encrypt", "decrypt"} {
			if !strings.Contains(stdout.String(), "chacha20poly1305,"+mode+",64,"+name+",peer,") {
				t.Errorf("no line for %s to %s in:\n%s%s", name, mode, stdout.String(), stderr.String())
			}
		}
	}
	stdout.Reset()
	if status := run(append(arguments, "--json"), &stdout, &stderr); status != exitFine {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	if !strings.Contains(stdout.String(), `"source": "OpenSSL `) {
		t.Errorf("no version of OpenSSL in %s", stdout.String())
	}
}
