package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/internal/vectors"
	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/harness"
)

// TestHarness runs the GNU text of all functions in a C program, in both byte orders.
func TestHarness(t *testing.T) {
	for _, arch := range []gnuas.Arch{gnuas.ARM, gnuas.ARM64} {
		t.Run(arch.GOARCH(), func(t *testing.T) {
			testenv.NeedTool(t, arch.Compiler())
			dir := t.TempDir()
			functions := writeGNU(t, dir, arch)
			harness.Run(t, arch, dir, "testdata/harness.c", functions)
		})
	}
}

// writeGNU writes a .S file for each set of the architecture and kernels.h, the tables
// that testdata/harness.c includes. It returns the names of the functions.
func writeGNU(t *testing.T, dir string, arch gnuas.Arch) []string {
	t.Helper()
	var functions []string
	var declarations, table strings.Builder
	for _, set := range names() {
		f := sets[set]()
		if f.Arch != arch {
			continue
		}
		for i := range f.Funcs {
			fn := &f.Funcs[i]
			fmt.Fprintf(&declarations, "void %s(void);\n", fn.Name)
			fmt.Fprintf(&table, "\t{\"%s\", %s, %d, %s},\n", fn.Name, kind(t, fn), iteration(fn), fn.Name)
			functions = append(functions, fn.Name)
		}
		write(t, filepath.Join(dir, strings.ReplaceAll(set, "/", "_")+".S"), f.GNU())
	}
	write(t, filepath.Join(dir, "kernels.h"), declarations.String()+
		"static const struct routine routines[] = {\n"+table.String()+"\t{0},\n};\n"+vectorTable())
	return functions
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// kinds are the harness's names for what functions do, by their arguments.
var kinds = map[string]string{
	"h r msg n":                  "ABSORB",
	"h r msg0 msg1 n":            "ABSORB_TWO",
	"x y":                        "MULTIPLY",
	"table r n":                  "POWERS",
	"h table msg n w":            "PAIRS",
	"h lanes table msg n":        "END",
	"lanes table msg n h r tail": "HYBRID",
	"dst src n state":            "STREAM",
	"dst src n state h r mac":    "FUSED",
}

// kind returns the harness's name for what a function does.
func kind(t *testing.T, fn *gnuas.Func) string {
	t.Helper()
	var args []string
	for _, arg := range fn.Args {
		args = append(args, arg.Name)
	}
	k, ok := kinds[strings.Join(args, " ")]
	if !ok {
		t.Fatalf("%s: testdata/harness.c has no check for functions of (%s)", fn.Name, strings.Join(args, ", "))
	}
	return k
}

// iteration returns the number of blocks that a function takes at a time, which its name
// says; the hybrid's lanes are eight.
func iteration(fn *gnuas.Func) int {
	n := 8
	if i := strings.LastIndex(fn.Name, "X"); i >= 0 {
		fmt.Sscan(fn.Name[i+1:i+2], &n)
	}
	return n
}

// vectorTable returns the published Poly1305 vectors as a C table.
func vectorTable() string {
	var b strings.Builder
	b.WriteString("static const struct vector vectors[] = {\n")
	for _, v := range vectors.Poly1305 {
		msg := vectors.Bytes(v.Message)
		fmt.Fprintf(&b, "\t{%s, %s, %s, %d},\n", literal(vectors.Bytes(v.Key)), literal(msg), literal(vectors.Bytes(v.Tag)), len(msg))
	}
	b.WriteString("\t{0},\n};\n")
	return b.String()
}

// literal returns bytes as a C array.
func literal(p []byte) string {
	s := strings.Trim(fmt.Sprint(p), "[]")
	return "(const u8[]){" + strings.ReplaceAll(s, " ", ",") + "}"
}
