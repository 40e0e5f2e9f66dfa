// Package mutation changes constants of the ciphers in a copy of this module, one
// at a time, and requires that the tests and the start-up self-test notice.
package mutation

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

// A mutant is one change in a file. The generic backend runs the routines of
// internal/reference, which is also what other kernels are compared with, so
// that only published vectors can tell.
var mutants = []struct {
	name, file, old, new string
	algorithm            string // has no kernel left after the self-test
}{
	{"rotation of ChaCha", "internal/reference/chacha.go", "bits.RotateLeft32(x4^x8, 12)", "bits.RotateLeft32(x4^x8, 13)", "chacha20"},
	{"rotation of Salsa20", "internal/reference/salsa.go", "bits.RotateLeft32(x4+x0, 9)", "bits.RotateLeft32(x4+x0, 10)", "salsa20"},
	{"factor of Poly1305", "internal/reference/poly1305.go", "5*uint32(d4>>26)", "4*uint32(d4>>26)", "poly1305"},
}

// probe makes a selection from the generic backend alone, which fails once a
// kernel of it has failed its self-test.
const probe = `package main

import (
	"fmt"

	_ "github.com/quarterround/quarterround/backends/generic"
	"github.com/quarterround/quarterround/registry"
)

func main() {
	_, err := registry.Select(registry.WithOverride("mode=generic"))
	fmt.Println(err)
}
`

func TestMutants(t *testing.T) {
	testenv.CIOnly(t)
	goTool := testenv.NeedTool(t, "go")
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			copied := copyModule(t)
			file := filepath.Join(copied, filepath.FromSlash(m.file))
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), m.old) {
				t.Fatalf("%s has no %q", m.file, m.old)
			}
			write(t, file, strings.Replace(string(text), m.old, m.new, 1))
			if output, err := goRun(goTool, copied, "test", "./internal/reference", "./registry"); err == nil {
				t.Errorf("the tests pass:\n%s", output)
			} else if strings.Contains(output, "[build failed]") {
				t.Fatalf("the mutant does not build:\n%s", output)
			}
			write(t, filepath.Join(copied, "probe", "main.go"), probe)
			output, err := goRun(goTool, copied, "run", "./probe")
			if err != nil || !strings.Contains(output, "kernel for "+m.algorithm+";") {
				t.Errorf("the self-test leaves a kernel for %s: %v\n%s", m.algorithm, err, output)
			}
		})
	}
}

// copyModule copies what a build of the library needs.
func copyModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "internal", "registry", "backends/generic"} {
		from := filepath.Join(root, filepath.FromSlash(name))
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			inside, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			write(t, filepath.Join(copied, inside), string(text))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return copied
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func goRun(goTool, dir string, arguments ...string) (string, error) {
	cmd := exec.Command(goTool, arguments...)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	return string(output), err
}
