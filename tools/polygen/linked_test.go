package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// disassembled matches a line of objdump: address, word, text.
var disassembled = regexp.MustCompile(`(?m)^\s*[0-9a-f]+:\t([0-9a-f]{8}) *\t`)

// TestDisassembly links the functions into a Go program, has objdump disassemble them
// there, and looks for the words that the assembler makes of their text: all of them,
// in a row.
func TestDisassembly(t *testing.T) {
	for set, path := range files {
		t.Run(set, func(t *testing.T) {
			f := sets[set]()
			testenv.NeedTool(t, f.Arch.Assembler())
			testenv.NeedTool(t, f.Arch.Objdump())
			program := buildTest(t, f.Arch, filepath.Dir(path))
			for _, fn := range f.Funcs {
				compareWords(t, f.Arch, &fn, program, filepath.ToSlash(filepath.Dir(path)))
			}
		})
	}
}

// buildTest builds the test program of a folder of the library.
func buildTest(t *testing.T, arch gnuas.Arch, folder string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "test", "-c", "-o", program, "./"+folder)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARM=7", "GOARCH="+arch.GOARCH())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func compareWords(t *testing.T, arch gnuas.Arch, fn *gnuas.Func, program, pkg string) {
	t.Helper()
	symbol := "github.com/quarterround/quarterround/" + pkg + "." + fn.Name
	if arch == gnuas.ARM64 { // has a second calling convention, assembly uses the first
		symbol += ".abi0"
	}
	out, err := exec.Command(arch.Objdump(), "-d", "-z", "--disassemble="+symbol, program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range disassembled.FindAllSubmatch(out, -1) {
		got = append(got, string(m[1]))
	}
	lines, err := gnuas.Assemble(arch, fn.Text)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, l := range lines {
		if l.Instruction {
			want = append(want, fmt.Sprintf("%08x", l.Word))
		}
	}
	if !strings.Contains(strings.Join(got, " "), strings.Join(want, " ")) {
		t.Errorf("%s: its %d words are not in a row among the %d of the program", fn.Name, len(want), len(got))
	}
}
