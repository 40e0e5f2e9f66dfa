package trace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

const recorded = `B
I 10000 0100a0e3
I 10004 02b0
R 0
B
I 10006 704700bf
R 1
R 0
`

func TestParse(t *testing.T) {
	s := &symbols{mode: []modeAt{{0x9000, true}, {0x10000, false}, {0x10004, true}}}
	tr, err := parse(strings.NewReader(recorded), ARM, s)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 1, 2, 0, 1}; !slices.Equal(tr.Order, want) {
		t.Errorf("order %v, want %v", tr.Order, want)
	}
	for i, want := range []struct {
		thumb bool
		size  int
	}{{false, 4}, {true, 2}, {true, 2}} {
		in := tr.Instructions[i]
		if in.Thumb != want.thumb || len(in.Code) != want.size {
			t.Errorf("instruction at %#x: Thumb %v, %d bytes, want %v and %d", in.Address, in.Thumb, len(in.Code), want.thumb, want.size)
		}
	}
}

func TestDisassemble(t *testing.T) {
	testenv.NeedTool(t, "llvm-mc-19")
	tr, err := parse(strings.NewReader(recorded), ARM, &symbols{mode: []modeAt{{0x10004, true}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.disassemble(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"mov r0, #1", "add sp, #8", "bx lr"} {
		if got := tr.Instructions[i].Text; got != want {
			t.Errorf("instruction at %#x is %q, want %q", tr.Instructions[i].Address, got, want)
		}
	}
}

// program calls marks around a loop of as many additions as it has arguments.
const program = `package main

import "os"

//go:noinline
func markBegin() {}

//go:noinline
func markEnd() {}

//go:noinline
func add(a *int) { *a++ }

func main() {
	n := 0
	markBegin()
	for range os.Args[1:] {
		add(&n)
	}
	markEnd()
}
`

func TestRun(t *testing.T) {
	for _, tool := range Tools {
		testenv.NeedTool(t, tool)
	}
	tracer, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tracer.Close(); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, arch := range []*Arch{ARM, ARM64} {
		p := &Program{Arch: arch, Path: filepath.Join(dir, arch.Name), Begin: "main.markBegin", End: "main.markEnd", Foreign: "runtime.schedule"}
		build := exec.Command("go", "build", "-o", p.Path, source)
		build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch.Name, "GOARM=7", "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var length []int
		for n := range 4 {
			tr, err := tracer.Run(p, make([]string, n)...)
			if err != nil {
				t.Fatal(err)
			}
			length = append(length, len(tr.Order))
		}
		// Each call more executes the same number of instructions more.
		if step := length[3] - length[2]; step < 4 || length[2]-length[1] != step {
			t.Errorf("%s: traces of %v instructions", arch.Name, length)
		}
	}
}
