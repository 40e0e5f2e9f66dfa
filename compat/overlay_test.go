// Package compat runs the tests of others against this module: those of
// golang.org/x/crypto for the packages whose API it has, and Project Wycheproof's
// vectors. It is a module of its own, so that the library does not depend on
// them.
package compat

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	_ "golang.org/x/crypto/chacha20poly1305" // so that go.mod says whose tests run

	"github.com/quarterround/quarterround/internal/testenv"
)

const xcrypto = "golang.org/x/crypto"

// Tests of x/crypto are compiled into our packages by way of go's -overlay flag:
// nothing of them is stored in this module.
var packages = []struct {
	theirs string
	// ours is the folder that their tests go to.
	ours string
	// support is a file in testdata that goes there too: it supplies unexported
	// names that the tests use.
	support string
	// must are tests that have to have run.
	must []string
}{
	{theirs: "chacha20poly1305", ours: "chacha20poly1305", must: []string{"TestVectors", "TestRandom"}},
	{theirs: "salsa20", ours: "salsa20", must: []string{"TestSalsa20", "TestXSalsa20"}},
	{theirs: "nacl/secretbox", ours: "nacl/secretbox", must: []string{"TestSealOpen", "TestSecretBox", "Example"}},
	{theirs: "chacha20", ours: "chacha20", support: "sizes.go", must: []string{"TestStep", "TestSetCounter", "TestLastBlock", "TestHChaCha20"}},
	{theirs: "salsa20/salsa", ours: "salsa20/salsa", support: "keystream.go", must: []string{"TestCore208", "TestOutOfBoundsWrite"}},
	{theirs: "internal/poly1305", ours: "compat/macstate", must: []string{"TestSum", "TestSumGenericUnaligned", "TestWriteGeneric", "TestWrite"}},
}

func TestXCrypto(t *testing.T) {
	theirs := moduleDir(t, xcrypto)
	root := moduleDir(t, "github.com/quarterround/quarterround")
	for _, p := range packages {
		t.Run(p.theirs, func(t *testing.T) {
			folder := filepath.Join(root, filepath.FromSlash(p.ours))
			replace := map[string]string{}
			for _, own := range glob(t, folder, "*_test.go") {
				replace[own] = "" // ours would clash with theirs
			}
			copied := t.TempDir()
			for _, file := range glob(t, filepath.Join(theirs, filepath.FromSlash(p.theirs)), "*_test.go") {
				replace[filepath.Join(folder, filepath.Base(file))] = withOurImports(t, file, copied)
			}
			if p.support != "" {
				support, err := filepath.Abs(filepath.Join("testdata", p.support))
				if err != nil {
					t.Fatal(err)
				}
				replace[filepath.Join(folder, strings.TrimSuffix(p.support, ".go")+"_test.go")] = support
			}
			output := goTest(t, folder, replace)
			for _, name := range p.must {
				if !strings.Contains(output, "--- PASS: "+name+" (") {
					t.Errorf("%s did not run:\n%s", name, output)
				}
			}
		})
	}
}

// withOurImports returns the path of a file like the given one, but with the
// import paths of the packages replaced; of the file itself, if it has none.
func withOurImports(t *testing.T, file, folder string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.ReplaceAll(text, []byte(`"`+xcrypto+"/"), []byte(`"github.com/quarterround/quarterround/`))
	if bytes.Equal(changed, text) {
		return file
	}
	copied := filepath.Join(folder, filepath.Base(file))
	if err := os.WriteFile(copied, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

// goTest tests the package in a folder with files replaced, and returns the
// output.
func goTest(t *testing.T, folder string, replace map[string]string) string {
	t.Helper()
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-v", "-vet=off", "-overlay", file, ".")
	cmd.Dir = folder
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, output)
	}
	return string(output)
}

// moduleDir returns the folder of a module that this one requires.
func moduleDir(t *testing.T, path string) string {
	t.Helper()
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		testenv.Missing(t, "a system that starts programs")
	}
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	dir := strings.TrimSpace(string(output))
	if err != nil || dir == "" {
		t.Fatalf("go list -m %s: %q, %v", path, output, err)
	}
	return dir
}

func glob(t *testing.T, folder, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
