package htmlreport

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarterround/quarterround/internal/testenv"
)

// A visit is what headless Chromium made of a page.
type visit struct {
	dom      string
	console  []string // messages
	requests []string // addresses that the page asked for, files and data apart
}

// open opens a page from the disk.
func open(t *testing.T, page []byte, more ...string) *visit {
	t.Helper()
	chromium := testenv.NeedTool(t, "chromium")
	folder := t.TempDir()
	file := filepath.Join(folder, "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "net.json")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir=" + filepath.Join(folder, "profile"), "--log-net-log=" + log, "--enable-logging=stderr",
		"--window-size=1400,1000", "--hide-scrollbars", "--dump-dom",
	}, more...)
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, chromium, append(args, "file://"+file)...)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	v := &visit{dom: stdout.String(), requests: requestsIn(t, log)}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			v.console = append(v.console, line)
		}
	}
	return v
}

// requestsIn reads Chromium's log of its network stack. The browser's own requests
// have no origin and are left out.
func requestsIn(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Constants struct{ LogEventTypes map[string]int }
		Events    []struct {
			Type   int
			Params struct{ URL, Initiator string }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	start, ok := log.Constants.LogEventTypes["URL_REQUEST_START_JOB"]
	if !ok {
		t.Fatal("the log of the network stack has another form")
	}
	var found []string
	for _, e := range log.Events {
		if e.Type == start && e.Params.URL != "" && e.Params.Initiator != "not an origin" {
			found = append(found, e.Params.URL)
		}
	}
	return found
}

// needBrowser ends tests that start a browser where there is none.
func needBrowser(t *testing.T) {
	t.Helper()
	testenv.NeedTool(t, "chromium")
}

// TestBrowserNotices makes sure that the other tests would see what they look for.
func TestBrowserNotices(t *testing.T) {
	needBrowser(t)
	v := open(t, []byte(`<!DOCTYPE html><title>x</title><img src="http://127.0.0.1:9/x.png"><script>nosuch()</script>`))
	if len(v.console) != 1 || len(v.requests) != 1 {
		t.Errorf("console %q, requests %q; want one of each", v.console, v.requests)
	}
	wide := []byte(`<!DOCTYPE html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"></head><body><p style="width:500px">x</p></body>`)
	if p := probed(t, open(t, framed(t, wide, 375))); p.Width != 375 || p.Scroll <= 375 || len(p.TooWide) == 0 {
		t.Errorf("%+v", p)
	}
}

func TestPageInBrowser(t *testing.T) {
	needBrowser(t)
	page := write(t, testBoards(t))
	v := open(t, page)
	if len(v.console) > 0 || len(v.requests) > 0 {
		t.Errorf("console %q, requests %q", v.console, v.requests)
	}
	for _, want := range []string{
		"<title>ChaCha, Salsa20 and Poly1305 on 3 boards</title>", "Test board (cortex-a9)", "the governor is powersave",
		"emulated by qemu-user", "What was chosen, and why", "neon4core/chacha x4", "cycles for 64 bytes (lower is faster)",
		"Cubieboard2", "wins nowhere", "nettle-bugs",
	} {
		if !strings.Contains(v.dom, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

func TestContrast(t *testing.T) {
	if c := contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)"); math.Abs(c-21) > 1e-9 {
		t.Errorf("black on white: %v, want 21", c)
	}
	if c := contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)"); c < 4.4 || c >= 4.5 {
		t.Errorf("#777 on white: %v, want a little less than 4.5", c)
	}
}

// TestNarrowAndColours opens everything that folds and measures it, on a phone and
// on a desk, in light and dark.
func TestNarrowAndColours(t *testing.T) {
	needBrowser(t)
	page := write(t, testBoards(t))
	var papers []float64
	for _, tt := range []struct {
		width  int
		scheme string // as Chromium numbers them
	}{{375, "1"}, {1280, "0"}} {
		p := probed(t, open(t, framed(t, page, tt.width), "--blink-settings=preferredColorScheme="+tt.scheme))
		if p.Width != tt.width || p.Scroll > tt.width || len(p.TooWide) > 0 {
			t.Errorf("in %d pixels the page takes %d of %d; too wide: %q", tt.width, p.Scroll, p.Width, p.TooWide)
		}
		if p.Drawn < 5 || p.Unnamed > 0 {
			t.Errorf("%d charts, %d without a name", p.Drawn, p.Unnamed)
		}
		for name, pair := range p.Colours {
			if c := contrast(pair[0], pair[1]); !(c >= 4.5) {
				t.Errorf("scheme %s: %s has contrast %.1f, want 4.5 (WCAG 2.2, 1.4.3)", tt.scheme, name, c)
			}
		}
		papers = append(papers, luminance(p.Colours["body"][1]))
	}
	if !(papers[0] > 0.8 && papers[1] < 0.1) {
		t.Errorf("luminance of the paper: light %.2f, dark %.2f", papers[0], papers[1])
	}
}

// A probe is what the script of framed finds.
type probe struct {
	Width, Scroll  int
	TooWide        []string
	Drawn, Unnamed int
	// Colours are those of text and of what is behind it.
	Colours map[string][2]string
}

const probeScript = `<script>addEventListener("load", () => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const out = {Width: innerWidth, Scroll: document.documentElement.scrollWidth, TooWide: [], Drawn: 0, Unnamed: 0, Colours: {}};
  for (const e of document.body.querySelectorAll("*"))
    if (out.TooWide.length < 5 && !e.parentElement.closest(".scroll, svg") && e.getBoundingClientRect().right > innerWidth + 0.5) out.TooWide.push(e.outerHTML.slice(0, 100));
  for (const s of document.querySelectorAll("svg")) { out.Drawn++; if (!s.getAttribute("aria-label") || s.getAttribute("role") != "img") out.Unnamed++; }
  const behind = e => { if (!e) return "rgb(255, 255, 255)"; const c = getComputedStyle(e).backgroundColor; return c == "rgba(0, 0, 0, 0)" ? behind(e.parentElement) : c; };
  for (const q of ["body", "a", ".lead", ".warnings", "dt", "caption", "thead th", "td", "svg text"]) {
    const e = document.querySelector(q);
    if (e) out.Colours[q] = [getComputedStyle(e)[q == "svg text" ? "fill" : "color"], behind(e)];
  }
  parent.postMessage(JSON.stringify(out), "*");
});</script>`

// framed returns a page that shows the given one in a frame of that width, since
// windows have a least width, and in it a script, which the page by itself forbids.
func framed(t *testing.T, page []byte, width int) []byte {
	t.Helper()
	const forbid, allow = "default-src 'none'", "default-src 'none'; script-src 'unsafe-inline'"
	if !bytes.Contains(page, []byte(forbid)) {
		t.Fatal("the page allows itself to load things")
	}
	page = bytes.Replace(page, []byte(forbid), []byte(allow), 1)
	page = bytes.Replace(page, []byte("</head>"), []byte(probeScript+"</head>"), 1)
	return fmt.Appendf(nil, `<!DOCTYPE html><html><head><meta name="color-scheme" content="light dark"><script>
onmessage = e => document.documentElement.setAttribute("data-probe", e.data);
</script></head><body><iframe style="width: %dpx; height: 900px; border: 0" srcdoc="%s"></iframe></body></html>`, width, html.EscapeString(string(page)))
}

func probed(t *testing.T, v *visit) *probe {
	t.Helper()
	_, rest, found := strings.Cut(v.dom, `data-probe="`)
	text, _, _ := strings.Cut(rest, `"`)
	p := new(probe)
	if err := json.Unmarshal([]byte(html.UnescapeString(text)), p); !found || err != nil {
		t.Fatalf("the script did not report: %v, %q", err, v.console)
	}
	return p
}

// contrast is the contrast ratio of WCAG 2.2 of two colours in the form
// "rgb(1, 2, 3)".
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(colour string) float64 {
	var rgb [3]float64
	if _, err := fmt.Sscanf(colour, "rgb(%f, %f, %f)", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		return math.NaN()
	}
	for i, c := range rgb {
		if c /= 255; c <= 0.04045 {
			rgb[i] = c / 12.92
		} else {
			rgb[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}
