// Package harness runs GNU assembly in C programs without a C library, in both byte
// orders of an architecture, for which Go and Debian have nothing: the programs are
// static and call the kernel themselves.
//
// A program includes freestanding.h, which is beside this file, checks each kernel with
// its own routines and reports it. Both byte orders must report the same digests.
package harness

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// A target is a byte order of an architecture. That of ARM is one with a division, since
// the library that has it as a routine exists in one byte order only.
type target struct {
	order, emulator string
	flags           []string
}

var targets = map[gnuas.Arch][2]target{
	gnuas.ARM: {
		{"little-endian", "qemu-arm-static", []string{"-marm", "-march=armv7ve", "-mfpu=neon"}},
		{"big-endian", "qemu-armeb-static", []string{"-marm", "-march=armv7ve", "-mfpu=neon", "-mbig-endian"}},
	},
	gnuas.ARM64: {
		{"little-endian", "qemu-aarch64-static", nil},
		{"big-endian", "qemu-aarch64_be-static", []string{"-mbig-endian"}},
	},
}

// Run builds the C source with the assembly files of a folder, which also has headers
// that the source includes, and fails the test unless the program reports each of the
// kernels as right, in both byte orders and with the same digests.
func Run(t *testing.T, a gnuas.Arch, dir, source string, kernels []string) {
	var digests [2]map[string]string
	for i, target := range targets[a] {
		t.Run(target.order, func(t *testing.T) {
			digests[i] = target.run(t, a, dir, source)
			for _, name := range kernels {
				if digests[i][name] == "" {
					t.Errorf("no report of %s", name)
				}
			}
		})
	}
	for _, name := range kernels {
		if little, big := digests[0][name], digests[1][name]; little != big && little != "" && big != "" {
			t.Errorf("%s: the byte orders have different results: digests %s and %s", name, little, big)
		}
	}
}

// reported matches the report of a kernel that is right.
var reported = regexp.MustCompile(`(?m)^(\S+) ok (\d+)$`)

// run returns the digests that the program reports.
func (target *target) run(t *testing.T, a gnuas.Arch, dir, source string) map[string]string {
	t.Helper()
	compiler := testenv.NeedTool(t, a.Compiler())
	emulator := testenv.NeedTool(t, target.emulator)
	assembly, err := filepath.Glob(filepath.Join(dir, "*.S"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "harness")
	args := slices.Concat([]string{"-O1", "-Wall", "-Werror", "-ffreestanding", "-nostdlib", "-static", "-I", dir, "-I", headers(), "-o", program, source}, target.flags, assembly)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(emulator, program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	digests := map[string]string{}
	for _, m := range reported.FindAllStringSubmatch(string(out), -1) {
		digests[m[1]] = m[2]
	}
	return digests
}

// headers returns the folder of this file.
func headers() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		panic("harness: no source path")
	}
	return filepath.Dir(file)
}
