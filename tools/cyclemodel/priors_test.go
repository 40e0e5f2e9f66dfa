package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// findCPU returns the model of a CPU.
func findCPU(t *testing.T, name string) *cpuModel {
	t.Helper()
	for i := range cpus {
		if cpus[i].name == name {
			return &cpus[i]
		}
	}
	t.Fatalf("no model of %s", name)
	return nil
}

func TestPriorsFile(t *testing.T) {
	rows := []row{
		{routine{name: "b/z-x2", kind: "stream"}, []figure{{cpu: findCPU(t, "cortex-a5"), fixed: 12.34, perStep: 1000}}},
		{routine{name: "b/mac", kind: "mac"}, []figure{{cpu: findCPU(t, "cortex-a57"), fixed: 1, perStep: 43.25, setup: 70}}},
	}
	got, err := priorsFile("pkg", rows, time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(got), "= map")
	const want = `[string][]registry.Prior{
	"mac": {
		{CPU: "cortex-a57", Fixed: 1, PerStep: 43.3, Setup: 70, Provenance: "modelled", Source: "llvm-mca-19 cortex-a57, 2026-11-30"},
		{CPU: "cortex-a72", Fixed: 1, PerStep: 43.3, Setup: 70, Provenance: "modelled", Source: "llvm-mca-19 cortex-a57, 2026-11-30"},
	},
	"z-x2": {
		{CPU: "cortex-a5", Rounds: 20, Fixed: 12.3, PerStep: 1000, Provenance: "modelled", Source: "inorder cortex-a5, 2026-11-30"},
	},
}
`
	if table != want {
		t.Errorf("got %s\nwant %s", table, want)
	}
}

func TestWriteIfChangedKeepsTheDay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, step := range []struct{ text, want string }{
		{"7 on 2026-11-30", "7 on 2026-11-30"},
		{"7 on 2026-12-01", "7 on 2026-11-30"},
		{"8 on 2026-12-02", "8 on 2026-12-02"},
	} {
		if err := writeIfChanged(path, []byte(step.text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != step.want {
			t.Errorf("after %q the file says %q, want %q", step.text, got, step.want)
		}
	}
}

// TestPlan checks that the long calls are whole steps and their difference is
// of whole steps, too, and that a kernel's shortest call is one step.
func TestPlan(t *testing.T) {
	for _, step := range []int{16, 64, 192, 320, 2048} {
		p := newPlan(routine{arch: trace.ARM, ours: true, step: step})
		if p.long1 < long || p.long1%step != 0 || p.long2 != 2*p.long1 || len(p.short) != 1 || p.short[0] != step {
			t.Errorf("step %d: %+v", step, p)
		}
	}
}

func TestKeepPublishedOrders(t *testing.T) {
	a57, n1 := findCPU(t, "cortex-a57"), findCPU(t, "neoverse-n1")
	order := publishedOrders[0]
	rows := []row{
		{routine{name: order.faster, step: 320}, []figure{{cpu: a57, perStep: 1000}, {cpu: n1, perStep: 1000}}},
		{routine{name: order.slower, step: 512}, []figure{{cpu: a57, perStep: 1500}, {cpu: n1, perStep: 1500}}},
	}
	keepPublishedOrders(rows)
	slower := rows[1].figures
	if got, want := slower[0].perStep, order.ratio*1000*512/320; got != want || !slower[0].reordered {
		t.Errorf("on A57 a step costs %v, want %v", got, want)
	}
	if slower[1].perStep != 1500 || slower[1].reordered {
		t.Error("N1 was changed, too")
	}
}
