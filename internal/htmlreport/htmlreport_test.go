package htmlreport

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/compare"
	"github.com/quarterround/quarterround/internal/cpu"
)

// measured returns a report with everything that a page can show.
func measured(name string) *board.Report {
	r := &board.Report{
		Schema: board.Schema, Board: name, Date: "2026-11-30", Warnings: []string{"the governor is powersave"},
		Host: board.Host{
			CPU: cpu.Identity{GOOS: "linux", GOARCH: "arm", ByteOrder: "little", Model: "cortex-a9", Brand: "ARMv7 Processor rev 10 (v7l)",
				Governor: "powersave", Classes: []cpu.Class{{Model: "cortex-a9", Count: 4}}},
			Features: strings.Fields("armv7 edsp neon vfpv3"), Kernel: "6.1.0", GoVersion: "go1.26", ClockHz: 1.4e9, ClockSource: "-f",
			Override: "-neon2core",
		},
	}
	for _, n := range []int{64, 256, 1350, 16384} {
		for i, name := range []string{"auto", "generic", "neon1way", "neon3core", "neon4core/chacha"} {
			kind := board.Backend
			if i == 0 {
				kind = board.Plan
			}
			ns := float64(n) * float64(3+i)
			r.Points = append(r.Points, board.Point{Algorithm: "chacha20", Mode: board.Encrypt, Length: n, Candidate: name, Kind: kind,
				Nanoseconds: ns, Spread: 0.02, Rounds: 10, Cycles: 1.4 * ns})
		}
	}
	r.Points = append(r.Points, board.Point{Algorithm: "chacha20", Mode: board.SetUp, Candidate: "generic", Kind: board.Backend, Nanoseconds: 80, Rounds: 10})
	r.Choices = []board.Choice{{Algorithm: "chacha20", Length: 1350, Steps: "neon4core/chacha x4, neon1way/chacha x6",
		Provenance: "measured", RunnerUp: "neon3core/chacha", Reason: "slower (+12 % at 1350 B)"}}
	return r
}

// testBoards returns a measured, an emulated and a published board.
func testBoards(t *testing.T) []compare.Board {
	t.Helper()
	emulated := measured("Test board (cortex-a7)")
	emulated.Host.CPU.Emulator = "qemu-user"
	published, err := board.BuiltIn("cortex-a7")
	if err != nil {
		t.Fatal(err)
	}
	return []compare.Board{{Name: "a9", Report: measured("Test board (cortex-a9)")}, {Name: "a7", Report: emulated}, {Name: "cortex-a7", Report: published}}
}

func write(t *testing.T, boards []compare.Board) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, boards); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPage(t *testing.T) {
	page := string(write(t, testBoards(t)[:1]))
	for _, want := range []string{
		"<title>ChaCha, Salsa20 and Poly1305 on Test board (cortex-a9)</title>", `<meta name="viewport" content="width=device-width`,
		`<html lang="en">`, "the governor is powersave", "ARMv7 Processor rev 10 (v7l)", "4 x cortex-a9", "armv7 edsp neon vfpv3",
		"1.400 GHz, by the user", "-neon2core", "chacha20: neon4core/chacha x4, neon1way/chacha x6 for 1350 B",
		"slower (&#43;12 % at 1350 B)", `<th scope="col">16 KiB</th>`, `<th scope="row">neon3core</th>`, "333 ± 2.0 %", "80.0 ± 0.0 %",
		"MB/s (10^6 bytes a second, higher is faster)", "speed in percent of generic", `role="img"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(page, "wins nowhere") || strings.Contains(page, "All boards") {
		t.Error("a page of one board compares")
	}
}

func TestSeveralBoards(t *testing.T) {
	page := string(write(t, testBoards(t)))
	for _, want := range []string{
		"on 3 boards", "emulated by qemu-user: times say nothing about the CPU", "Published figures of other people's code",
		"Boards that disagree", "wins nowhere", `<th scope="row">nettle, C</th><td>generic/chacha</td><td>long</td><td>31.3</td>`,
		"like neon1way/chacha", "published by other people",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// TestSelfContained looks for anything that a page could load or run.
func TestSelfContained(t *testing.T) {
	page := write(t, testBoards(t))
	for _, bad := range []string{`\bsrc=`, `<script`, `@import`, `url\(`, `<link [^>]*href="[^d]`, `href="http`, `\bon[a-z]+="`, `<iframe`} {
		if found := regexp.MustCompile(bad).Find(page); found != nil {
			t.Errorf("%s", found)
		}
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllSubmatch(page, -1) {
		if ids[string(m[1])] {
			t.Errorf("two elements have the id %s", m[1])
		}
		ids[string(m[1])] = true
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllSubmatch(page, -1) {
		if !ids[string(m[1])] {
			t.Errorf("a link to %s leads nowhere", m[1])
		}
	}
}

// TestForeignText puts markup into every text of a report.
func TestForeignText(t *testing.T) {
	const bad = `<script>alert("x")</script>`
	r := measured("A board " + bad)
	r.Host.CPU.Brand, r.Host.Kernel, r.Warnings, r.Choices[0].Reason = bad, bad, []string{bad}, bad
	for i := range r.Points {
		if r.Points[i].Candidate == "neon3core" {
			r.Points[i].Candidate = bad
		}
	}
	other := measured("B")
	page := write(t, []compare.Board{{Name: bad, Report: r}, {Name: "b", Report: other}})
	if bytes.Contains(page, []byte("<script")) {
		t.Error("markup in a report becomes markup of the page")
	}
}

func TestSameReportSamePage(t *testing.T) {
	if !bytes.Equal(write(t, testBoards(t)), write(t, testBoards(t))) {
		t.Error("written twice, the pages differ")
	}
}
