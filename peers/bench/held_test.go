//go:build amd64

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// childVariable names the level in the environment of a process that TestLevels
// starts.
const childVariable = "BENCH_TEST_LEVEL"

// TestLevels checks in a process at each level that golang.org/x/sys/cpu knows the
// names of what is off, and that it is off. OpenSSL's mask has the bits of the same
// features.
func TestLevels(t *testing.T) {
	for name, l := range levels {
		command := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.v")
		command.Env = append(os.Environ(), childVariable+"="+name, "GODEBUG="+l.godebug("cpu.sse42=off"))
		out, err := command.CombinedOutput()
		if err != nil || strings.Contains(string(out), "GODEBUG") || !strings.Contains(string(out), "PASS: TestChild") {
			t.Errorf("level %s: %v\n%s", name, err, out)
		}
	}
}

func TestChild(t *testing.T) {
	level := os.Getenv(childVariable)
	if level == "" {
		t.Log("nothing to check but in a process of TestLevels")
		return
	}
	x := &cpu.X86
	if x.HasSSE42 {
		t.Error("what GODEBUG said before is lost")
	}
	if x.HasAVX512F {
		t.Error("AVX-512 is there")
	}
	if level == "ssse3" && (x.HasAVX || x.HasAVX2 || x.HasFMA || x.HasBMI1 || x.HasBMI2 || x.HasADX) {
		t.Error("more than SSSE3 is there")
	}
}

func TestUnknownLevel(t *testing.T) {
	if _, err := measureHeld("sse2", nil); err == nil || !strings.Contains(err.Error(), "avx2 and ssse3") {
		t.Errorf("level sse2: %v", err)
	}
}
