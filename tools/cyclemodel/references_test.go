package main

import (
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/tools/cyclemodel/mca"
	"github.com/quarterround/quarterround/tools/cyclemodel/peers"
	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// needLab returns the lab, or ends the test where a tool is missing.
func needLab(t *testing.T, o options) *lab {
	t.Helper()
	for _, tool := range append(trace.Tools, mca.Tool) {
		testenv.NeedTool(t, tool)
	}
	dir, err := peers.Dir()
	if err != nil {
		testenv.Missing(t, err.Error())
	}
	l, err := newLab(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// TestReferences checks that each model is off the published figures by no more
// than it says.
func TestReferences(t *testing.T) {
	var names []string
	for _, ref := range references {
		names = append(names, ref.routine)
	}
	o := mustOptions(t, "^("+strings.Join(names, "|")+")$", "")
	if testing.Short() {
		o = mustOptions(t, o.only.String(), "cortex-a[578]$|cortex-a53")
	}
	l := needLab(t, o)
	if !l.hasPeers {
		testenv.Missing(t, "the other libraries; go run ./cyclemodel -fetch gets them")
	}
	rows, err := l.model(o)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, ref := range references {
		got, ok := ref.find(rows)
		if !ok {
			continue
		}
		checked++
		trust := trusts[ref.cpu]
		if off := got/ref.published - 1; off < trust.low || off > trust.high {
			t.Errorf("%s on %s: modelled %.2f, published %.2f: off by %+.1f %%, not %v", ref.routine, ref.cpu, got, ref.published, 100*off, trust)
		}
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
}
