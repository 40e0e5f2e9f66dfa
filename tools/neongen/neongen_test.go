package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/harness"
)

// library is the folder of the library module.
const library = "../.."

func needAssemblers(t *testing.T) {
	t.Helper()
	testenv.NeedTool(t, gnuas.ARM.Assembler())
	testenv.NeedTool(t, gnuas.ARM64.Assembler())
}

// TestGenerated compares the files in the library with what is generated now.
func TestGenerated(t *testing.T) {
	needAssemblers(t)
	for _, f := range files() {
		want, err := f.GoAssembly()
		if err != nil {
			t.Fatalf("%s: %v", f.path, err)
		}
		got, err := os.ReadFile(filepath.Join(library, f.path))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what neongen writes; run go generate", f.path)
		}
	}
}

// TestDisassembly links the kernels into a Go program, has objdump disassemble
// them there, and compares its text with the comment beside each word.
func TestDisassembly(t *testing.T) {
	needAssemblers(t)
	for _, f := range files() {
		t.Run(f.backend()+"_"+f.arch.GOARCH(), func(t *testing.T) {
			testenv.NeedTool(t, f.arch.Objdump())
			program := buildTest(t, f)
			for _, fn := range f.assembly().Funcs {
				compareDisassembly(t, f, fn, program)
			}
		})
	}
}

// buildTest builds the test program of the file's backend for its GOARCH.
func buildTest(t *testing.T, f *file) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "test", "-c", "-o", program, "./backends/"+f.backend())
	cmd.Dir = library
	cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARM=7", "GOARCH="+f.arch.GOARCH())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// disassembled matches a line of objdump: address, word, text.
var disassembled = regexp.MustCompile(`^\s*[0-9a-f]+:\t([0-9a-f]{8}) *\t(.*)$`)

func compareDisassembly(t *testing.T, f *file, fn gnuas.Func, program string) {
	t.Helper()
	symbol := "github.com/quarterround/quarterround/backends/" + f.backend() + "." + fn.Name
	if f.arch == gnuas.ARM64 { // has a second calling convention, assembly uses the first
		symbol += ".abi0"
	}
	out, err := exec.Command(f.arch.Objdump(), "-d", "-z", "--disassemble="+symbol, program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var words, texts []string
	for line := range strings.SplitSeq(string(out), "\n") {
		if m := disassembled.FindStringSubmatch(line); m != nil {
			words, texts = append(words, m[1]), append(texts, m[2])
		}
	}
	lines, err := gnuas.Assemble(f.arch, fn.Text)
	if err != nil {
		t.Fatal(err)
	}
	at := find(words, lines)
	if at < 0 {
		t.Fatalf("%s: the words are not in the program", fn.Name)
	}
	for _, l := range lines {
		if !l.Instruction {
			continue
		}
		if got, want := canonical(texts[at]), canonical(l.Text); got != want {
			t.Errorf("%s: word %s is %q, beside it stands %q", fn.Name, words[at], got, want)
		}
		at++
	}
}

// find returns the index in words where the instructions of lines begin, all of
// them in a row.
func find(words []string, lines []gnuas.Line) int {
	var want []string
	for _, l := range lines {
		if l.Instruction {
			want = append(want, fmt.Sprintf("%08x", l.Word))
		}
	}
	for i := 0; i+len(want) <= len(words); i++ {
		if strings.Join(words[i:i+len(want)], "") == strings.Join(want, "") {
			return i
		}
	}
	return -1
}

var (
	trailing   = regexp.MustCompile(`\s*(;|//|@).*$`)
	hex        = regexp.MustCompile(`#0x[0-9a-f]+`)
	rotated    = regexp.MustCompile(`^mov (r\d+), (r\d+), ror (#\d+)$`)
	vectorMove = regexp.MustCompile(`^vmov (q\d+), (q\d+)$`)
	target     = regexp.MustCompile(`^(b|bne|b\.ne)\s.*`)
	list       = regexp.MustCompile(`\{d(\d+)(\[\])?-d(\d+)(\[\])?\}`)
)

// canonical brings an instruction to the one form that kernels and objdump are
// compared in: aliases by their first name, numbers in decimal, register lists
// in full, branches without their target.
func canonical(s string) string {
	s = trailing.ReplaceAllString(s, "")
	s = strings.Join(strings.Fields(s), " ")
	s = target.ReplaceAllString(s, "$1")
	s = hex.ReplaceAllStringFunc(s, func(h string) string {
		var n uint64
		fmt.Sscanf(h, "#0x%x", &n)
		return fmt.Sprintf("#%d", n)
	})
	s = rotated.ReplaceAllString(s, "ror $1, $2, $3")
	s = vectorMove.ReplaceAllString(s, "vorr $1, $2, $2")
	s = strings.Replace(s, "vshl.i32 ", "vshl.s32 ", 1)
	s = strings.Replace(s, "movz ", "mov ", 1)
	s = strings.Replace(s, ", #0]", "]", 1)
	s = list.ReplaceAllString(s, "{d$1$2, d$3$4}")
	for number, name := range map[string]string{"10": "sl", "11": "fp", "12": "ip", "14": "lr"} {
		s = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(s, "r"+number)
	}
	return s
}

// TestHarness runs the generated GNU text in a C program, in both byte orders.
func TestHarness(t *testing.T) {
	needAssemblers(t)
	for _, arch := range []gnuas.Arch{gnuas.ARM, gnuas.ARM64} {
		t.Run(arch.GOARCH(), func(t *testing.T) {
			dir := t.TempDir()
			if err := writeGNU(dir, arch.GOARCH()); err != nil {
				t.Fatal(err)
			}
			harness.Run(t, arch, dir, "testdata/harness.c", kernelNames(arch))
		})
	}
}

// kernelNames lists the kernels of an architecture.
func kernelNames(arch gnuas.Arch) []string {
	var names []string
	for _, f := range files() {
		if f.arch != arch {
			continue
		}
		for _, k := range f.kernels {
			names = append(names, f.backend()+"/"+k.name)
		}
	}
	return names
}
