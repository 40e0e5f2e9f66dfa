package dropin_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

const module = "github.com/quarterround/quarterround"

// packages are what programs import.
var packages = []string{"chacha20", "chacha20poly1305", "poly1305", "salsa20", "salsa20/salsa", "nacl/secretbox"}

// TestDependencies lists what importing a drop-in package, or the root package,
// links: of other modules only golang.org/x/sys.
func TestDependencies(t *testing.T) {
	goTool := testenv.NeedTool(t, "go")
	for _, name := range append([]string{"."}, packages...) {
		output, err := exec.Command(goTool, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "../../"+name).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		ours := 0
		for _, path := range strings.Fields(string(output)) {
			switch {
			case path == module || strings.HasPrefix(path, module+"/"):
				ours++
				if strings.Contains(path, "/cmd/") || strings.HasSuffix(path, "test") {
					t.Errorf("%s links %s", name, path)
				}
			case path == "golang.org/x/sys" || strings.HasPrefix(path, "golang.org/x/sys/"):
			default:
				t.Errorf("%s links %s", name, path)
			}
		}
		if ours < 3 {
			t.Errorf("%s: go list says %q", name, output)
		}
	}
}

const countGoroutines = `package main

import (
	"os"
	"runtime"
%s)

func main() {
	if runtime.NumGoroutine() != 1 {
		stacks := make([]byte, 1<<16)
		os.Stdout.Write(stacks[:runtime.Stack(stacks, true)])
	}
}
`

// TestInitStartsNothing starts a program that imports everything. Before main
// no goroutine may have been started, and registering is all that may have
// happened: a plan, a self-test or a measurement allocates a great deal more. The
// environment is not looked at before first use.
func TestInitStartsNothing(t *testing.T) {
	program := build(t, fmt.Sprintf(countGoroutines, imports(packages)))
	output := run(t, []string{"GODEBUG=inittrace=1", "QUARTERROUND=nosuch"}, program)
	traced := 0
	for _, line := range strings.Split(output, "\n") {
		switch {
		case strings.HasPrefix(line, "init "+module):
			// init PATH @1.2 ms, 0.034 ms clock, 1234 bytes, 5 allocs
			traced++
			fields := strings.Fields(line)
			if n, err := strconv.Atoi(fields[len(fields)-2]); err != nil || n > 100 {
				t.Errorf("more happens than registering: %s (%v)", line, err)
			}
		case line != "" && !strings.HasPrefix(line, "init "):
			t.Errorf("started before main: %s", line)
		}
	}
	if traced < 5 {
		t.Errorf("the trace has %d of our packages:\n%s", traced, output)
	}
}

// TestInitOpensNothing lets strace list the files that a program which imports
// everything opens. The Go runtime itself opens one on Linux.
func TestInitOpensNothing(t *testing.T) {
	strace := testenv.NeedTool(t, "strace")
	const program = "package main\n\nimport (\n%s)\n\nfunc main() {}\n"
	with := opened(t, strace, build(t, fmt.Sprintf(program, imports(packages))))
	without := opened(t, strace, build(t, fmt.Sprintf(program, "\t_ \"fmt\"\n")))
	for _, call := range with {
		if !slices.Contains(without, call) {
			t.Errorf("opened before main: %s", call)
		}
	}
}

// imports returns import lines for packages of this module.
func imports(names []string) string {
	var lines strings.Builder
	for _, name := range names {
		fmt.Fprintf(&lines, "\t_ %q\n", module+"/"+name)
	}
	return lines.String()
}

// opened returns the calls of a program that open files.
func opened(t *testing.T, strace, program string) []string {
	t.Helper()
	var calls []string
	for _, line := range strings.Split(run(t, nil, strace, "-f", "-qq", "-e", "trace=open,openat", program), "\n") {
		if i := strings.Index(line, "open"); i >= 0 {
			calls = append(calls, line[i:])
		}
	}
	return calls
}

// build builds a program from source inside this module and returns its path.
func build(t *testing.T, source string) string {
	t.Helper()
	goTool, dir := testenv.NeedTool(t, "go"), t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command(goTool, "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return program
}

// run runs a program with more in its environment and returns its output. It ends
// the test where the program is for another machine, as under an emulator.
func run(t *testing.T, environment []string, program ...string) string {
	t.Helper()
	testenv.Need(t, testenv.Native, hostGOARCH(t) == runtime.GOARCH)
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Env = append(os.Environ(), environment...)
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", program, err, output)
	}
	return string(output)
}

// hostGOARCH returns the architecture of the Go toolchain, which an emulator does
// not change.
func hostGOARCH(t *testing.T) string {
	t.Helper()
	output, err := exec.Command(testenv.NeedTool(t, "go"), "env", "GOHOSTARCH").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(output))
}
