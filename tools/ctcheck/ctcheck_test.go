package ctcheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

// inputs is the number of keys and messages that each kernel is traced on.
const inputs = 100

// build compiles the victim for the given environment.
func build(t *testing.T, env ...string) string {
	t.Helper()
	victim := filepath.Join(t.TempDir(), "victim")
	cmd := exec.Command("go", "build", "-o", victim, "./victim")
	cmd.Env = append(append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the victim: %v\n%s", err, out)
	}
	return victim
}

// kernelsOf lists the kernels of the victim, run under the emulator if there is
// one.
func kernelsOf(t *testing.T, victim string, emulator ...string) []Kernel {
	t.Helper()
	kernels, err := Kernels(victim, emulator...)
	if err != nil {
		t.Fatal(err)
	}
	return kernels
}

// checkAll checks kernels of the victim. Those of the leaky backend must be
// found out.
func checkAll(t *testing.T, trace Tracer, victim string, kernels []Kernel) {
	for _, k := range kernels {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel() // each trace is a process of its own
			if !strings.HasPrefix(k.Name, "leaky/") {
				if err := Check(trace, victim, k, inputs); err != nil {
					t.Error(err)
				}
				return
			}
			// A leak shows on few inputs, and is traced over and over.
			if err := Check(trace, victim, k, 12); err == nil {
				t.Error("the leak was not found")
			} else if !strings.Contains(err.Error(), "others") {
				t.Error(err)
			}
		})
	}
}

// emulatorAMD64 knows everything up to AVX2.
var emulatorAMD64 = []string{"qemu-x86_64", "-cpu", "max"}

// TestEmulated runs the kernels under QEMU, which sees addresses of data, too.
func TestEmulated(t *testing.T) {
	testenv.NeedTool(t, "gcc")
	for _, target := range []struct {
		name     string
		env      []string
		emulator []string
	}{
		{"arm", []string{"GOARCH=arm", "GOARM=7"}, []string{"qemu-arm", "-cpu", "cortex-a7"}},
		{"arm64", []string{"GOARCH=arm64"}, []string{"qemu-aarch64", "-cpu", "cortex-a53"}},
		{"amd64", []string{"GOARCH=amd64"}, emulatorAMD64},
	} {
		t.Run(target.name, func(t *testing.T) {
			testenv.NeedTool(t, target.emulator[0])
			plugin, err := BuildPlugin(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			victim := build(t, target.env...)
			var runnable []Kernel
			for _, k := range kernelsOf(t, victim, target.emulator...) {
				switch {
				case k.Missing == "":
					runnable = append(runnable, k)
				case target.name != "amd64": // of which TestStepped checks the rest
					t.Errorf("%s lacks %s, which %s needs", target.emulator[0], k.Missing, k.Name)
				}
			}
			checkAll(t, Emulated(plugin, target.emulator...), victim, runnable)
		})
	}
}
