//go:build !wasip1

package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

var update = flag.Bool("update", false, "write the output of commands into the documentation")

// consoleBlock is a fenced block of Markdown that begins with this command, and
// what it prints.
var consoleBlock = regexp.MustCompile("(?m)^```console\n\\$ go run ./cmd/select (.*)\n((?:[^`].*\n|\n)*)```$")

// TestDocs runs the commands whose output the documentation shows.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		now := consoleBlock.ReplaceAllFunc(text, func(block []byte) []byte {
			blocks++
			m := consoleBlock.FindSubmatchIndex(block)
			args, shown := string(block[m[2]:m[3]]), string(block[m[4]:m[5]])
			printed := output(t, args)
			if printed != shown && !*update {
				t.Errorf("%s: select %s prints\n%s", file, args, printed)
			}
			return slices.Concat(block[:m[4]], []byte(printed), block[m[5]:])
		})
		if *update {
			if err := os.WriteFile(file, now, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if blocks == 0 {
		t.Error("the documentation shows no command")
	}
}

// output returns what a command prints, without spaces at the ends of lines.
func output(t *testing.T, args string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if status := run(strings.Fields(args), &stdout, &stderr); status != exitFine {
		t.Errorf("select %s: exit status %d: %s", args, status, stderr.String())
	}
	var trimmed strings.Builder
	for line := range strings.Lines(stdout.String()) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return trimmed.String()
}

// TestDocCharts draws the charts of the documentation again.
func TestDocCharts(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		testenv.Missing(t, "amd64, on which the charts were drawn: elsewhere the last digit of a coordinate may differ")
	}
	text, err := os.ReadFile("generate.go")
	if err != nil {
		t.Fatal(err)
	}
	directives := regexp.MustCompile(`(?m)^//go:generate go run \. (chart .* -o )(\S+)$`).FindAllStringSubmatch(string(text), -1)
	if len(directives) == 0 {
		t.Fatal("no charts are generated")
	}
	for _, m := range directives {
		drawn := filepath.Join(t.TempDir(), filepath.Base(m[2]))
		output(t, m[1]+drawn)
		want, err := os.ReadFile(m[2])
		if err != nil {
			t.Error(err)
			continue
		}
		if got, err := os.ReadFile(drawn); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate draws: %v", m[2], err)
		}
	}
}
