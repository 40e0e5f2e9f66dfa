//go:build linux

package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/testenv"
)

// TestEmulatedReport measures arm64 under QEMU: the report can be read, and says
// what it is.
func TestEmulatedReport(t *testing.T) {
	goTool, qemu := testenv.NeedTool(t, "go"), testenv.NeedTool(t, "qemu-aarch64-static")
	dir := t.TempDir()
	program, file := filepath.Join(dir, "cell"), filepath.Join(dir, "board.json")
	build := exec.Command(goTool, "build", "-o", program, "./testdata/cell")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	cell := exec.Command(qemu, "-cpu", "cortex-a53", program, file)
	cell.Env = append(os.Environ(), "QUARTERROUND=")
	if output, err := cell.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	r, err := board.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Emulated() || r.Host.CPU.GOARCH != "arm64" || r.Host.ClockHz != 0 {
		t.Errorf("not flagged: %+v", r.Host)
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "emulated") }) {
		t.Errorf("no warning: %q", r.Warnings)
	}
	if !slices.ContainsFunc(r.Points, func(p board.Point) bool { return strings.HasPrefix(p.Candidate, "neon") }) {
		t.Errorf("no NEON kernel among %d points", len(r.Points))
	}
}
