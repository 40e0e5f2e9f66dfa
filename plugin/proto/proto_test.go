package proto

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

// TestGeneratedCodeIsFresh makes the Go code again. Another version of protoc
// writes its own name into it, so the comment with the version is left out.
func TestGeneratedCodeIsFresh(t *testing.T) {
	testenv.NeedTool(t, "protoc")
	output := t.TempDir()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "run", "./protogen", here, output)
	command.Dir = filepath.Join("..", "..", "tools")
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("protogen: %v\n%s", err, text)
	}
	for _, name := range []string{"quarterround.pb.go", "quarterround_grpc.pb.go"} {
		if !bytes.Equal(withoutVersions(t, name), withoutVersions(t, filepath.Join(output, name))) {
			t.Errorf("%s is not what quarterround.proto gives; run go generate", name)
		}
	}
}

// withoutVersions returns a file without the lines that name versions of protoc.
func withoutVersions(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept [][]byte
	for _, line := range bytes.Split(content, []byte("\n")) {
		if !bytes.HasPrefix(line, []byte("// ")) || !bytes.Contains(line, []byte("protoc")) {
			kept = append(kept, line)
		}
	}
	return bytes.Join(kept, []byte("\n"))
}
