package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/board"
)

func builtIn(t *testing.T, names ...string) []Board {
	t.Helper()
	var boards []Board
	for _, name := range names {
		r, err := board.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, Board{name, r})
	}
	return boards
}

// measured returns a report with points "kernel length ns" of ChaCha20.
func measured(name string, points ...string) Board {
	r := &board.Report{Schema: board.Schema, Board: name}
	for _, text := range points {
		p := board.Point{Algorithm: "chacha20", Mode: board.Encrypt, Kind: board.Backend, Rounds: 10, RatioSpread: 0.01}
		if _, err := fmt.Sscan(text, &p.Candidate, &p.Length, &p.Nanoseconds); err != nil {
			panic(err)
		}
		if p.Candidate == "auto" {
			p.Kind = board.Plan
		}
		r.Points = append(r.Points, p)
	}
	return Board{name, r}
}

func (c *Comparison) percent(t *testing.T, algorithm, class, kernel, boardName string) float64 {
	t.Helper()
	b := slices.IndexFunc(c.Boards, func(b BoardInfo) bool { return b.Name == boardName })
	for _, table := range c.Tables {
		if table.Algorithm != algorithm || table.Class != class {
			continue
		}
		for _, row := range table.Rows {
			if row.Kernel == kernel && row.Cells[b] != nil {
				return row.Cells[b].Percent
			}
		}
	}
	t.Fatalf("no %s of %s, %s on %s", kernel, algorithm, class, boardName)
	return 0
}

func nowhere(c *Comparison) []string {
	var names []string
	for _, n := range c.Nowhere {
		names = append(names, n.Kernel)
	}
	return names
}

// TestThreads draws the conclusions of the discussions from which the figures
// stem: nettle-bugs 2020/21 and openssl-dev 2014/15.
func TestThreads(t *testing.T) {
	c := New(builtIn(t, "cortex-a5", "cortex-a7", "cortex-a8", "cortex-a15"), Options{Reference: []string{"generic"}})
	for _, n := range c.Nowhere {
		if n.Kernel == "neon1way/chacha" && len(n.Boards) != 4 {
			t.Errorf("single-block NEON wins nowhere on %v", n.Boards)
		}
	}
	for _, kernel := range []string{"neon1way/chacha", "neon1way/salsa"} {
		if !slices.Contains(nowhere(c), kernel) {
			t.Errorf("%s is not among the kernels without benefit: %v", kernel, nowhere(c))
		}
	}

	c = New(builtIn(t, "cortex-a7", "cortex-a9"), Options{Reference: []string{"generic"}})
	if slices.Contains(nowhere(c), "neon1way/chacha") {
		t.Error("single-block NEON wins nowhere, but it does for ChaCha on the A9")
	}
	for _, want := range []struct {
		algorithm, kernel, board string
		low, high                float64
	}{
		{"chacha20", "neon1way/chacha", "cortex-a9", 113, 114},
		{"salsa20", "neon1way/salsa", "cortex-a9", 94, 95},
		{"chacha20", "neon3core/chacha", "cortex-a7", 200, 210},
		{"salsa20", "neon2core/salsa", "cortex-a7", 175, 180},
		{"salsa20r12", "neon2core/salsa", "cortex-a7", 180, 190},
	} {
		if got := c.percent(t, want.algorithm, Long, want.kernel, want.board); got < want.low || got > want.high {
			t.Errorf("%s of %s on %s: %.1f %%, want %.0f to %.0f", want.kernel, want.algorithm, want.board, got, want.low, want.high)
		}
	}
}

// TestTicket3615 is the column of the Poly1305 table that says by how much the
// assembly is faster than what gcc 4.4 makes of C.
func TestTicket3615(t *testing.T) {
	faster := map[string]float64{"cortex-a5": 130, "cortex-a8": 115, "cortex-a9": 95, "cortex-a15": 85, "snapdragon-s4": 100}
	var names []string
	for name := range faster {
		names = append(names, name)
	}
	c := New(builtIn(t, names...), Options{Reference: []string{"poly32/go"}})
	for name, want := range faster {
		if got := c.percent(t, "poly1305", Long, "poly32/asm", name) - 100; math.Abs(got-want) > 0.5 {
			t.Errorf("%s: +%.1f %%, want +%.0f %%", name, got, want)
		}
	}
}

func TestFastest(t *testing.T) {
	c := New([]Board{measured("x",
		"auto 64 90", "generic/chacha 64 100", "avx2/chacha-x8 64 200", "neon1way/chacha 64 99",
		"auto 16384 900", "generic/chacha 16384 9000", "avx2/chacha-x8 16384 1000", "neon1way/chacha 16384 1020",
	)}, Options{Reference: []string{"generic"}})
	if len(c.Fastest) != 2 {
		t.Fatalf("%+v", c.Fastest)
	}
	short, long := c.Fastest[0], c.Fastest[1]
	if short.Kernel != "generic/chacha" || !slices.Equal(short.WithinNoise, []string{"neon1way/chacha"}) || short.Next != "avx2/chacha-x8" || math.Abs(short.Behind-0.5) > 1e-9 {
		t.Errorf("short: %+v", short)
	}
	if long.Kernel != "avx2/chacha-x8" || math.Abs(long.Factor-9) > 1e-9 || !slices.Equal(long.WithinNoise, []string{"neon1way/chacha"}) {
		t.Errorf("long: %+v", long)
	}
}

// TestNowhere keeps what is needed somewhere: at one length on one board, or as a
// part of a plan.
func TestNowhere(t *testing.T) {
	one := measured("one", "generic/chacha 64 100", "a/x 64 200", "b/x 64 300", "c/x 64 400", "generic/chacha 8192 9000", "a/x 8192 5000", "b/x 8192 9900", "c/x 8192 9990")
	two := measured("two", "generic/chacha 64 100", "b/x 64 300", "c/x 64 400")
	two.Report.Choices = []board.Choice{{Algorithm: "chacha20", Length: 64, Steps: "generic/chacha x1, c/x x2"}}
	check := func() {
		t.Helper()
		c := New([]Board{one, two}, Options{})
		if len(c.Nowhere) != 1 || c.Nowhere[0].Kernel != "b/x" || !slices.Equal(c.Nowhere[0].Boards, []string{"one", "two"}) || !slices.Equal(c.Nowhere[0].Classes, []string{Short, Long}) {
			t.Errorf("%+v", c.Nowhere)
		}
	}
	check()
	// Of the parts of an AEAD none loses.
	one.Report.Points = append(one.Report.Points,
		board.Point{Algorithm: "chacha20poly1305", Mode: board.Encrypt, Candidate: "other", Technique: "p/x+p/y", Cycles: 9},
		board.Point{Algorithm: "chacha20poly1305", Mode: board.Encrypt, Candidate: "fused", Technique: "p/fused", Cycles: 5})
	check()
}

func TestDisagreement(t *testing.T) {
	c := New([]Board{
		measured("one", "generic/chacha 64 100", "a/x 64 50", "only/one 64 10"),
		measured("two", "generic/chacha 64 100", "a/x 64 150"),
		measured("three", "generic/chacha 64 100", "a/x 64 160"),
		measured("near", "generic/chacha 64 100", "a/x 64 101"),
	}, Options{})
	want := "[{{chacha20 encrypt short} a/x [one] generic/chacha [two three]}]"
	if got := fmt.Sprint(c.Disagreements); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestEmulated shows boards of emulators, but judges by them only if there are no
// others, and says so.
func TestEmulated(t *testing.T) {
	emulated := measured("emulated", "generic/chacha 64 100", "a/x 64 50")
	emulated.Report.Host.CPU.Emulator = "qemu-user"
	genuine := measured("genuine", "generic/chacha 64 100", "a/x 64 150")
	c := New([]Board{emulated, genuine}, Options{})
	if c.percentless(t, 0) != 50.0/64 {
		t.Error("the emulated figure is not shown")
	}
	if len(c.Fastest) != 1 || c.Fastest[0].Board != "genuine" || len(c.Disagreements) != 0 || !slices.Equal(nowhere(c), []string{"a/x"}) {
		t.Errorf("verdicts: %+v, %+v, %v", c.Fastest, c.Disagreements, nowhere(c))
	}
	if c.Boards[0].Emulator != "qemu-user" || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "left out of the verdicts") {
		t.Errorf("not flagged: %+v, %v", c.Boards[0], c.Notes)
	}
	c = New([]Board{emulated}, Options{})
	if len(c.Fastest) != 1 || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "say nothing") {
		t.Errorf("alone: %+v, %v", c.Fastest, c.Notes)
	}
}

// percentless returns the first value of kernel a/x on a board.
func (c *Comparison) percentless(t *testing.T, b int) float64 {
	t.Helper()
	for _, row := range c.Tables[0].Rows {
		if row.Kernel == "a/x" {
			return row.Cells[b].Value
		}
	}
	t.Fatal("no row a/x")
	return 0
}

// TestPublishedApart keeps other people's figures out of the rows of our kernels.
func TestPublishedApart(t *testing.T) {
	c := New(append(builtIn(t, "cortex-a7"), measured("ours", "generic/chacha 16384 9000", "neon3core/chacha 16384 4000")), Options{Reference: []string{"generic"}})
	for _, row := range c.Tables[0].Rows {
		if row.Cells[0] != nil && row.Cells[1] != nil {
			t.Errorf("%s has both", row.Kernel)
		}
	}
	if got := c.percent(t, "chacha20", Long, "like neon3core/chacha", "cortex-a7"); got < 200 {
		t.Errorf("%.0f %%", got)
	}
	if got := c.percent(t, "chacha20", Long, "neon3core/chacha", "ours"); got != 225 {
		t.Errorf("%.0f %%", got)
	}
}

// TestAllBuiltIn compares everything with everything.
func TestAllBuiltIn(t *testing.T) {
	c := New(builtIn(t, board.BuiltInNames()...), Options{Reference: []string{"generic"}})
	if len(c.Fastest) < 30 || len(c.Disagreements) == 0 {
		t.Errorf("%d verdicts, %d disagreements", len(c.Fastest), len(c.Disagreements))
	}
	for _, table := range c.Tables {
		for _, row := range table.Rows {
			for _, cell := range row.Cells {
				if cell != nil && (!(cell.Value > 0) || math.IsInf(cell.Value, 0)) {
					t.Errorf("%+v %s: %v", table.Place, row.Kernel, cell.Value)
				}
			}
		}
	}
}
