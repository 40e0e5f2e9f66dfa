package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"

	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/cpu"
)

func builtIn(t *testing.T, names ...string) []*board.Report {
	t.Helper()
	var reports []*board.Report
	for _, name := range names {
		r, err := board.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	return reports
}

// measured returns a report of two candidates: one takes 64 ns a block, the other
// 128 ns and then 32 ns a block, so that they are equal at 256 B.
func measured() *board.Report {
	r := &board.Report{Schema: board.Schema, Board: "Test board (cortex-a9)", Host: board.Host{
		CPU: cpu.Identity{GOOS: "linux", GOARCH: "arm", ByteOrder: "little"}, ClockHz: 2e9,
	}}
	for _, n := range []int{64, 128, 192, 1024, 16384} {
		blocks := float64(n / 64)
		for name, ns := range map[string]float64{"generic": 64 * blocks, "neon4core": 128 + 32*blocks} {
			r.Points = append(r.Points, board.Point{
				Algorithm: "chacha20", Mode: board.Encrypt, Length: n, Candidate: name, Kind: board.Backend,
				Nanoseconds: ns, Spread: 0.01, Rounds: 10, Cycles: 2 * ns,
			})
		}
	}
	r.Sort()
	return r
}

func value(t *testing.T, b *Bars, series, cluster string) Value {
	t.Helper()
	for i, name := range b.Clusters {
		for _, s := range b.Series {
			if strings.Contains(name, cluster) && s.Name == series {
				return s.Values[i]
			}
		}
	}
	t.Fatalf("no bar of %s on %s; %v", series, cluster, b)
	return Value{}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Abs(y) }

func TestCycles(t *testing.T) {
	b, notes, err := Cycles(append(builtIn(t, "cortex-a7"), measured()), Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}})
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if v := value(t, b, "like neon3core/chacha", "cortex-a7"); !near(v.Y, 967.83) || v.Error != 0 {
		t.Errorf("published: %v", v)
	}
	if v := value(t, b, "generic", "Test board"); !near(v.Y, 128) || !near(v.Error, 1.28) {
		t.Errorf("measured: %v", v)
	}
	if !strings.Contains(b.Unit, "cycles for 64 bytes") || !strings.Contains(b.Subtitle, "other people's code") ||
		!strings.Contains(b.Subtitle, "quartile") {
		t.Errorf("%q, %q", b.Unit, b.Subtitle)
	}
	if !strings.HasSuffix(b.Clusters[0], ", published") || strings.Contains(b.Clusters[1], "published") {
		t.Errorf("published and measured boards look alike: %q", b.Clusters)
	}
}

func TestNanosecondsWithoutClock(t *testing.T) {
	r := measured()
	for i := range r.Points {
		r.Points[i].Cycles = 0
	}
	b, _, err := Cycles([]*board.Report{r}, Query{Algorithm: "chacha20", Length: 64})
	if err != nil {
		t.Fatal(err)
	}
	if v := value(t, b, "generic", "Test"); v.Y != 64 || !strings.HasPrefix(b.Unit, "nanoseconds for 64 bytes") {
		t.Errorf("%v %s", v, b.Unit)
	}
	b, notes, err := Cycles(append(builtIn(t, "cortex-a7", "cortex-a9"), r), Query{Algorithm: "chacha20", Length: 16384})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Clusters) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "Test board (cortex-a9) is left out: cycles") {
		t.Errorf("cycles and nanoseconds in one chart: %q, %q", b.Clusters, notes)
	}
	if _, _, err = Percent(append(builtIn(t, "cortex-a7"), r), Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}}); err != nil {
		t.Error(err)
	}
}

// TestPercent holds conclusions of the discussions that the figures stem from.
func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		board, algorithm, reference, series string
		want                                string
	}{
		{"cortex-a9", "chacha20", "generic", "neon1way/chacha", "113"},
		{"cortex-a9", "salsa20", "generic", "neon1way/salsa", "95"},
		{"cortex-a7", "chacha20", "generic", "neon3core/chacha", "207"},
		{"cortex-a7", "chacha20", "generic", "neon1way/chacha", "103"},
		{"cortex-a5", "poly1305", "poly32/go", "poly32/asm", "230"},
		{"cortex-a8", "poly1305", "poly32/go", "poly32/asm", "215"},
		{"cortex-a9", "poly1305", "poly32/go", "poly32/asm", "195"},
		{"cortex-a15", "poly1305", "poly32/go", "poly32/asm", "185"},
		{"snapdragon-s4", "poly1305", "poly32/go", "poly32/asm", "200"},
		{"cortex-a72", "chacha20", "neonmixed/chacha-x6s2", "neonmixed/chacha-x4s1", "104"}, // ratios only
	} {
		b, _, err := Percent(builtIn(t, tt.board), Query{Algorithm: tt.algorithm, Length: 16384, Reference: []string{tt.reference}})
		if err != nil {
			t.Error(err)
			continue
		}
		if v := value(t, b, tt.series, tt.board); fmt.Sprintf("%.0f", v.Y) != tt.want {
			t.Errorf("%s: %s %.2f %%, want %s", tt.board, tt.series, v.Y, tt.want)
		}
	}
}

// TestReferences takes on each board the first reference that it has.
func TestReferences(t *testing.T) {
	q := Query{Algorithm: "poly1305", Length: 16384, Reference: []string{"generic", "poly32/go"}}
	b, _, err := Percent(builtIn(t, "cortex-a7", "cortex-a5"), q)
	if err != nil {
		t.Fatal(err)
	}
	if v := value(t, b, "generic/poly1305", "cortex-a7"); v.Y != 100 {
		t.Errorf("%v", v)
	}
	if v := value(t, b, "poly32/go", "cortex-a5"); v.Y != 100 || !strings.Contains(b.Unit, "generic or poly32/go") {
		t.Errorf("%v, %s", v, b.Unit)
	}
}

func TestPercentSpread(t *testing.T) {
	b, _, err := Percent([]*board.Report{measured()}, Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}})
	if err != nil {
		t.Fatal(err)
	}
	if v := value(t, b, "generic", "Test"); v.Y != 100 || v.Error != 0 {
		t.Errorf("the reference: %v", v)
	}
	want := 100 * 64 * 256 / (128 + 32*256.0)
	if v := value(t, b, "neon4core", "Test"); !near(v.Y, want) || !near(v.Error, want*0.01*math.Sqrt2) {
		t.Errorf("%v, want %v", v, want)
	}
}

func TestLeftOut(t *testing.T) {
	b, notes, err := Percent(builtIn(t, "cortex-a5", "tigerlake"), Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Clusters) != 1 || len(notes) != 1 || !strings.Contains(notes[0], "tigerlake") {
		t.Errorf("%q, %q", b.Clusters, notes)
	}
}

// TestSameTechnique has two figures of one technique on a board, which must not
// share a bar.
func TestSameTechnique(t *testing.T) {
	b, _, err := Cycles(builtIn(t, "cortex-a5", "cortex-a8"), Query{Algorithm: "poly1305", Length: 16384})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range b.Series {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	if len(names) != 4 || !strings.HasPrefix(names[0], "poly26/neon: ") || !strings.HasPrefix(names[1], "poly26/neon: ") {
		t.Errorf("%q", names)
	}
}

func TestByBackend(t *testing.T) {
	q := Query{Algorithm: "chacha20", Length: 16384}
	b, _, err := Cycles(builtIn(t, "cortex-a7", "cortex-a9"), q)
	if err != nil {
		t.Fatal(err)
	}
	q.ByBackend = true
	other, _, err := Cycles(builtIn(t, "cortex-a7", "cortex-a9"), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(other.Series) != len(b.Clusters) || len(other.Clusters) != len(b.Series) {
		t.Fatalf("%d series, %d clusters", len(other.Series), len(other.Clusters))
	}
	for i, s := range other.Series {
		for j, v := range s.Values {
			if want := b.Series[j].Values[i]; v != want && (v.known() || want.known()) {
				t.Errorf("%s on %s: %v, not %v", other.Clusters[j], s.Name, v, want)
			}
		}
	}
}

func TestEmulatedIsSaid(t *testing.T) {
	r := measured()
	r.Host.CPU.Emulator = "qemu-user"
	b, _, err := Cycles([]*board.Report{r, measured()}, Query{Algorithm: "chacha20", Length: 64})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.Clusters[0], "emulated by qemu-user") || strings.Contains(b.Clusters[1], "emulated") {
		t.Errorf("%q", b.Clusters)
	}
}

func TestOnly(t *testing.T) {
	r := measured()
	kernel := r.Points[0]
	kernel.Length, kernel.Candidate = 16384, "neon4core/chacha"
	alone := kernel
	alone.Candidate = "neon1way/chacha" // all that its backend has
	r.Points = append(r.Points, kernel, alone)
	for _, tt := range []struct{ only, want string }{
		{"", "generic neon1way neon4core"},
		{"neon4core/chacha", "generic neon4core/chacha"},
		{"neon4core", "generic neon4core neon4core/chacha"},
	} {
		q := Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}}
		if tt.only != "" {
			q.Only = []string{tt.only}
		}
		b, _, err := Cycles([]*board.Report{r}, q)
		if err != nil {
			t.Fatal(err)
		}
		names := Names(b)
		slices.Sort(names)
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("only %q: %s, want %s", tt.only, got, tt.want)
		}
	}
	_, _, err := Cycles([]*board.Report{r}, Query{Algorithm: "chacha20", Length: 16384, Only: []string{"generic", "avx9"}})
	if err == nil || !strings.Contains(err.Error(), `no figures for "avx9"; there are some for generic, neon1way/chacha, neon4core`) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	q := Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}}
	with := func(change func(*Query)) Query { q := q; change(&q); return q }
	for _, tt := range []struct {
		name string
		err  error
		want []string
	}{
		{"algorithm", second(Cycles(builtIn(t, "cortex-a5"), with(func(q *Query) { q.Algorithm = "chacha21" }))), []string{`algorithm "chacha21"`, "chacha20", "poly1305"}},
		{"length", second(Cycles(builtIn(t, "cortex-a5"), with(func(q *Query) { q.Length = 64 }))), []string{"64 B", "encrypt of long messages"}},
		{"mode", second(Cycles(builtIn(t, "cortex-a5"), with(func(q *Query) { q.Mode = "decrypt" }))), []string{"decrypt", "encrypt of long messages"}},
		{"reference", second(Percent(builtIn(t, "cortex-a5"), with(func(q *Query) { q.Reference = []string{"avx9"} }))), []string{`"avx9"`, "neon1way/chacha"}},
		{"ambiguous reference", second(Percent(builtIn(t, "denver"), Query{Algorithm: "poly1305", Length: 16384, Reference: []string{"poly64/go"}})),
			[]string{"gcc 4.9", "gcc 4.7", "name one"}},
		{"ratios", second(Cycles(builtIn(t, "cortex-a55"), q)), []string{"cortex-a55", "cycles of its figures are not known", "percent"}},
	} {
		if tt.err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(tt.err.Error(), want) {
				t.Errorf("%s: %q lacks %q", tt.name, tt.err, want)
			}
		}
	}
	var none *NoFiguresError
	if _, err := Throughput(builtIn(t, "cortex-a5")[0], q); !errors.As(err, &none) {
		t.Errorf("throughput of long messages only: %v", err)
	}
}

func second(_ *Bars, _ []string, err error) error { return err }

func TestThroughputAndCrossover(t *testing.T) {
	l, err := Throughput(measured(), Query{Algorithm: "chacha20"})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range l.Lines {
		if last := line.Points[4]; line.Name == "generic" && (last.X != 16384 || !near(last.Y, 1000) || !near(last.Error, 10)) {
			t.Errorf("%v", last)
		}
	}
	// The curves meet at 256 B exactly; interpolated between 192 B and 1 KiB they
	// meet a little later.
	if len(l.Crossovers) != 1 {
		t.Fatalf("%v", l.Crossovers)
	}
	x := l.Crossovers[0]
	if x.From != "generic" || x.To != "neon4core" || x.X < 256 || x.X > 340 || !near(x.Y, 1000) {
		t.Errorf("%+v", x)
	}
}

func TestCrossoversIgnoreNoise(t *testing.T) {
	curve := func(name string, spread float64, y ...float64) Line {
		l := Line{Name: name}
		for i, v := range y {
			l.Points = append(l.Points, Point{64 << i, Value{v, v * spread}, max(noise, 3*spread)})
		}
		return l
	}
	for _, tt := range []struct {
		name string
		a, b Line
		want int
	}{
		{"within 3 %", curve("a", 0, 100, 100, 100), curve("b", 0, 90, 102, 98), 0},
		{"more", curve("a", 0, 100, 100, 100), curve("b", 0, 90, 104, 98), 1},
		{"and back", curve("a", 0, 100, 100, 100), curve("b", 0, 90, 110, 90), 2},
		{"within the spread", curve("a", 0.05, 100, 100, 100), curve("b", 0.05, 90, 110, 90), 0},
	} {
		if got := crossovers([]Line{tt.a, tt.b}); len(got) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// texts parses SVG and returns the texts in it; it fails if the file is not well
// formed or refers to anything outside.
func texts(t *testing.T, svg []byte) []string {
	t.Helper()
	var found []string
	var inside string
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local
			for _, a := range token.Attr {
				if a.Name.Local == "href" || strings.Contains(a.Value, "url(") || token.Name.Local == "script" {
					t.Errorf("%s refers to something else: %s", token.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			if inside == "text" || inside == "title" || inside == "desc" {
				if s := strings.TrimSpace(string(token)); s != "" {
					found = append(found, s)
				}
			}
		}
	}
}

func draws(t *testing.T, c Chart, format Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, c, format, Wide); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSVG(t *testing.T) {
	reports := []*board.Report{measured()}
	q := Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}}
	bars, _, err := Cycles(reports, q)
	if err != nil {
		t.Fatal(err)
	}
	percent, _, err := Percent(reports, q)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Throughput(reports[0], q)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		chart Chart
		want  []string
	}{
		{bars, []string{"chacha20, encrypt, 16 KiB", "cycles for 64 bytes (lower is faster)", "Test board (cortex-a9)", "generic", "neon4core", "128", "100", "0"}},
		{percent, []string{"speed in percent of generic (higher is faster)", "197"}},
		{lines, []string{"MB/s (10^6 bytes a second, higher is faster)", "message length (bytes, logarithmic)", "64 B", "16 KiB", "2000"}},
	} {
		svg := draws(t, tt.chart, SVG)
		found := texts(t, svg)
		for _, want := range tt.want {
			if !slices.Contains(found, want) {
				t.Errorf("no text %q in %q", want, found)
			}
		}
		if found[1] != tt.chart.Describe() || !strings.Contains(string(svg), `<svg role="img" `) {
			t.Errorf("not described: %q", found[:2])
		}
		if !bytes.Equal(svg, draws(t, tt.chart, SVG)) {
			t.Error("drawn twice, the files differ")
		}
		img, err := png.Decode(bytes.NewReader(draws(t, tt.chart, PNG)))
		if err != nil || img.Bounds().Dx() != 1440 || img.Bounds().Dy() != 800 {
			t.Errorf("PNG: %v, %v", img.Bounds(), err)
		}
		inline := Inline(tt.chart, Narrow)
		if texts(t, []byte(inline)); strings.Contains(inline, "#000000") || strings.Contains(inline, "<rect") || strings.Contains(inline, ` width="`) {
			t.Error("the inline form has a background, a size or black lines")
		}
	}
}

// TestManyBoards turns labels upright rather than print them over each other.
func TestManyBoards(t *testing.T) {
	b, notes, err := Percent(builtIn(t, board.BuiltInNames()...), Query{Algorithm: "chacha20", Length: 16384, Reference: []string{"generic"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Clusters)+len(notes) != len(board.BuiltInNames()) || len(b.Clusters) < 25 {
		t.Errorf("%d boards, %d notes", len(b.Clusters), len(notes))
	}
	svg := draws(t, b, SVG)
	if found := texts(t, svg); !slices.Contains(found, "Intel Haswell (haswell)") {
		t.Errorf("a label is broken into lines: %q", found)
	}
	if !strings.Contains(string(svg), "rotate(90)") {
		t.Error("labels are not turned")
	}
}

// TestErrorBars compares a chart with that of the same figures without spread.
func TestErrorBars(t *testing.T) {
	exact := measured()
	for i := range exact.Points {
		exact.Points[i].Spread = 0
	}
	count := func(r *board.Report) int {
		b, _, err := Cycles([]*board.Report{r}, Query{Algorithm: "chacha20", Length: 16384})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(draws(t, b, SVG)), "<path")
	}
	if with, without := count(measured()), count(exact); with != without+2*2 {
		t.Errorf("%d paths with spread, %d without; want two more for each of two bars", with, without)
	}
}

// TestLooks demands that looks differ in pattern alone as long as the colours
// last, and in colour or pattern for a long time.
func TestLooks(t *testing.T) {
	hatched, lined := map[string]bool{}, map[string]bool{}
	for style := range 40 {
		bar := fmt.Sprint(hatchingOf(style))
		line := fmt.Sprintf("%v %T", dashingOf(style), markerOf(style))
		if style >= len(palette) {
			bar, line = fmt.Sprint(bar, colourOf(style)), fmt.Sprint(line, colourOf(style))
		}
		if hatched[bar] || lined[line] {
			t.Errorf("style %d is not new", style)
		}
		hatched[bar], lined[line] = true, true
		hatched[fmt.Sprint(bar, colourOf(style))] = true
		lined[fmt.Sprint(line, colourOf(style))] = true
	}
}

func TestHatchStaysInside(t *testing.T) {
	box := vg.Rectangle{Min: vg.Point{X: 10, Y: 10}, Max: vg.Point{X: 30, Y: 90}}
	for style, h := range hatchings {
		for _, direction := range h {
			if lines := hatch(box, direction); len(lines) < 3 {
				t.Errorf("hatching %d has %d lines in direction %v", style, len(lines), direction)
			}
		}
	}
}

func TestText(t *testing.T) {
	reports := builtIn(t, "cortex-a5", "cortex-a8", "denver", "haswell")
	var charts []Chart
	for _, algorithm := range []string{"chacha20", "poly1305"} {
		b, _, err := Cycles(reports, Query{Algorithm: algorithm, Length: 16384})
		if err != nil {
			t.Fatal(err)
		}
		charts = append(charts, b)
	}
	lines, err := Throughput(measured(), Query{Algorithm: "chacha20"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range append(charts, lines) {
		var b strings.Builder
		if err := c.Text(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		if strings.Contains(b.String(), "\x1b") {
			t.Error("escape sequences")
		}
	}
	var b strings.Builder
	if err := lines.Text(&b); err != nil || !strings.Contains(b.String(), "neon4core is faster than generic") {
		t.Errorf("crossovers are not told: %v\n%s", err, b.String())
	}
}

func TestTextRun(t *testing.T) {
	for _, tt := range []struct {
		share float64
		want  string
	}{{1, "████"}, {0.5, "██"}, {0, "▏"}, {0.375, "█▌"}, {0.97, "███▉"}} {
		if got := textRun(tt.share, 4); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.share, got, tt.want)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{"a.svg": SVG, "b/A.PNG": PNG} {
		if got, err := FormatOf(name); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"a", "a.pdf", "svg", "a.svg.gz"} {
		if _, err := FormatOf(name); err == nil || !strings.Contains(err.Error(), ".svg or .png") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
